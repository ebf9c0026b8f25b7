#include "analysis.h"

#include "detectors/detector.h"
#include "headline.h"
#include "memory.h"
#include "model.h"
#include "not_seen.h"
#include "replay/timeline.h"
#include "site.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_ROWS 3

/* A finding that costs less than this share of the run is folded into one line . */
#define FOLD_SHARE 0.005

/* The detectors, in the order in which equal findings are shown. */
static const struct detector *const detectors[] = {
	&detector_pageable_copy,
	&detector_default_stream,
	&detector_serial_stream,
	&detector_explicit_sync,
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
	struct span *reach, *reach_of_both; /* of all findings that are not folded */
	size_t span_count, reach_capacity, both_capacity;
	struct bound_edit edit; /* all findings' together */
	struct timeline *timeline;
	struct edits *all_low, *all; /* every finding's */
};

/* What the edits save, never more than the bound. */
static int64_t replayed_saving(const struct analyzing *analyzing, const struct edits *edits,
			       int64_t bound_ns)
{
	int64_t saved_ns =
		analyzing->analysis->replayed_ns - timeline_replay(analyzing->timeline, edits);

	if (saved_ns < 0)
		return 0;
	return saved_ns < bound_ns ? saved_ns : bound_ns;
}

/* Low and estimate of one fix, with the bound as its high end; and its part of all fixes. */
static struct interval estimate(struct analyzing *analyzing, const struct detector *detector,
				const struct placed *group, size_t count, int64_t bound_ns)
{
	struct interval lost = {0, bound_ns, bound_ns};
	struct instance *instances = memory_array(count, sizeof(*instances));
	struct edits *low = edits_create(analyzing->model), *edits = edits_create(analyzing->model);

	for (size_t i = 0; i < count; i++)
		instances[i] = group[i].instance;
	qsort(instances, count, sizeof(*instances), compare_starts);
	detector->apply(analyzing->model, instances, count, DOUBT_KEEP, low);
	detector->apply(analyzing->model, instances, count, DOUBT_WEIGH, edits);
	detector->apply(analyzing->model, instances, count, DOUBT_KEEP, analyzing->all_low);
	detector->apply(analyzing->model, instances, count, DOUBT_WEIGH, analyzing->all);
	if (analyzing->analysis->has_estimates) {
		lost.estimate_ns = replayed_saving(analyzing, edits, bound_ns);
		lost.low_ns = replayed_saving(analyzing, low, lost.estimate_ns);
	}
	edits_free(low);
	edits_free(edits);
	free(instances);
	return lost;
}

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

static void keep_spans(struct analyzing *analyzing, const struct detector *detector,
		       const struct placed *group, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		analyzing->reach = memory_grow(analyzing->reach, analyzing->span_count,
					       &analyzing->reach_capacity, sizeof(struct span));
		analyzing->reach_of_both =
			memory_grow(analyzing->reach_of_both, analyzing->span_count,
				    &analyzing->both_capacity, sizeof(struct span));
		analyzing->reach[analyzing->span_count] = group[i].instance.reach;
		analyzing->reach_of_both[analyzing->span_count++] = group[i].instance.reach_of_both;
	}
	analyzing->edit.pins_copies |= detector->edit.pins_copies;
	analyzing->edit.unblocks_host |= detector->edit.unblocks_host;
	analyzing->edit.frees_stream |= detector->edit.frees_stream;
	analyzing->edit.frees_barrier |= detector->edit.frees_barrier;
}

/* The bound of spans; sorts them. What is folded in any case gets no second look: thousands of
 * lines with a short wait each would take as many passes over the trace. */
static int64_t saving_of(const struct analyzing *analyzing, const struct detector *detector,
			 struct span *spans, size_t count)
{
	int64_t covered_ns = bound_covered(spans, count);

	if ((double)covered_ns < FOLD_SHARE * (double)analyzing->analysis->wall_ns)
		return covered_ns;
	return bound_saving(analyzing->model, spans, count, &detector->edit);
}

/* One finding from the instances of one place. */
static struct finding weigh(struct analyzing *analyzing, const struct detector *detector,
			    const struct placed *group, size_t count)
{
	struct span *spans = memory_array(count, sizeof(*spans));
	struct finding finding = {.id = detector->id,
				  .title = detector->title,
				  .fix = detector->fix,
				  .site = group->site,
				  .count = count};
	size_t reusing = 0;

	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group[i].instance;

		spans[i] = instance->reach;
		finding.blocked_ns += instance->span.end_ns - instance->span.start_ns;
		reusing += instance->reuses_buffer;
	}
	if (detector->fix_shared_buffer && reusing * 2 > count)
		finding.fix = detector->fix_shared_buffer;
	finding.lost.high_ns = saving_of(analyzing, detector, spans, count);
	finding.lost.estimate_ns = finding.lost.high_ns;
	finding.is_folded =
		(double)finding.lost.high_ns < FOLD_SHARE * (double)analyzing->analysis->wall_ns;
	if (!finding.is_folded)
		finding.lost = estimate(analyzing, detector, group, count, finding.lost.high_ns);
	add_evidence(analyzing, &finding, detector, group);
	if (!finding.is_folded)
		keep_spans(analyzing, detector, group, count);
	free(spans);
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

	analysis->replayed_ns = timeline_replay(analyzing->timeline, NULL);
	error_ns = llabs(analysis->replayed_ns - analysis->wall_ns);
	analysis->has_estimates = analysis->replayed_ns >= 0 &&
				  (double)error_ns <= SELF_CHECK_SHARE * (double)analysis->wall_ns;
}

/* The bound of all findings together: where both constraints of the device fall, what was held by
 * either of them counts. */
static int64_t saving_of_all(const struct analyzing *analyzing)
{
	bool is_both = analyzing->edit.frees_stream && analyzing->edit.frees_barrier;

	return bound_saving(analyzing->model, is_both ? analyzing->reach_of_both : analyzing->reach,
			    analyzing->span_count, &analyzing->edit);
}

struct analysis *analysis_run(const struct trace *trace)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct model *model = model_build(trace);
	struct analyzing analyzing = {.analysis = analysis, .model = model};

	headline_measure(analysis, trace);
	analyzing.timeline = timeline_build(model);
	analyzing.all_low = edits_create(model);
	analyzing.all = edits_create(model);
	check_replay(&analyzing);
	for (size_t i = 0; i < sizeof(detectors) / sizeof(detectors[0]); i++)
		detect(&analyzing, detectors[i]);
	rank(analysis);
	analysis->lost.high_ns = saving_of_all(&analyzing);
	analysis->lost.estimate_ns = analysis->lost.high_ns;
	if (analysis->has_estimates && analysis->lost.high_ns > 0) {
		analysis->lost.estimate_ns =
			replayed_saving(&analyzing, analyzing.all, analysis->lost.high_ns);
		analysis->lost.low_ns =
			replayed_saving(&analyzing, analyzing.all_low, analysis->lost.estimate_ns);
	}
	edits_free(analyzing.all_low);
	edits_free(analyzing.all);
	timeline_free(analyzing.timeline);
	not_seen_collect(analysis, trace);
	not_seen_reach(analysis, model);
	free(analyzing.reach);
	free(analyzing.reach_of_both);
	model_free(model);
	return analysis;
}

void analysis_free(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++) {
		for (size_t k = 0; k < analysis->findings[i].evidence_count; k++)
			free(analysis->findings[i].evidence[k].text);
		free(analysis->findings[i].evidence);
	}
	for (size_t i = 0; i < analysis->not_seen_count; i++) {
		free(analysis->not_seen[i].what);
		free(analysis->not_seen[i].why);
	}
	free(analysis->findings);
	free(analysis->not_seen);
	free(analysis);
}
