/* The renderers of text and of JSON. rendering->own is a struct processes for text of several traces, and
 * the array of the reports for JSON. */
#include "render/json_parts.h"
#include "render/processes.h"
#include "render/render.h"

static void begin_text(struct rendering *rendering)
{
	if (rendering->trace_count > 1 && !rendering->own)
		rendering->own = processes_create(rendering->out);
}

static bool report_text(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	if (rendering->trace_count > 1)
		return rendering->own && processes_add(rendering->own, trace, analysis, all);
	return render_text(rendering->out, trace, analysis, all);
}

static bool end_text(struct rendering *rendering)
{
	return !rendering->own || processes_print(rendering->own);
}

const struct renderer renderer_text = {
	.begin = begin_text,
	.report = report_text,
	.end = end_text,
};

static void begin_json(struct rendering *rendering)
{
	if (!rendering->own)
		rendering->own = json_array();
}

static bool report_json(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	return !json_array_append_new(rendering->own, render_json(trace, analysis, all));
}

/* The array of several traces' reports; of one trace the report. Nothing, where none could be read. */
static bool end_json(struct rendering *rendering)
{
	json_t *only;

	if (rendering->trace_count > 1 && json_array_size(rendering->own))
		return print_json(rendering->out, rendering->own);
	only = json_incref(json_array_get(rendering->own, 0));
	json_decref(rendering->own);
	return !only || print_json(rendering->out, only);
}

const struct renderer renderer_json = {
	.begin = begin_json,
	.report = report_json,
	.end = end_json,
};

/* A report has all rows of the host. */
const struct renderer renderer_host_json = {
	.begin = begin_json,
	.report = report_json,
	.end = end_json,
};
