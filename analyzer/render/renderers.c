#include "render/json_parts.h"
#include "render/processes.h"
#include "render/render.h"

#include <string.h>

static void begin_text(struct rendering *rendering)
{
	if (rendering->trace_count > 1 && !rendering->processes)
		rendering->processes = processes_create(rendering->out);
}

static bool report_text(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	if (rendering->trace_count > 1)
		return rendering->processes &&
		       processes_add(rendering->processes, trace, analysis, all);
	return render_text(rendering->out, trace, analysis, all);
}

static bool end_text(struct rendering *rendering)
{
	return !rendering->processes || processes_print(rendering->processes);
}

const struct renderer renderer_text = {
	.name = "text",
	.begin = begin_text,
	.report = report_text,
	.end = end_text,
	.whatif = render_whatif_text,
};

static void begin_json(struct rendering *rendering)
{
	if (!rendering->reports)
		rendering->reports = json_array();
}

static bool report_json(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	return !json_array_append_new(rendering->reports, render_json(trace, analysis, all));
}

/* The array of several traces' reports; of one trace the report, or nothing. */
static bool end_json(struct rendering *rendering)
{
	json_t *only;

	if (rendering->trace_count > 1)
		return print_json(rendering->out, rendering->reports);
	only = json_incref(json_array_get(rendering->reports, 0));
	json_decref(rendering->reports);
	return !only || print_json(rendering->out, only);
}

static bool whatif_json(FILE *out, const struct applied *applied)
{
	return print_json(out, render_whatif_json(applied));
}

const struct renderer renderer_json = {
	.name = "json",
	.begin = begin_json,
	.report = report_json,
	.end = end_json,
	.whatif = whatif_json,
};

static const struct renderer *const renderers[] = {
#define RENDERER(name) &renderer_##name,
#include "render/renderers.def"
#undef RENDERER
};

const struct renderer *render_find(const char *name)
{
	for (size_t i = 0; i < sizeof(renderers) / sizeof(*renderers); i++)
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	return NULL;
}
