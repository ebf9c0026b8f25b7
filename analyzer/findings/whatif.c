#include "findings/whatif.h"

#include "detectors/detector.h"
#include "findings/headline.h"
#include "findings/spread.h"
#include "replay/bound.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* A saving that is not there: all that are there are at least 0. */
#define NOT_REPLAYED (-1)

static int compare_found(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

/* The findings' edits, made in the order in which they were found; freed with edits_free(). */
static struct edits *edit(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, enum doubt doubt)
{
	struct edits *edits = edits_create(analysis->model);
	const struct finding **sorted = memory_array(count, sizeof(*sorted));

	if (count) {
		memcpy(sorted, findings, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare_found);
	}
	for (size_t i = 0; i < count; i++)
		if (sorted[i]->detector->apply)
			sorted[i]->detector->apply(analysis->model, sorted[i]->instances,
						   sorted[i]->instance_count, doubt, edits);
	free(sorted);
	return edits;
}

const struct finding **whatif_shown(const struct analysis *analysis, size_t *count)
{
	const struct finding **shown = memory_array(analysis->finding_count, sizeof(*shown));

	*count = 0;
	for (size_t i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			shown[(*count)++] = &analysis->findings[i];
	return shown;
}

struct edits *whatif_edits_with(const struct analysis *analysis, enum doubt doubt)
{
	size_t count;
	const struct finding **shown = whatif_shown(analysis, &count);
	struct edits *edits = count ? edit(analysis, shown, count, doubt) : NULL;

	free(shown);
	return edits;
}

struct edits *whatif_edits(const struct analysis *analysis)
{
	return whatif_edits_with(analysis, DOUBT_WEIGH);
}

/* What a later pass found can be added to what the first one did, as far as the run has it. */
static int64_t add_later(const struct analysis *analysis, const struct finding *const *findings,
			 size_t count, const struct bound_change *change, int64_t bound_ns)
{
	int64_t later_ns = 0;

	for (size_t i = 0; i < count; i++)
		later_ns += findings[i]->later_ns;
	if (!later_ns)
		return bound_ns;
	return max_ns(bound_ns, min_ns(bound_ns + later_ns, bound_spare(analysis->model, change)));
}

/* The bound with the findings' edits. Where both constraints of the device fall, what either of
 * them delayed counts. */
static int64_t bound_with(const struct analysis *analysis, const struct finding *const *findings,
			  size_t count, const struct edits *edits, bool fills_tails)
{
	struct bound_change change = bound_change_of(analysis->model, edits);
	bool is_both = count > 1 && change.frees_stream && change.frees_barrier;
	size_t span_count = 0, n = 0;
	struct span *spans;
	int64_t bound_ns;

	for (size_t i = 0; i < count; i++)
		span_count += findings[i]->instance_count;
	spans = memory_array(span_count, sizeof(*spans));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < findings[i]->instance_count; k++)
			if (!findings[i]->instances[k].is_later)
				spans[n++] = is_both ? findings[i]->instances[k].reach_of_both
						     : findings[i]->instances[k].reach;
	change.fills_tails = fills_tails;
	bound_ns = bound_saving(analysis->model, spans, n, &change);
	free(spans);
	return add_later(analysis, findings, count, &change, bound_ns);
}

int64_t whatif_bound(const struct analysis *analysis, const struct finding *const *findings,
		     size_t count, bool fills_tails)
{
	struct edits *edits = edit(analysis, findings, count, DOUBT_WEIGH);
	int64_t bound_ns = bound_with(analysis, findings, count, edits, fills_tails);

	edits_free(edits);
	return bound_ns;
}

/* By how much the replay with the edits is shorter than one of so long. */
static int64_t saving(const struct analysis *analysis, const struct edits *edits, int64_t before_ns)
{
	int64_t replayed_ns = timeline_replay(analysis->timeline, edits);

	return replayed_ns < 0 ? 0 : max_ns(0, before_ns - replayed_ns);
}

/* Without the tracer, where that is known, as every replay with edits is. */
static int64_t unedited_ns(const struct analysis *analysis)
{
	return (analysis->has_untraced ? analysis->untraced_ns : analysis->replayed_ns) -
	       analysis->outside_ns;
}

/* So much of the saving is uncertain even where no dependence is: it consists of operations that
 * run beside others, and of calls that are gone, and their times vary. */
static int64_t spread_of(const struct analysis *analysis, const struct spread_calls *calls,
			 int64_t saved_ns)
{
	int64_t by_calls_ns = min_ns(saved_ns, calls->gone_ns);
	double of_calls_ns = calls->gone_ns > 0 ? (double)by_calls_ns * (double)calls->spread_ns /
							  (double)calls->gone_ns
						: 0;

	return (int64_t)((double)(saved_ns - by_calls_ns) * analysis->spread + of_calls_ns);
}

static bool all_have_edits(const struct finding *const *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!findings[i]->detector->apply)
			return false;
	return true;
}

/* What whatif_saving() does at the same time: an end's edits, then replays and a bound with them. */
struct weighing {
	const struct analysis *analysis;
	const struct finding *const *findings;
	size_t count;
	struct edits *edits[DOUBT_DROP + 1];	   /* by enum doubt */
	struct spread_calls calls[DOUBT_DROP + 1]; /* likewise; not of the estimate */
	/* What the replays save; of ends without a replay of their own the estimate. */
	int64_t kept_ns, weighed_ns, dropped_ns;
	int64_t bound_ns; /* with fills_tails, without doubt */
};

static void make_edits(void *context, size_t doubt)
{
	struct weighing *weighing = context;
	const struct analysis *analysis = weighing->analysis;

	weighing->edits[doubt] =
		edit(analysis, weighing->findings, weighing->count, (enum doubt)doubt);
	if (doubt != DOUBT_WEIGH)
		weighing->calls[doubt] = spread_measure_gone(
			analysis->model->trace, weighing->edits[doubt], analysis->evidence);
}

/* Where nothing is doubtful an end is the same replay once more. */
static bool has_own_replay(const struct weighing *weighing, enum doubt doubt)
{
	return !edits_equal(weighing->edits[DOUBT_WEIGH], weighing->edits[doubt],
			    weighing->analysis->model);
}

enum weighing_part { ESTIMATE, HIGH_END, LOW_END, HIGH_BOUND, PART_COUNT };

static void weigh_part(void *context, size_t part)
{
	struct weighing *weighing = context;
	const struct analysis *analysis = weighing->analysis;
	struct edits *const *edits = weighing->edits;

	switch ((enum weighing_part)part) {
	case ESTIMATE:
		weighing->weighed_ns = saving(analysis, edits[DOUBT_WEIGH], unedited_ns(analysis));
		break;
	case HIGH_END:
		if (has_own_replay(weighing, DOUBT_DROP))
			weighing->dropped_ns =
				saving(analysis, edits[DOUBT_DROP], unedited_ns(analysis));
		break;
	case LOW_END:
		if (has_own_replay(weighing, DOUBT_KEEP))
			weighing->kept_ns =
				saving(analysis, edits[DOUBT_KEEP], unedited_ns(analysis));
		break;
	case HIGH_BOUND:
		weighing->bound_ns = bound_with(analysis, weighing->findings, weighing->count,
						edits[DOUBT_DROP], true);
		break;
	case PART_COUNT:
		break;
	}
}

/* The most that a high end may be: the bound with fills_tails; and what the replay saves, where
 * that is more: the order in which engines take what is ready changes, and a fix frees more than
 * its instances. No schedule saves more than the run has to spare. */
static int64_t high_cap(const struct weighing *weighing, int64_t replayed_ns)
{
	const struct model *model = weighing->analysis->model;
	struct bound_change change;

	if (replayed_ns <= weighing->bound_ns)
		return weighing->bound_ns;
	change = bound_change_of(model, weighing->edits[DOUBT_DROP]);
	change.fills_tails = true;
	return max_ns(weighing->bound_ns, min_ns(replayed_ns, bound_spare(model, &change)));
}

/* The same replay with what the trace leaves open for the better, against such a replay without the
 * fixes. */
static int64_t replay_best_case(const struct weighing *weighing)
{
	struct edits edits = *weighing->edits[DOUBT_DROP]; /* and its arrays */

	edits.is_best_case = true;
	return saving(weighing->analysis, &edits, weighing->analysis->best_case_ns);
}

/* The larger of two replays without doubtful dependences: as they are else, and in the best case, which
 * can matter only where the first does not reach the cap. Where no replay can show a fix, the cap. */
static int64_t high_end(const struct weighing *weighing)
{
	const struct analysis *analysis = weighing->analysis;
	const struct spread_calls *calls = &weighing->calls[DOUBT_DROP];
	/* Engines that take what is ready first can do worse with less to wait for. */
	int64_t replayed_ns = max_ns(weighing->weighed_ns, weighing->dropped_ns);
	int64_t cap_ns = high_cap(weighing, replayed_ns);

	if (!all_have_edits(weighing->findings, weighing->count))
		return cap_ns;
	/* No more than the run. */
	cap_ns = max_ns(cap_ns, min_ns(cap_ns + calls->spread_ns, unedited_ns(analysis)));
	if (replayed_ns + spread_of(analysis, calls, replayed_ns) >= cap_ns)
		return cap_ns;
	replayed_ns = max_ns(replayed_ns, replay_best_case(weighing));
	return min_ns(replayed_ns + spread_of(analysis, calls, replayed_ns), cap_ns);
}

static int64_t low_end(const struct weighing *weighing)
{
	int64_t replayed_ns =
		weighing->kept_ns == NOT_REPLAYED ? weighing->weighed_ns : weighing->kept_ns;

	return replayed_ns -
	       spread_of(weighing->analysis, &weighing->calls[DOUBT_KEEP], replayed_ns);
}

struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count, int64_t bound_ns)
{
	struct interval saved = {0, bound_ns, bound_ns};
	struct weighing weighing = {.analysis = analysis,
				    .findings = findings,
				    .count = count,
				    .kept_ns = NOT_REPLAYED,
				    .dropped_ns = NOT_REPLAYED};

	if (!analysis->has_estimates || bound_ns <= 0)
		return saved;
	parallel_run(DOUBT_DROP + 1, make_edits, &weighing);
	parallel_run(PART_COUNT, weigh_part, &weighing);
	saved.estimate_ns = min_ns(weighing.weighed_ns, bound_ns);
	saved.low_ns = min_ns(low_end(&weighing), saved.estimate_ns);
	saved.high_ns = max_ns(high_end(&weighing), saved.estimate_ns);
	for (size_t i = 0; i <= DOUBT_DROP; i++)
		edits_free(weighing.edits[i]);
	return saved;
}

/* An estimate's bound and its replay, at the same time. */
struct estimating {
	const struct analysis *analysis;
	const struct finding *const *findings;
	size_t count;
	const struct edits *edits;
	struct timeline_times *times;
	int64_t replayed_ns, bound_ns;
};

static void estimate_part(void *context, size_t part)
{
	struct estimating *estimating = context;
	const struct analysis *analysis = estimating->analysis;
	const struct timeline *timeline = analysis->timeline;

	if (part == 1)
		estimating->bound_ns = bound_with(analysis, estimating->findings, estimating->count,
						  estimating->edits, false);
	else if (estimating->times)
		estimating->replayed_ns =
			timeline_replay_times(timeline, estimating->edits, estimating->times);
	else
		estimating->replayed_ns = timeline_replay(timeline, estimating->edits);
}

int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times)
{
	struct edits *edits = edit(analysis, findings, count, DOUBT_WEIGH);
	struct estimating estimating = {.analysis = analysis,
					.findings = findings,
					.count = count,
					.edits = edits,
					.times = times};

	parallel_run(2, estimate_part, &estimating);
	edits_free(edits);
	return estimating.replayed_ns < 0
		       ? 0
		       : min_ns(estimating.bound_ns,
				max_ns(0, unedited_ns(analysis) - estimating.replayed_ns));
}

int64_t whatif_estimate_beside(const struct analysis *analysis, const struct finding **with,
			       size_t count, int64_t before_ns, const struct finding *finding)
{
	with[count] = finding;
	return whatif_estimate(analysis, with, count + 1, NULL) - before_ns;
}

struct interval whatif_beside(const struct analysis *analysis, const struct finding **with,
			      size_t count, struct interval before, const struct finding *finding,
			      int64_t most_ns)
{
	struct interval both;

	with[count] = finding;
	both = whatif_saving(analysis, with, count + 1,
			     whatif_bound(analysis, with, count + 1, false));
	both.estimate_ns -= before.estimate_ns;
	both.high_ns = max_ns(both.estimate_ns, min_ns(both.high_ns - before.high_ns, most_ns));
	both.low_ns -= before.low_ns;
	if (both.low_ns > both.estimate_ns)
		both.low_ns = both.estimate_ns;
	if (both.low_ns < 0)
		both.low_ns = 0;
	return both;
}

bool whatif_is_open(const struct analysis *analysis, const struct finding *finding)
{
	const struct model *model = analysis->model;
	struct edits *edits;
	bool is_open = !finding->detector->apply;

	if (is_open)
		return true;
	edits = edit(analysis, &finding, 1, DOUBT_WEIGH);
	for (size_t i = 0; !is_open && i < model->trace->operation_count; i++)
		is_open =
			edits->operations[i] & EDIT_PIN &&
			model->pinned_copies[model->trace->operations[i].engine].bytes_per_ns <= 0;
	edits_free(edits);
	return is_open;
}

static void find_waiter(struct whatif *whatif, const struct trace *trace,
			const struct timeline_times *times)
{
	for (size_t i = 0; i < trace->call_count; i++) {
		if (times->waited_ns[i] <= whatif->waits_ns)
			continue;
		whatif->waiter = &trace->calls[i];
		whatif->waits_ns = times->waited_ns[i];
		whatif->waits_since_ns = times->calls[i].start_ns;
	}
}

struct whatif whatif_replay(const struct analysis *analysis, const struct finding *const *findings,
			    size_t count)
{
	const struct trace *trace = analysis->model->trace;
	int64_t bound_ns = whatif_bound(analysis, findings, count, false);
	struct edits *edits = edit(analysis, findings, count, DOUBT_WEIGH);
	struct timeline_times times;
	int64_t replayed_ns = timeline_replay_times(analysis->timeline, edits, &times);
	struct whatif whatif = {.saved = whatif_saving(analysis, findings, count, bound_ns)};

	headline_measure_spans(&whatif.headline, trace, times.operations,
			       replayed_ns + analysis->outside_ns);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		if (whatif.headline.busy_ns[engine] > whatif.headline.busy_ns[whatif.busiest])
			whatif.busiest = (enum engine)engine;
	find_waiter(&whatif, trace, &times);
	timeline_times_free(&times);
	edits_free(edits);
	return whatif;
}
