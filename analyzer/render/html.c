#include "base/memory.h"
#include "findings/whatif.h"
#include "findings/whatif_edits.h"
#include "render/html_lanes.h"
#include "render/html_places.h"
#include "render/json_parts.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* The replayed runs of a page have so many events together: some 60 MB. */
#define MOST_EVENTS 8000000u

/* Replays the run with the fixes of these findings, and adds it to the runs. Takes the name. */
static void add_replay(struct html_page *page, json_t *runs, const struct finding *const *findings,
		       size_t count, bool is_coarse, json_t *name)
{
	const struct analysis *analysis = page->analysis;
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	struct timeline_times times;
	json_t *run;

	if (timeline_replay_times(analysis->timeline, edits, &times) >= 0) {
		run = html_lanes(page, &(struct html_run){edits, &times, is_coarse});
		json_object_set(run, "fixes", name);
		json_array_append_new(runs, run);
	}
	json_decref(name);
	timeline_times_free(&times);
	edits_free(edits);
}

/* The finding, behind all of the passes before its own: its wait may be there only then. */
static size_t choose_with(const struct finding *const *shown, size_t count, size_t index,
			  const struct finding **chosen)
{
	size_t chosen_count = 0;

	for (size_t i = 0; i < count; i++)
		if (i == index || shown[i]->pass < shown[index]->pass)
			chosen[chosen_count++] = shown[i];
	return chosen_count;
}

/* The numbers of these findings in the report. */
static json_t *numbers_of(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count)
{
	json_t *numbers = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(numbers, json_integer(findings[i] - analysis->findings + 1));
	return numbers;
}

/* The measured run, the one with all fixes, then one for each finding as long as there is room. */
static json_t *make_runs(struct html_page *page)
{
	const struct analysis *analysis = page->analysis;
	size_t events = page->trace->call_count + page->trace->operation_count, all = events, count;
	const struct finding **shown = whatif_shown(analysis, &count);
	const struct finding **chosen = memory_array(count, sizeof(*chosen));
	json_t *runs = json_array();

	json_array_append_new(runs, html_lanes(page, NULL));
	if (count && analysis->has_estimates)
		add_replay(page, runs, shown, count, all > MOST_EVENTS,
			   numbers_of(analysis, shown, count));
	for (size_t i = 0; count > 1 && analysis->has_estimates && i < count; i++) {
		size_t chosen_count = choose_with(shown, count, i, chosen);

		if (shown[i]->is_hidden)
			continue;
		all += events;
		if (all > MOST_EVENTS)
			break;
		add_replay(page, runs, chosen, chosen_count, false,
			   numbers_of(analysis, chosen, chosen_count));
	}
	free(chosen);
	free(shown);
	return runs;
}

/* What the JSON report does not say of a finding. */
static json_t *finding_object(struct html_page *page, const struct finding *finding)
{
	char *line = render_site(page->trace, &finding->site);
	json_t *object = json_pack("{s:s, s:o, s:o}", "line", line, "places",
				   html_places(page, finding), "curve", html_curve(page, finding));

	free(line);
	return object;
}

static json_t *make_findings(struct html_page *page, bool all)
{
	const struct analysis *analysis = page->analysis;
	json_t *findings = json_array();

	for (size_t i = 0; i < analysis->finding_count; i++)
		if (finding_is_shown(&analysis->findings[i], all))
			json_array_append_new(findings,
					      finding_object(page, &analysis->findings[i]));
	return findings;
}

/* The JSON report, and:
 *   findings  beside the report's: line, as a text; places and curve (html_places.h)
 *   runs      each a run's lanes (html_lanes.h) and fixes: the numbers of the findings that are fixed in
 *             it; the measured one, without fixes, comes first, then the one with all of them
 *   things    where the rows of html_things_take() are, which events name by index */
static bool write(struct html_page *page, bool all, FILE *out)
{
	const char *program = trace_metadata(page->trace, "program");
	json_t *shown, *report = render_json(page->trace, page->analysis, all);
	json_t *runs = make_runs(page), *findings = make_findings(page, all), *things;
	char *title;
	bool ok;

	things = viewer_pack_json(&page->viewer, html_things_take(&page->things));
	shown = json_pack("{s:o, s:o, s:o, s:o}", "report", report, "findings", findings, "runs",
			  runs, "things", things);
	if (!shown)
		return false;
	title = memory_format("%s - streamtrace", program ? program : page->trace->path);
	ok = viewer_write(&page->viewer, title, shown, out);
	free(title);
	return ok;
}

static void begin_html(struct rendering *rendering)
{
}

static bool report_html(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	struct html_page page = {.trace = trace, .analysis = analysis, .things = {.trace = trace}};
	bool ok;

	viewer_init(&page.viewer);
	ok = write(&page, all, rendering->out);
	viewer_free(&page.viewer);
	free(page.stream_lanes);
	map_free(&page.thread_lanes);
	return ok;
}

static bool end_html(struct rendering *rendering)
{
	return true;
}

const struct renderer renderer_html = {
	.name = "html",
	.is_one = true,
	.shows_run = true,
	.begin = begin_html,
	.report = report_html,
	.end = end_html,
};
