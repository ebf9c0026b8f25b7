#include "analysis.h"

#include "detectors/detector.h"
#include "evidence.h"
#include "headline.h"
#include "memory.h"
#include "model.h"
#include "not_seen.h"
#include "replay/timeline.h"
#include "site.h"
#include "whatif.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_ROWS 3

/* A finding that costs less than this share of the run is folded into one line . */
#define FOLD_SHARE 0.005

/* The detectors, in the order in which equal findings are shown. */
static const struct detector *const detectors[] = {
	&detector_pageable_copy, &detector_default_stream, &detector_serial_stream,
	&detector_sync_in_loop,	 &detector_wide_sync,	   &detector_blocking_copy,
	&detector_free_sync,	 &detector_host_callback,
};

/* An instance with the place that it is grouped by. */
struct placed {
	struct instance instance;
	struct site site;
};

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_sites(const struct site *a, const struct site *b)
{
	int order = compare_texts(a->file, b->file);

	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	if (!order)
		order = compare_texts(a->module, b->module);
	/* One line can hold several calls, and be reached through several functions. */
	if (!order && !a->file)
		order = (a->offset > b->offset) - (a->offset < b->offset);
	return order;
}

/* By place, and within a place the longest wait first. */
static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int64_t x_ns = x->instance.span.end_ns - x->instance.span.start_ns;
	int64_t y_ns = y->instance.span.end_ns - y->instance.span.start_ns;
	int order = compare_sites(&x->site, &y->site);

	if (!order)
		order = (x_ns < y_ns) - (x_ns > y_ns);
	if (!order)
		order = (x->instance.span.start_ns > y->instance.span.start_ns) -
			(x->instance.span.start_ns < y->instance.span.start_ns);
	return order;
}

static int compare_starts(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static struct site place_of(const struct trace *trace, const struct trace_call *call)
{
	const char *kernel = call && call->operation ? call->operation->name : NULL;

	return site_describe(trace, call ? call->site : NULL, kernel);
}

struct analyzing {
	struct analysis *analysis;
	const struct model *model;
};

static void add_evidence(struct analyzing *analyzing, struct finding *finding,
			 const struct detector *detector, const struct placed *group)
{
	size_t count = finding->count < EVIDENCE_ROWS ? finding->count : EVIDENCE_ROWS;
	char text[512];

	finding->evidence = memory_array(count, sizeof(*finding->evidence));
	finding->evidence_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group[i].instance;

		detector->describe(analyzing->model, instance, text, sizeof(text));
		finding->evidence[i] = (struct evidence){
			.start_ns = instance->span.start_ns - analyzing->analysis->origin_ns,
			.end_ns = instance->span.end_ns - analyzing->analysis->origin_ns,
			.text = memory_format("%s", text),
		};
	}
}

/* Whether the waits come to less than what is worth showing. Such a finding gets no second look:
 * thousands of lines with a short wait each would take as many passes over the trace. */
static bool is_short(const struct analysis *analysis, int64_t waits_ns)
{
	return (double)waits_ns < FOLD_SHARE * (double)analysis->wall_ns;
}

/* Fills in lost and is_folded. */
static void weigh_fix(const struct analysis *analysis, struct finding *finding)
{
	const struct finding *const alone[] = {finding};
	struct span *spans = memory_array(finding->count, sizeof(*spans));
	int64_t high_ns;

	for (size_t i = 0; i < finding->count; i++)
		spans[i] = finding->instances[i].reach;
	high_ns = bound_covered(spans, finding->count);
	free(spans);
	if (!is_short(analysis, high_ns))
		high_ns = whatif_bound(analysis, alone, 1, false);
	finding->is_folded = is_short(analysis, high_ns);
	finding->lost = finding->is_folded ? (struct interval){0, high_ns, high_ns}
					   : whatif_saving(analysis, alone, 1, high_ns);
}

/* One finding from the instances of one place. */
static struct finding weigh(struct analyzing *analyzing, const struct detector *detector,
			    const struct placed *group, size_t count)
{
	struct finding finding = {.id = detector->id,
				  .title = detector->title,
				  .fix = detector->fix,
				  .site = group->site,
				  .count = count,
				  .detector = detector,
				  .order = analyzing->analysis->finding_count};
	size_t reusing = 0;

	finding.instances = memory_array(count, sizeof(*finding.instances));
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group[i].instance;

		finding.instances[i] = *instance;
		finding.blocked_ns += instance->span.end_ns - instance->span.start_ns;
		reusing += instance->reuses_buffer;
	}
	qsort(finding.instances, count, sizeof(*finding.instances), compare_starts);
	if (detector->fix_shared_buffer && reusing * 2 > count)
		finding.fix = detector->fix_shared_buffer;
	weigh_fix(analyzing->analysis, &finding);
	add_evidence(analyzing, &finding, detector, group);
	return finding;
}

static void add_finding(struct analysis *analysis, struct finding finding)
{
	size_t capacity = analysis->finding_count; /* grows by one: findings are few */

	analysis->findings = memory_grow(analysis->findings, analysis->finding_count, &capacity,
					 sizeof(*analysis->findings));
	analysis->findings[analysis->finding_count++] = finding;
}

/* What was looked at and could not be judged is said. */
static void note_doubt(struct analysis *analysis, const struct detector *detector,
		       const struct instances *found)
{
	struct format count, time;

	not_seen_add(analysis, memory_format("%s", detector->id),
		     memory_format("%s wait%s of %s in all count%s as needed: %s",
				   format_count(&count, found->doubtful_count),
				   found->doubtful_count == 1 ? "" : "s",
				   format_time(&time, found->doubtful_ns),
				   found->doubtful_count == 1 ? "s" : "", detector->doubt));
}

/* A wait lasts to the end of its window at most: of what came then nothing is known. */
static void clip_to_windows(const struct trace *trace, struct instances *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		struct instance *instance = &found->items[i];

		trace_clip_to_window(trace, &instance->span.start_ns, &instance->span.end_ns);
		trace_clip_to_window(trace, &instance->reach.start_ns, &instance->reach.end_ns);
		trace_clip_to_window(trace, &instance->reach_of_both.start_ns,
				     &instance->reach_of_both.end_ns);
		if (instance->span.end_ns > instance->span.start_ns)
			found->items[kept++] = *instance;
	}
	found->count = kept;
}

static void detect(struct analyzing *analyzing, const struct detector *detector)
{
	const struct trace *trace = analyzing->model->trace;
	struct instances found = {0};
	struct placed *placed;
	size_t first, i;

	detector->find(analyzing->model, &found);
	if (trace->window_count)
		clip_to_windows(trace, &found);
	placed = memory_array(found.count, sizeof(*placed));
	for (i = 0; i < found.count; i++)
		placed[i] =
			(struct placed){found.items[i], place_of(trace, found.items[i].site_call)};
	if (found.count)
		qsort(placed, found.count, sizeof(*placed), compare_placed);
	for (first = 0; first < found.count; first = i) {
		for (i = first + 1; i < found.count; i++)
			if (compare_sites(&placed[i].site, &placed[first].site))
				break;
		add_finding(analyzing->analysis,
			    weigh(analyzing, detector, &placed[first], i - first));
	}
	if (found.doubtful_count)
		note_doubt(analyzing->analysis, detector, &found);
	free(placed);
	free(found.items);
}

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->lost.estimate_ns != y->lost.estimate_ns)
		return x->lost.estimate_ns < y->lost.estimate_ns ? 1 : -1;
	if (x->blocked_ns != y->blocked_ns)
		return x->blocked_ns < y->blocked_ns ? 1 : -1;
	return compare_texts(x->id, y->id) ? compare_texts(x->id, y->id)
					   : compare_sites(&x->site, &y->site);
}

static void rank(struct analysis *analysis)
{
	if (analysis->finding_count)
		qsort(analysis->findings, analysis->finding_count, sizeof(*analysis->findings),
		      compare_findings);
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];

		if (!finding->is_folded)
			continue;
		analysis->folded_count++;
		if (finding->lost.estimate_ns > analysis->folded_lost_ns)
			analysis->folded_lost_ns = finding->lost.estimate_ns;
	}
}

/* A replay that misses the measured time by more than this says nothing about another timeline. */
#define SELF_CHECK_SHARE 0.02

static void check_replay(struct analyzing *analyzing)
{
	struct analysis *analysis = analyzing->analysis;
	int64_t error_ns;

	analysis->replayed_ns = timeline_replay(analysis->timeline, NULL);
	error_ns = llabs(analysis->replayed_ns - analysis->wall_ns);
	analysis->has_estimates = analysis->replayed_ns >= 0 &&
				  (double)error_ns <= SELF_CHECK_SHARE * (double)analysis->wall_ns;
}

/* All findings that are not folded, together. */
static struct interval weigh_all(const struct analysis *analysis)
{
	const struct finding **shown = memory_array(analysis->finding_count, sizeof(*shown));
	struct interval lost;
	size_t count = 0;

	for (size_t i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			shown[count++] = &analysis->findings[i];
	lost = whatif_saving(analysis, shown, count, whatif_bound(analysis, shown, count, false));
	free(shown);
	return lost;
}

/* A fix that pins memory, without a word about what that makes of the copies. */
static void note_rates(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];

		if (finding->is_folded || !finding->detector->edit.pins_copies)
			continue;
		for (size_t k = 0; k < finding->count; k++) {
			const struct trace_operation *operation = finding->instances[k].operation;

			if (!operation ||
			    analysis->model->pinned_copies[operation->engine].bytes_per_ns > 0)
				continue;
			not_seen_add(analysis, memory_format("pinned copies"),
				     memory_format("what they take here is not known, so the low "
						   "ends and estimates leave the copies as slow "
						   "as they were: record with streamtrace run"));
			return;
		}
	}
}

struct analysis *analysis_run(const struct trace *trace)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct model *model = model_build(trace);
	struct analyzing analyzing = {.analysis = analysis, .model = model};

	headline_measure(analysis, trace);
	analysis->model = model;
	analysis->timeline = timeline_build(analysis->model);
	analysis->evidence = evidence_build(analysis->timeline);
	model->evidence = analysis->evidence;
	check_replay(&analyzing);
	for (size_t i = 0; i < sizeof(detectors) / sizeof(detectors[0]); i++)
		detect(&analyzing, detectors[i]);
	rank(analysis);
	analysis->lost = weigh_all(analysis);
	note_rates(analysis);
	not_seen_collect(analysis, trace);
	not_seen_reach(analysis, model);
	return analysis;
}

void analysis_free(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++) {
		for (size_t k = 0; k < analysis->findings[i].evidence_count; k++)
			free(analysis->findings[i].evidence[k].text);
		free(analysis->findings[i].evidence);
		free(analysis->findings[i].instances);
	}
	for (size_t i = 0; i < analysis->not_seen_count; i++) {
		free(analysis->not_seen[i].what);
		free(analysis->not_seen[i].why);
	}
	free(analysis->findings);
	free(analysis->not_seen);
	evidence_free(analysis->evidence);
	timeline_free(analysis->timeline);
	model_free(analysis->model);
	free(analysis);
}
