#include "base/format.h"
#include "base/memory.h"
#include "render/page.h"
#include "render/render.h"
#include "trace/site.h"

#include <stdlib.h>

#define SCHEMA_VERSION 1

/* "4. serial-stream at app.cu:30", malloc'ed. */
static char *describe_fix(const struct trace *trace, const struct analysis *analysis,
			  const struct finding *finding)
{
	char *place = render_place(trace, &finding->site), *line;

	line = memory_format("%zu. %s at %s", (size_t)(finding - analysis->findings) + 1,
			     finding->id, place);
	free(place);
	return line;
}

static void print_fixes(const struct page *page, const struct trace *trace,
			const struct analysis *analysis, const struct finding *const *findings,
			size_t count)
{
	if (!count)
		print_field(page, "fixes", "none: the report has no finding");
	for (size_t i = 0; i < count; i++) {
		char *line = describe_fix(trace, analysis, findings[i]);

		print_field(page, i ? "" : "fixes", line);
		free(line);
	}
}

static void print_times(const struct page *page, const struct analysis *analysis,
			const struct interval *saved)
{
	struct format measured, fixed, least, most, saving, percent;
	int64_t wall_ns = analysis->wall_ns;
	char *line;

	line = memory_format("%s with the fixes, between %s and %s; measured %s, so %s less (%s)",
			     format_time(&fixed, wall_ns - saved->estimate_ns),
			     format_time(&least, wall_ns - saved->high_ns),
			     format_time(&most, wall_ns - saved->low_ns),
			     format_time(&measured, wall_ns),
			     format_time(&saving, saved->estimate_ns),
			     format_percent(&percent, saved->estimate_ns, wall_ns));
	print_field(page, "wall time", line);
	free(line);
}

static void print_binding(const struct page *page, const struct trace *trace,
			  const struct whatif *whatif)
{
	int64_t busy_ns = whatif->headline.busy_ns[whatif->busiest];
	struct format busy, percent, waits, since;
	struct site site;
	char *line, *place;

	line = memory_format("The busiest engine is then %s: %s, %s of the run.",
			     engine_name(whatif->busiest), format_time(&busy, busy_ns),
			     format_percent(&percent, busy_ns, whatif->headline.wall_ns));
	print_wrapped(page, NULL, 0, line);
	free(line);
	if (!whatif->waiter) {
		print_wrapped(page, NULL, 0, "No call waits then.");
		return;
	}
	site = site_describe(trace, whatif->waiter->site, NULL);
	place = render_place(trace, &site);
	line = memory_format("The longest wait is then that of %s at %s: %s, from %s on.",
			     whatif->waiter->function->name, place,
			     format_time(&waits, whatif->waits_ns),
			     format_time(&since, whatif->waits_since_ns));
	print_wrapped(page, NULL, 0, line);
	free(line);
	free(place);
}

void render_whatif_text(FILE *out, const struct trace *trace, const struct analysis *analysis,
			const struct finding *const *findings, size_t count,
			const struct whatif *whatif)
{
	struct page page = page_open(out);

	print_field(&page, "trace", trace->path);
	print_fixes(&page, trace, analysis, findings, count);
	print_times(&page, analysis, &whatif->saved);
	fputc('\n', out);
	print_engines(&page, &whatif->headline);
	fputc('\n', out);
	print_binding(&page, trace, whatif);
}

static json_t *interval_object(int64_t low_ns, int64_t estimate_ns, int64_t high_ns)
{
	return json_pack("{s:I, s:I, s:I}", "low", (json_int_t)low_ns, "estimate",
			 (json_int_t)estimate_ns, "high", (json_int_t)high_ns);
}

static json_t *applied_array(const struct trace *trace, const struct analysis *analysis,
			     const struct finding *const *findings, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		char *place = render_place(trace, &findings[i]->site);

		json_array_append_new(array,
				      json_pack("{s:I, s:s, s:s}", "number",
						(json_int_t)(findings[i] - analysis->findings) + 1,
						"id", findings[i]->id, "place", place));
		free(place);
	}
	return array;
}

static json_t *wait_object(const struct trace *trace, const struct whatif *whatif)
{
	struct site site;
	json_t *object;
	char *place;

	if (!whatif->waiter)
		return json_null();
	site = site_describe(trace, whatif->waiter->site, NULL);
	place = render_place(trace, &site);
	object = json_pack("{s:s, s:s, s:I, s:I}", "call", whatif->waiter->function->name, "place",
			   place, "start_ns", (json_int_t)whatif->waits_since_ns, "waited_ns",
			   (json_int_t)whatif->waits_ns);
	free(place);
	return object;
}

json_t *render_whatif_json(const struct trace *trace, const struct analysis *analysis,
			   const struct finding *const *findings, size_t count,
			   const struct whatif *whatif)
{
	const struct analysis *after = &whatif->headline;
	const struct interval *saved = &whatif->saved;
	const int64_t *busy = after->busy_ns;
	int64_t wall_ns = analysis->wall_ns;

	return json_pack(
		"{s:i, s:s, s:o, s:I, s:o, s:o, s:{s:I, s:I, s:I, s:I}, s:I, s:I, s:s, s:o}",
		"schema_version", SCHEMA_VERSION, "trace", trace->path, "applied",
		applied_array(trace, analysis, findings, count), "measured_ns", (json_int_t)wall_ns,
		"wall_ns",
		interval_object(wall_ns - saved->high_ns, wall_ns - saved->estimate_ns,
				wall_ns - saved->low_ns),
		"saved_ns", interval_object(saved->low_ns, saved->estimate_ns, saved->high_ns),
		"busy_ns", "compute", (json_int_t)busy[ENGINE_COMPUTE], "h2d",
		(json_int_t)busy[ENGINE_H2D], "d2h", (json_int_t)busy[ENGINE_D2H], "peer",
		(json_int_t)busy[ENGINE_PEER], "idle_ns", (json_int_t)after->idle_ns,
		"overlapped_ns", (json_int_t)after->overlapped_ns, "busiest_engine",
		engine_name(whatif->busiest), "longest_wait", wait_object(trace, whatif));
}
