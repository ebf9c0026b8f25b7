#include "findings/analysis.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "findings/detect.h"
#include "findings/detector_table.h"
#include "findings/devices.h"
#include "findings/first_use_waits.h"
#include "findings/foreign.h"
#include "findings/headline.h"
#include "findings/idle.h"
#include "findings/interval_private.h"
#include "findings/not_seen.h"
#include "findings/sampling.h"
#include "findings/spread.h"
#include "findings/together.h"
#include "findings/whatif_run.h"
#include "model/model.h"
#include "model/tool_cost.h"
#include "replay/edits/bound.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"
#include "sample/sample.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->is_folded != y->is_folded)
		return x->is_folded ? 1 : -1;
	if (x->pass != y->pass)
		return x->pass - y->pass;
	if (x->replayed->estimate_ns != y->replayed->estimate_ns)
		return x->replayed->estimate_ns < y->replayed->estimate_ns ? 1 : -1;
	if (x->blocked_ns != y->blocked_ns)
		return x->blocked_ns < y->blocked_ns ? 1 : -1;
	return strcmp(x->id, y->id) ? strcmp(x->id, y->id) : site_compare(&x->site, &y->site);
}

static void rank_findings(struct analysis *analysis)
{
	if (analysis->finding_count)
		qsort(analysis->findings, analysis->finding_count, sizeof(*analysis->findings),
		      compare_findings);
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];

		if (!finding->is_folded)
			continue;
		analysis->folded_count++;
		analysis->folded_lost_ns += min_ns(finding->replayed->estimate_ns,
						   analysis->wall_ns - analysis->folded_lost_ns);
	}
}

bool analysis_is_near(int64_t replayed_ns, int64_t measured_ns, double unsure_ns)
{
	return (double)llabs(replayed_ns - measured_ns) <=
	       SELF_CHECK_SHARE * (double)measured_ns + unsure_ns;
}

/* How far the replay of a sample can be off because of the slices that were taken. */
static double find_unsure(const struct analysis *analysis, const struct timeline_times *times)
{
	const struct trace *trace = analysis->observed.model->trace;
	int64_t *errors_ns;
	double unsure_ns;

	if (!analysis->sample)
		return 0;
	errors_ns = memory_array(trace->window_count, sizeof(*errors_ns));
	for (size_t i = 0; i < trace->window_count; i++)
		errors_ns[i] = times->windows[i] -
			       (trace->windows[i].end_ns - trace->windows[i].counted_ns);
	unsure_ns = sample_error(analysis->sample, errors_ns);
	free(errors_ns);
	return unsure_ns;
}

static void check_devices(struct analysis *analysis, const struct timeline_times *times)
{
	const struct model *model = analysis->observed.model;
	int64_t *measured_ns = devices_times(model, NULL);
	int64_t *replayed_ns = devices_times(model, times->operations);

	analysis->device_count = model->device_count;
	analysis->devices = memory_array(model->device_count, sizeof(*analysis->devices));
	for (size_t device = 0; device < model->device_count; device++)
		analysis->devices[device] =
			(struct device){.id = model->device_ids[device],
					.measured_ns = measured_ns[device],
					.replayed_ns = replayed_ns[device],
					.replayed = memory_array(1, sizeof(struct interval))};
	free(replayed_ns);
	free(measured_ns);
}

/* The replay with nothing but what the trace leaves open, for the better. */
static int64_t replay_best_case(const struct analysis *analysis)
{
	struct edits *edits = edits_create(analysis->observed.model);
	int64_t replayed_ns;

	edits->is_best_case = true;
	replayed_ns = timeline_replay(analysis->observed.timeline, edits);
	edits_free(edits);
	return replayed_ns;
}

/* The same replay without what the tracer added. */
static int64_t replay_untraced(const struct analysis *analysis)
{
	struct edits *none = edits_create(analysis->observed.model);
	int64_t replayed_ns = timeline_replay(analysis->observed.timeline, none);

	edits_free(none);
	return replayed_ns;
}

static void measure_untraced(struct analysis *analysis, int64_t untraced_ns)
{
	analysis->untraced_ns = analysis->wall_ns;
	if (!analysis->has_estimates || untraced_ns < 0)
		return;
	untraced_ns = min_ns(untraced_ns + analysis->outside_ns, analysis->wall_ns);
	analysis->untraced_ns = untraced_ns;
	analysis->untraced_doubt_ns = (int64_t)(timeline_tool_doubt(analysis->observed.timeline) *
						(double)(analysis->wall_ns - untraced_ns));
	analysis->has_untraced = true;
	analysis->has_untraced_cupti = timeline_knows_cupti(analysis->observed.timeline);
}

/* The replays without a fix, at the same time. */
struct checking {
	struct analysis *analysis;
	struct timeline_times times; /* of the one of the run as it was traced */
	int64_t untraced_ns;	     /* -1: not known */
};

enum check_part { CHECK_TRACED, CHECK_BEST_CASE, CHECK_UNTRACED, CHECK_PART_COUNT };

static void check_part(void *context, size_t part)
{
	struct checking *checking = context;
	struct analysis *analysis = checking->analysis;

	if (part == CHECK_TRACED)
		analysis->replayed_ns =
			timeline_replay_times(analysis->observed.timeline, NULL, &checking->times);
	else if (part == CHECK_BEST_CASE)
		analysis->best_case_ns = replay_best_case(analysis);
	else if (timeline_knows_tool(analysis->observed.timeline))
		checking->untraced_ns = replay_untraced(analysis);
}

/* A device counts by the run: what it misses of a short time of its own shifts little. */
static void check_replay(struct analysis *analysis)
{
	struct checking checking = {.analysis = analysis, .untraced_ns = -1};
	double unsure_ns;

	/* The host was at work there, too, and that stays as it was. */
	if (analysis->observed.model->trace->window_count)
		analysis->outside_ns =
			analysis->wall_ns - timeline_measured_ns(analysis->observed.timeline);
	parallel_run(CHECK_PART_COUNT, check_part, &checking);
	if (analysis->replayed_ns >= 0)
		analysis->replayed_ns += analysis->outside_ns;
	check_devices(analysis, &checking.times);
	unsure_ns = find_unsure(analysis, &checking.times);
	timeline_times_free(&checking.times);
	analysis->spread = spread_measure(analysis->observed.model->trace);
	analysis->has_estimates =
		analysis->replayed_ns >= 0 &&
		analysis_is_near(analysis->replayed_ns, analysis->wall_ns, unsure_ns);
	for (size_t i = 0; i < analysis->device_count; i++) {
		const struct device *check = &analysis->devices[i];
		int64_t error_ns = check->replayed_ns - check->measured_ns;

		analysis->has_estimates &= analysis_is_near(analysis->wall_ns + error_ns,
							    analysis->wall_ns, unsure_ns);
	}
	measure_untraced(analysis, checking.untraced_ns);
}

/* All findings that are not folded, together. */
static struct interval weigh_all(const struct analysis *analysis)
{
	size_t count;
	const struct finding **shown = whatif_shown(analysis, &count);
	struct interval lost =
		whatif_saving(analysis, shown, count, whatif_bound(analysis, shown, count, false));
	free(shown);
	return lost;
}

/* Why the rate of pinned copies is not well known; malloc'ed, or NULL. */
static char *doubt_rate(const struct trace *trace, struct copy_rate rate)
{
	struct format link;

	if (rate.source == RATE_UNKNOWN)
		return memory_format("their rate on this machine is unknown, so low ends and "
				     "estimates keep the measured copy times: run "
				     "streamtrace report where the program ran, or record "
				     "with streamtrace run");
	if (rate.source != RATE_OF_LINK)
		return NULL;
	return memory_format("their rate was not measured: it is taken as %s of the PCI Express "
			     "link's %s/s. Run streamtrace report where the "
			     "program ran to measure it",
			     RATES_LINK_RANGE, format_bytes(&link, rates_link_bytes_per_s(trace)));
}

/* Notes a fix that pins memory where the rate of pinned copies is not well known. */
static void note_rates(struct analysis *analysis)
{
	const struct model *model = analysis->observed.model;
	struct edits *edits = whatif_edits(analysis);
	char *why = NULL;

	for (size_t i = 0; edits && !why && i < model->trace->operation_count; i++)
		if (edits->operations[i] & EDIT_PIN)
			why = doubt_rate(
				model->trace,
				model->pinned_copies[model->trace->operations[i].form->engine]);
	if (why)
		not_seen_add(analysis, memory_format("pinned copies"), why);
	if (edits)
		edits_free(edits);
}

/* Notes what tracing added and could not be taken out, where the calls are many. */
static void note_tool(struct analysis *analysis)
{
	const struct trace *trace = analysis->whole;
	bool is_old = trace->schema_version < TOOL_COSTS_SINCE;

	if (!analysis->has_estimates || analysis->has_untraced_cupti ||
	    (!is_old && !analysis->has_untraced) ||
	    (double)trace->call_count * TRACER_LEAST_CALL_NS <
		    TRACER_LEAST_SHARE * (double)analysis->wall_ns)
		return;
	not_seen_add(analysis, memory_format("tracing overhead"),
		     analysis->has_untraced
			     ? memory_format("CUPTI's share is unknown, so the untraced time is "
					     "less than stated: run streamtrace report where "
					     "the program ran")
			     : memory_format("not recorded by this older version of the trace "
					     "format: times and savings are of the traced run"));
}

uint64_t analysis_least_bytes(const struct trace *trace)
{
	return (uint64_t)trace->call_count * MEMORY_OF_CALL_BYTES +
	       (uint64_t)trace->operation_count * MEMORY_OF_OPERATION_BYTES;
}

/* Of the run by itself, or by a sample of it. */
static struct analysis *run_by(const struct trace *whole, struct sample *sample,
			       const struct detector *const *with)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct model *model = model_build(sample ? sample_trace(sample) : whole);

	analysis->replayed = memory_array(1, sizeof(*analysis->replayed));
	analysis->whole = whole;
	analysis->sample = sample;
	headline_measure(analysis, whole);
	analysis->failed = failures_find(whole);
	analysis->observed = observed_build(model);
	analysis->idle = idle_build(analysis);
	check_replay(analysis);
	devices_measure(analysis);
	analysis->most_least_ns = bound_most_least_time(model);
	detect(analysis, with);
	first_use_waits(analysis);
	rank_findings(analysis);
	*analysis->replayed = weigh_all(analysis);
	together_order(analysis);
	devices_weigh(analysis);
	note_rates(analysis);
	note_tool(analysis);
	not_seen_collect(analysis, whole);
	not_seen_reach(analysis, model);
	foreign_collect(analysis, whole);
	return analysis;
}

/* The savings as they are shown, from their ranges, which are final. */
static struct analysis *state_savings(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++)
		analysis->findings[i].lost = range_stated(analysis, analysis->findings[i].replayed);
	for (size_t i = 0; i < analysis->device_count; i++)
		analysis->devices[i].lost = range_stated(analysis, analysis->devices[i].replayed);
	analysis->lost = range_stated(analysis, analysis->replayed);
	return analysis;
}

struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with)
{
	return state_savings(run_by(trace, NULL, with));
}

struct analysis *analysis_run(const struct trace *trace)
{
	return analysis_run_with(trace, detectors);
}

struct analysis *analysis_run_sampled(const struct trace *trace)
{
	struct sample *sample = sample_take(trace);

	while (sample) {
		struct analysis *analysis = run_by(trace, sample, detectors);
		enum sampling answer = sampling_judge(analysis);

		if (answer == SAMPLING_IS_ENOUGH)
			return state_savings(analysis);
		analysis->sample = NULL; /* it grew, or is of no use */
		analysis_free(analysis);
		if (answer == SAMPLING_FAILED) {
			sample_free(sample);
			sample = NULL;
		}
	}
	return analysis_run(trace);
}

void analysis_free(struct analysis *analysis)
{
	detect_free(analysis);
	for (size_t i = 0; i < analysis->not_seen_count; i++) {
		free(analysis->not_seen[i].what);
		free(analysis->not_seen[i].why);
	}
	free(analysis->not_seen);
	idle_free(analysis->idle);
	for (size_t i = 0; i < analysis->device_count; i++)
		free(analysis->devices[i].replayed);
	free(analysis->devices);
	free(analysis->replayed);
	free(analysis->first_use_lines);
	observed_free(&analysis->observed);
	sample_free(analysis->sample);
	free(analysis);
}
