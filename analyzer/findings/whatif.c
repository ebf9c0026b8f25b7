#include "findings/whatif.h"

#include "detectors/detector.h"
#include "findings/headline.h"
#include "findings/spread.h"
#include "replay/bound.h"
#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

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

/* The most that a high end may be: the bound with fills_tails; and what the replay saves, where
 * that is more: the order in which engines take what is ready changes, and a fix frees more than
 * its instances. No schedule saves more than the run has to spare. */
static int64_t high_cap(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, const struct edits *edits, int64_t replayed_ns)
{
	struct bound_change change = bound_change_of(analysis->model, edits);
	int64_t bound_ns = bound_with(analysis, findings, count, edits, true);

	change.fills_tails = true;
	return replayed_ns <= bound_ns
		       ? bound_ns
		       : max_ns(bound_ns,
				min_ns(replayed_ns, bound_spare(analysis->model, &change)));
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

/* The larger of two replays without doubtful dependences: as they are else; and with what the trace
 * leaves open for the better, against such a replay without the fixes. Where no replay can show a
 * fix, the cap. */
static int64_t high_end(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, const struct edits *weighed, int64_t estimated_ns)
{
	struct edits *edits = edit(analysis, findings, count, DOUBT_DROP);
	struct spread_calls calls =
		spread_measure_gone(analysis->model->trace, edits, analysis->evidence);
	int64_t replayed_ns = estimated_ns, cap_ns;

	/* Engines that take what is ready first can do worse with less to wait for. */
	if (!edits_equal(weighed, edits, analysis->model))
		replayed_ns = max_ns(replayed_ns, saving(analysis, edits, unedited_ns(analysis)));
	cap_ns = high_cap(analysis, findings, count, edits, replayed_ns);
	edits->is_best_case = true;
	replayed_ns = max_ns(replayed_ns, saving(analysis, edits, analysis->best_case_ns));
	edits_free(edits);
	if (!all_have_edits(findings, count))
		return cap_ns;
	/* No more than the run. */
	cap_ns = max_ns(cap_ns, min_ns(cap_ns + calls.spread_ns, unedited_ns(analysis)));
	return min_ns(replayed_ns + spread_of(analysis, &calls, replayed_ns), cap_ns);
}

static int64_t low_end(const struct analysis *analysis, const struct finding *const *findings,
		       size_t count, const struct edits *weighed, int64_t estimated_ns)
{
	struct edits *edits = edit(analysis, findings, count, DOUBT_KEEP);
	struct spread_calls calls =
		spread_measure_gone(analysis->model->trace, edits, analysis->evidence);
	int64_t replayed_ns = estimated_ns;

	/* Where nothing is doubtful the low end is the same replay once more. */
	if (!edits_equal(weighed, edits, analysis->model))
		replayed_ns = saving(analysis, edits, unedited_ns(analysis));
	edits_free(edits);
	return replayed_ns - spread_of(analysis, &calls, replayed_ns);
}

struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count, int64_t bound_ns)
{
	struct interval saved = {0, bound_ns, bound_ns};
	struct edits *weighed;
	int64_t replayed_ns;

	if (!analysis->has_estimates || bound_ns <= 0)
		return saved;
	weighed = edit(analysis, findings, count, DOUBT_WEIGH);
	replayed_ns = saving(analysis, weighed, unedited_ns(analysis));
	saved.estimate_ns = min_ns(replayed_ns, bound_ns);
	saved.low_ns =
		min_ns(low_end(analysis, findings, count, weighed, replayed_ns), saved.estimate_ns);
	saved.high_ns = max_ns(high_end(analysis, findings, count, weighed, replayed_ns),
			       saved.estimate_ns);
	edits_free(weighed);
	return saved;
}

int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times)
{
	struct edits *edits = edit(analysis, findings, count, DOUBT_WEIGH);
	int64_t bound_ns = bound_with(analysis, findings, count, edits, false);
	int64_t replayed_ns = times ? timeline_replay_times(analysis->timeline, edits, times)
				    : timeline_replay(analysis->timeline, edits);

	edits_free(edits);
	return replayed_ns < 0 ? 0
			       : min_ns(bound_ns, max_ns(0, unedited_ns(analysis) - replayed_ns));
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
