#include "base/memory.h"
#include "findings/steady.h"
#include "findings/whatif_edits.h"
#include "findings/whatif_run.h"
#include "render/figures.h"
#include "render/html_findings.h"
#include "render/html_lanes.h"
#include "render/html_places.h"
#include "render/html_ranks.h"
#include "render/html_states.h"
#include "render/json_parts.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

/* The replayed runs of a page have at most this many events together, some 60 MB. Each process gets an equal
 * part. */
#define MOST_EVENTS 8000000u

/* A page of all traces. */
struct html_report {
	struct viewer viewer;
	json_t *list;  /* of processes */
	bool is_alone; /* there is one process */
	char *title;
	size_t most_events; /* of replayed runs of a trace */
};

/* Its number in the report. */
static size_t number_of(const struct analysis *analysis, const struct finding *finding)
{
	return (size_t)(finding - analysis->findings.items) + 1;
}

/* Replays the run with the fixes of these findings, and adds it to the runs. of: the number of the finding
 * whose own run that is; 0: of none. */
static void add_replay(struct html_page *page, json_t *runs, const struct finding *const *findings,
		       size_t count, bool is_coarse, size_t of)
{
	const struct analysis *analysis = page->analysis;
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	struct timeline_times times;
	json_t *run, *numbers = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(numbers,
				      json_integer((json_int_t)number_of(analysis, findings[i])));
	if (timeline_replay_times(analysis->observed.timeline, edits, &times) >= 0) {
		run = html_lanes(page, &(struct html_run){edits, &times, is_coarse});
		json_object_set(run, "fixes", numbers);
		if (of)
			json_object_set_new(run, "of", json_integer((json_int_t)of));
		json_array_append_new(runs, run);
	}
	json_decref(numbers);
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

/* The number of the finding whose own run is that with all fixes; 0: none. */
static size_t last_of_all(const struct analysis *analysis, const struct finding *const *shown,
			  size_t count, const struct finding **chosen)
{
	for (size_t i = 0; i < count; i++)
		if (choose_with(shown, count, i, chosen) == count)
			return number_of(analysis, shown[i]);
	return 0;
}

/* The measured run, the one with all fixes, then one for each finding as long as there is room. */
static json_t *make_runs(struct html_page *page, size_t most_events)
{
	const struct analysis *analysis = page->analysis;
	size_t events = page->trace->call_count + page->trace->operation_count, all = events, count;
	const struct finding **shown = whatif_shown(&analysis->findings, &count);
	const struct finding **chosen = memory_array(count, sizeof(*chosen));
	json_t *runs = json_array();

	json_array_append_new(runs, html_lanes(page, NULL));
	if (count && analysis->check.has_estimates)
		add_replay(page, runs, shown, count, all > most_events,
			   last_of_all(analysis, shown, count, chosen));
	for (size_t i = 0; analysis->check.has_estimates && i < count; i++) {
		size_t chosen_count = choose_with(shown, count, i, chosen);

		if (chosen_count == count ||
		    !analysis_shows(analysis, number_of(analysis, shown[i]) - 1, true))
			continue;
		all += events;
		if (all > most_events)
			break;
		add_replay(page, runs, chosen, chosen_count, false, number_of(analysis, shown[i]));
	}
	free(chosen);
	free(shown);
	return runs;
}

/* What the JSON report does not say of a finding. */
static json_t *finding_object(struct html_page *page, const struct finding *finding)
{
	char *line = render_sites(page->trace, finding);
	json_t *object = json_pack("{s:s, s:o, s:o}", "line", line, "places",
				   html_places(page, finding), "curve", html_curve(page, finding));

	free(line);
	return object;
}

static json_t *make_findings(struct html_page *page, bool all)
{
	const struct analysis *analysis = page->analysis;
	json_t *findings = json_array();

	for (size_t i = 0; i < analysis->findings.count; i++)
		if (analysis_shows(analysis, i, all))
			json_array_append_new(findings,
					      finding_object(page, &analysis->findings.items[i]));
	return findings;
}

/* When the steps begin, each minus the one before, and the last one's end. */
static json_t *step_times(const struct html_page *page, const struct step_begins *steps)
{
	int64_t before_ns = page->analysis->headline.origin_ns;
	json_t *times = json_array();

	for (size_t i = 0; i <= steps->count; i++) {
		int64_t now_ns = i < steps->count ? steps->work_ns[i] : steps->end_ns;

		json_array_append_new(times, json_integer(now_ns - before_ns));
		before_ns = now_ns;
	}
	return times;
}

/* What viewer_add() shows of a process. NULL: out of memory. */
static json_t *make_shown(struct html_page *page, bool all, size_t most_events)
{
	const struct analysis *analysis = page->analysis;
	json_t *report = viewer_pack_json(page->viewer, render_json(page->trace, analysis, all));
	json_t *runs = viewer_pack_json(page->viewer, make_runs(page, most_events));
	json_t *findings = viewer_pack_json(page->viewer, make_findings(page, all));
	json_t *races = viewer_pack_json(page->viewer, html_races(page, all));
	json_t *things = viewer_pack_json(page->viewer, html_things_take(&page->things));
	json_t *shown = json_pack("{s:o, s:o, s:o, s:o, s:o}", "report", report, "findings",
				  findings, "races", races, "runs", runs, "things", things);

	if (shown && page->trace->host_state_count)
		json_object_set_new(shown, "states", html_state_names());
	if (shown && analysis->steady)
		json_object_set_new(
			shown, "steps",
			viewer_pack_json(page->viewer, step_times(page, &analysis->steady->steps)));
	return shown;
}

static int64_t saved_by(const struct analysis *analysis, const struct stated *lost)
{
	return analysis->check.has_estimates ? lost->estimate_ns : lost->high_ns;
}

/* A process in the list of viewer_write(). */
static json_t *list_process(const struct trace *trace, const struct analysis *analysis, bool all)
{
	char *program = figures_program(trace), *name = figures_process(trace);
	json_t *findings = json_array(), *process;

	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];
		char *line;

		if (!analysis_shows(analysis, i, all))
			continue;
		line = render_sites(trace, finding);
		json_array_append_new(findings,
				      json_pack("{s:I, s:s, s:s, s:I}", "number", (json_int_t)i + 1,
						"id", finding->id, "line", line, "saved_ns",
						(json_int_t)saved_by(analysis, &finding->lost)));
		free(line);
	}
	process = json_pack("{s:s, s:s, s:o, s:I, s:I, s:o, s:o}", "program", program, "name", name,
			    "rank", text_or_null(trace_metadata(trace, "rank")), "saved_ns",
			    (json_int_t)saved_by(analysis, &analysis->findings.lost), "whole_ns",
			    (json_int_t)analysis->check.untraced_ns, "findings", findings, "lane",
			    html_ranks_lane(trace, analysis));
	free(name);
	free(program);
	return process;
}

static void begin_html(struct rendering *rendering)
{
	struct html_report *html = rendering->own;

	if (html)
		return;
	html = rendering->own = memory_array(1, sizeof(*html));
	viewer_init(&html->viewer);
	html->list = json_array();
	html->is_alone = rendering->trace_count < 2;
	html->most_events = MOST_EVENTS / (rendering->trace_count ? rendering->trace_count : 1);
}

static bool report_html(struct rendering *rendering, const struct trace *trace,
			const struct analysis *analysis, bool all)
{
	struct html_report *html = rendering->own;
	struct html_page page = {.trace = trace,
				 .analysis = analysis,
				 .viewer = &html->viewer,
				 .things = {.trace = trace}};
	json_t *shown = make_shown(&page, all, html->most_events);
	bool ok = viewer_add(&html->viewer, shown,
			     html_findings(trace, analysis, all, json_array_size(html->list) + 1,
					   html->is_alone));

	html_lanes_free(&page);
	if (!ok)
		return false;
	if (!html->title)
		html->title = figures_program(trace);
	return !json_array_append_new(html->list, list_process(trace, analysis, all));
}

/* Nothing where no trace could be read. */
static bool end_html(struct rendering *rendering)
{
	struct html_report *html = rendering->own;
	size_t count = json_array_size(html->list);
	char *title =
		count > 1 ? memory_format("%s and %zu more - streamtrace", html->title, count - 1)
			  : memory_format("%s - streamtrace", html->title ? html->title : "");
	bool ok = !count ||
		  viewer_write(&html->viewer, title, json_incref(html->list), rendering->out);

	json_decref(html->list);
	viewer_free(&html->viewer);
	free(title);
	free(html->title);
	free(html);
	return ok;
}

const struct renderer renderer_html = {
	.shows_run = true,
	.begin = begin_html,
	.report = report_html,
	.end = end_html,
};
