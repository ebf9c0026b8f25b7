#include "findings/whatif_range.h"

#include "base/minmax.h"
#include "base/parallel.h"
#include "detectors/detector.h"
#include "findings/interval_private.h"
#include "findings/spread.h"
#include "findings/whatif_edits.h"
#include "replay/edits/bound.h"
#include "replay/timeline.h"

/* A saving that is not there: all that are there are at least 0. */
enum { NOT_REPLAYED = -1 };

/* By how much the replay with the edits is shorter than one of so long. */
static int64_t saving_of(const struct analysis *analysis, const struct edits *edits,
			 int64_t before_ns)
{
	int64_t replayed_ns = timeline_replay(analysis->observed.timeline, edits);

	return replayed_ns < 0 ? 0 : max_ns(0, before_ns - replayed_ns);
}

/* How much of the saving is uncertain even if all dependences are sure: it comes from operations
 * that run beside others, and from removed calls, and their durations vary. */
static int64_t spread_of(const struct analysis *analysis, const struct spread_calls *calls,
			 int64_t saved_ns)
{
	int64_t by_calls_ns = min_ns(saved_ns, calls->gone_ns);
	double of_calls_ns = calls->gone_ns > 0 ? (double)by_calls_ns * (double)calls->spread_ns /
							  (double)calls->gone_ns
						: 0;

	return (int64_t)((double)(saved_ns - by_calls_ns) * analysis->check.spread + of_calls_ns);
}

static bool all_have_edits(const struct finding *const *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!findings[i]->detector->apply)
			return false;
	return true;
}

/* The jobs that whatif_saving() runs at the same time: making an end's edits, then replays and a
 * bound with them. */
struct weighing {
	const struct analysis *analysis;
	const struct finding *const *findings;
	size_t count;
	struct edits *edits[DOUBT_DROP + 1];	   /* by enum doubt */
	struct spread_calls calls[DOUBT_DROP + 1]; /* likewise; not of the estimate */
	/* What the replays save; of ends without a replay of their own the estimate. */
	int64_t kept_ns, weighed_ns, dropped_ns;
	int64_t bound_ns; /* with fills_tails, without doubt */
	int64_t most_ns;  /* only for whatif_weigh(): whatif_bound() without fills_tails */
};

static void make_edits(void *context, size_t doubt)
{
	struct weighing *weighing = context;
	const struct analysis *analysis = weighing->analysis;

	weighing->edits[doubt] =
		whatif_make_edits(analysis, weighing->findings, weighing->count, (enum doubt)doubt);
	if (doubt != DOUBT_WEIGH)
		weighing->calls[doubt] =
			spread_measure_gone(analysis->observed.model->trace, analysis->spread_order,
					    weighing->edits[doubt]);
}

/* Where nothing is doubtful an end is the same replay once more. */
static bool has_own_replay(const struct weighing *weighing, enum doubt doubt)
{
	return !edits_equal(weighing->edits[DOUBT_WEIGH], weighing->edits[doubt],
			    weighing->analysis->observed.model);
}

enum weighing_part { ESTIMATE, HIGH_END, LOW_END, HIGH_BOUND, BOUND, PART_COUNT };

static void weigh_part(void *context, size_t part)
{
	struct weighing *weighing = context;
	const struct analysis *analysis = weighing->analysis;
	struct edits *const *edits = weighing->edits;

	switch ((enum weighing_part)part) {
	case ESTIMATE:
		weighing->weighed_ns =
			saving_of(analysis, edits[DOUBT_WEIGH], whatif_unedited_ns(analysis));
		break;
	case HIGH_END:
		if (has_own_replay(weighing, DOUBT_DROP))
			weighing->dropped_ns = saving_of(analysis, edits[DOUBT_DROP],
							 whatif_unedited_ns(analysis));
		break;
	case LOW_END:
		if (has_own_replay(weighing, DOUBT_KEEP))
			weighing->kept_ns = saving_of(analysis, edits[DOUBT_KEEP],
						      whatif_unedited_ns(analysis));
		break;
	case HIGH_BOUND:
		weighing->bound_ns = whatif_bound_with(analysis, weighing->findings,
						       weighing->count, edits[DOUBT_DROP], true);
		break;
	case BOUND:
		weighing->most_ns = whatif_bound_with(analysis, weighing->findings, weighing->count,
						      edits[DOUBT_WEIGH], false);
		break;
	case PART_COUNT:
		break;
	}
}

/* The most that a high end may be: the bound with fills_tails, or what the replay saves if that is
 * more (the order in which engines take tasks changes, and a fix frees more than its instances);
 * but never more than the run has to spare. */
static int64_t high_cap(const struct weighing *weighing, int64_t replayed_ns)
{
	const struct model *model = weighing->analysis->observed.model;
	struct bound_change change;

	if (replayed_ns <= weighing->bound_ns)
		return weighing->bound_ns;
	change = bound_change_of(model, weighing->edits[DOUBT_DROP]);
	change.fills_tails = true;
	return max_ns(weighing->bound_ns, min_ns(replayed_ns, bound_spare(model, &change)));
}

/* The saving of a replay with everything open decided for the better, compared with such a replay
 * without the fixes. */
static int64_t replay_best_case(const struct weighing *weighing)
{
	struct edits edits = *weighing->edits[DOUBT_DROP]; /* and its arrays */

	edits.is_best_case = true;
	return saving_of(weighing->analysis, &edits, weighing->analysis->check.best_case_ns);
}

/* The larger saving of two replays without doubtful dependences: an ordinary one, and a best case,
 * which matters only if the first does not reach the cap. If no replay can show a fix: the cap. */
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
	cap_ns = max_ns(cap_ns, min_ns(cap_ns + calls->spread_ns, whatif_unedited_ns(analysis)));
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

static struct weighing begin_weighing(const struct analysis *analysis,
				      const struct finding *const *findings, size_t count)
{
	return (struct weighing){.analysis = analysis,
				 .findings = findings,
				 .count = count,
				 .kept_ns = NOT_REPLAYED,
				 .dropped_ns = NOT_REPLAYED};
}

/* most_ns: the bound. */
static struct interval end_weighing(const struct weighing *weighing, int64_t most_ns)
{
	struct interval saved = {.estimate_ns = min_ns(weighing->weighed_ns, most_ns)};

	saved.low_ns = min_ns(low_end(weighing), saved.estimate_ns);
	saved.high_ns = max_ns(high_end(weighing), saved.estimate_ns);
	return saved;
}

static void free_edits(const struct weighing *weighing)
{
	for (size_t i = 0; i <= DOUBT_DROP; i++)
		edits_free(weighing->edits[i]);
}

struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count, int64_t bound_ns)
{
	struct weighing weighing = begin_weighing(analysis, findings, count);
	struct interval saved = {0, bound_ns, bound_ns};

	if (!analysis->check.has_estimates || bound_ns <= 0)
		return saved;
	parallel_run(DOUBT_DROP + 1, make_edits, &weighing);
	parallel_run(BOUND, weigh_part, &weighing);
	saved = end_weighing(&weighing, bound_ns);
	free_edits(&weighing);
	return saved;
}

struct interval whatif_weigh(const struct analysis *analysis, const struct finding *const *findings,
			     size_t count)
{
	struct weighing weighing = begin_weighing(analysis, findings, count);
	struct interval saved;

	parallel_run(DOUBT_DROP + 1, make_edits, &weighing);
	if (analysis->check.has_estimates && count)
		parallel_run(PART_COUNT, weigh_part, &weighing);
	else
		weigh_part(&weighing, BOUND);
	saved = (struct interval){0, weighing.most_ns, weighing.most_ns};
	if (analysis->check.has_estimates && weighing.most_ns > 0)
		saved = end_weighing(&weighing, weighing.most_ns);
	free_edits(&weighing);
	return saved;
}
