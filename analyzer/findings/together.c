#include "findings/together.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "findings/finding.h"
#include "findings/interval_private.h"
#include "findings/whatif_run.h"
#include "replay/timeline.h"

#include <stdlib.h>
#include <string.h>

static int compare_candidates(const void *a, const void *b)
{
	const struct finding *const *x = a, *const *y = b;

	if ((*x)->blocked_ns != (*y)->blocked_ns)
		return (*x)->blocked_ns < (*y)->blocked_ns ? 1 : -1;
	return ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

/* What need not be there at all, by its low end, has to save twice as much. */
static bool saves_little(const struct analysis *analysis, const struct finding *finding)
{
	int64_t saved_ns = finding->replayed->estimate_ns;

	return finding_is_short(analysis, finding->replayed->low_ns > 0 ? saved_ns : saved_ns / 2);
}

/* Those with little alone, the longest waits first; freed with free(). */
static struct finding **find_candidates(const struct analysis *analysis, struct findings *findings,
					size_t *count)
{
	struct finding **candidates = memory_array(findings->count, sizeof(*candidates));

	*count = 0;
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *finding = &findings->items[i];

		if (!finding->is_folded && saves_little(analysis, finding) &&
		    !whatif_is_open(analysis, finding))
			candidates[(*count)++] = finding;
	}
	if (*count)
		qsort(candidates, *count, sizeof(*candidates), compare_candidates);
	return candidates;
}

/* What two choices of findings save, estimated at the same time. */
struct choices {
	const struct analysis *analysis;
	const struct finding **shown[2];
	size_t counts[2];
	int64_t saved_ns[2];
};

/* Those that are not folded now. */
static void choose_shown(struct choices *choices, const struct findings *findings, size_t index)
{
	choices->shown[index] = whatif_shown(findings, &choices->counts[index]);
}

static void estimate_choice(void *context, size_t index)
{
	struct choices *choices = context;

	choices->saved_ns[index] = 0;
	if (choices->counts[index])
		choices->saved_ns[index] = whatif_estimate(choices->analysis, choices->shown[index],
							   choices->counts[index], NULL);
	free(choices->shown[index]);
}

static void fold_findings(struct finding *const *findings, size_t count, bool is_folded)
{
	for (size_t i = 0; i < count; i++)
		findings[i]->is_folded = is_folded;
}

/* Whether its constraint limits the run only once other fixes are applied: it saves nothing before, or then
 * more than its waits in the trace lasted. Where it is less they go on elsewhere, as together_order() tells. */
static bool is_later(const struct analysis *analysis, const struct finding *finding,
		     int64_t beside_ns)
{
	return (beside_ns > finding->blocked_ns || finding->replayed->estimate_ns <= 0) &&
	       !finding_is_short(analysis, beside_ns);
}

/* The findings of the first pass that save something alone, to be freed. */
static const struct finding **find_first(const struct analysis *analysis,
					 const struct findings *findings, size_t *count)
{
	const struct finding **first = memory_array(findings->count + 1, sizeof(*first));

	*count = 0;
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];

		if (!finding->is_folded && finding->pass == 1 && !saves_little(analysis, finding))
			first[(*count)++] = finding;
	}
	return first;
}

/* What candidates save beside the findings that save something alone, by the estimate. */
struct besides {
	const struct analysis *analysis;
	const struct finding **first;
	size_t first_count;
	struct finding *const *candidates;
	/* What those save by the estimate; from 1 on with one of the candidates, too, but not with a
	 * folded one. */
	int64_t *estimates_ns;
};

static void estimate_beside(void *context, size_t index)
{
	const struct besides *besides = context;
	const struct finding **with;
	size_t count = besides->first_count;

	if (index > 0 && besides->candidates[index - 1]->is_folded)
		return;
	with = memory_array(count + 1, sizeof(*with));
	for (size_t i = 0; i < count; i++)
		with[i] = besides->first[i];
	if (index > 0)
		with[count++] = besides->candidates[index - 1];
	besides->estimates_ns[index] = whatif_estimate(besides->analysis, with, count, NULL);
	free(with);
}

/* Those that count later; freed with free(). */
static struct finding **find_later(const struct besides *besides, size_t count, size_t *later_count)
{
	struct finding **later = memory_array(count, sizeof(*later));

	*later_count = 0;
	for (size_t i = 0; i < count; i++)
		if (!besides->candidates[i]->is_folded &&
		    is_later(besides->analysis, besides->candidates[i],
			     besides->estimates_ns[i + 1] - besides->estimates_ns[0]))
			later[(*later_count)++] = besides->candidates[i];
	return later;
}

/* Weighs the remaining findings that save little alone, beside the fixes of the others. By the
 * estimate first: both ends need replays of their own. */
static void weigh_beside(const struct analysis *analysis, const struct findings *findings,
			 struct finding *const *candidates, size_t count)
{
	struct besides besides = {.analysis = analysis, .candidates = candidates};
	struct interval *saved;
	struct finding **later;
	size_t later_count;

	besides.first = find_first(analysis, findings, &besides.first_count);
	besides.estimates_ns = memory_array(count + 1, sizeof(*besides.estimates_ns));
	parallel_run(count + 1, estimate_beside, &besides);
	later = find_later(&besides, count, &later_count);
	saved = memory_array(later_count, sizeof(*saved));
	if (later_count)
		whatif_beside(analysis, besides.first, besides.first_count,
			      (const struct finding *const *)later, later_count, saved);
	for (size_t i = 0; i < later_count; i++) {
		*later[i]->replayed = saved[i];
		later[i]->pass = 2;
	}
	free(saved);
	free(later);
	free(besides.estimates_ns);
	free(besides.first);
}

/* Folds those that the rest can do without, the shortest waits first. with_ns: what all save. Of each
 * other one the estimate is made beside that of the one before, as if that will be folded, as most are. */
static void fold_needless(struct choices *choices, const struct findings *findings,
			  struct finding *const *candidates, size_t count, int64_t with_ns)
{
	bool is_known = false; /* the estimate, as choice 1 */

	for (size_t i = count; i-- > 0;) {
		int64_t rest_ns = choices->saved_ns[1];
		bool goes_on = !is_known && i > 0 && parallel_workers() > 1;

		candidates[i]->is_folded = true;
		if (!is_known) {
			choose_shown(choices, findings, 0);
			if (goes_on) {
				candidates[i - 1]->is_folded = true;
				choose_shown(choices, findings, 1);
				candidates[i - 1]->is_folded = false;
			}
			parallel_run(goes_on ? 2 : 1, estimate_choice, choices);
			rest_ns = choices->saved_ns[0];
		}
		candidates[i]->is_folded = finding_is_short(choices->analysis, with_ns - rest_ns);
		if (candidates[i]->is_folded)
			with_ns = rest_ns;
		is_known = goes_on && candidates[i]->is_folded;
	}
}

void together_fold(const struct analysis *analysis, struct findings *findings)
{
	struct choices choices = {.analysis = analysis};
	size_t count, most;
	struct finding **candidates = find_candidates(analysis, findings, &count);

	most = count < TOGETHER_MOST_CANDIDATES ? count : TOGETHER_MOST_CANDIDATES;
	fold_findings(candidates, count, true);
	if (most) {
		choose_shown(&choices, findings, 0);
		fold_findings(candidates, most, false);
		choose_shown(&choices, findings, 1);
		parallel_run(2, estimate_choice, &choices);
	}
	if (finding_is_short(analysis, choices.saved_ns[1] - choices.saved_ns[0])) {
		fold_findings(candidates, most, true);
		most = 0;
	}
	fold_needless(&choices, findings, candidates, most, choices.saved_ns[1]);
	if (most)
		weigh_beside(analysis, findings, candidates, most);
	free(candidates);
}

/* The list while its fixes are applied one after the other. */
struct ordering {
	const struct analysis *analysis;
	struct in_order *rows; /* by finding */
	size_t shown;	       /* the first of analysis->findings.items */
	struct map owners;     /* calls to the indexes of the shown findings that they belong to */
	int64_t *before_ns;    /* by call: how long it waits with the fixes so far */
	int64_t *moved_ns;     /* by finding: how much longer its calls wait with the next fix */
};

static void note_calls(struct ordering *ordering, const struct trace *trace,
		       const struct finding *part, size_t index)
{
	for (size_t i = 0; i < part->instance_count; i++)
		if (part->instances[i].call)
			map_add(&ordering->owners,
				(uint64_t)(part->instances[i].call - trace->calls), index);
}

static void note_owners(struct ordering *ordering)
{
	const struct trace *trace = ordering->analysis->observed.model->trace;

	for (size_t i = 0; i < ordering->shown; i++) {
		const struct finding *finding = &ordering->analysis->findings.items[i];

		for (size_t k = 0; k < finding_part_count(finding); k++)
			note_calls(ordering, trace, finding_part(finding, k), i);
	}
}

/* Where the wait of a finding goes on: in calls of one below it. */
static void find_move(struct ordering *ordering, size_t index, const int64_t *waited_ns)
{
	const struct analysis *analysis = ordering->analysis;
	const struct trace *trace = analysis->observed.model->trace;
	struct in_order *row = &ordering->rows[index];

	memset(ordering->moved_ns, 0, ordering->shown * sizeof(*ordering->moved_ns));
	for (size_t i = 0; i < trace->call_count; i++) {
		int64_t longer_ns = waited_ns[i] - ordering->before_ns[i];
		size_t owner = longer_ns > 0 ? map_find(&ordering->owners, i) : MAP_NONE;

		if (owner != MAP_NONE && owner > index)
			ordering->moved_ns[owner] +=
				trace_weigh_ns(trace, trace->calls[i].start_ns, longer_ns);
	}
	for (size_t i = index + 1; i < ordering->shown; i++) {
		if (ordering->moved_ns[i] <= row->moved_ns ||
		    finding_is_short(analysis, ordering->moved_ns[i]))
			continue;
		row->moves_to = i;
		row->moved_ns = ordering->moved_ns[i];
	}
}

/* A wait goes on elsewhere where more of it does than the fix saves. */
static void keep_order(struct in_order *row, int64_t more_ns)
{
	row->saved_ns = max_ns(0, more_ns);
	if (row->moved_ns <= row->saved_ns)
		row->moved_ns = 0;
}

/* A replay with the fixes of the first findings of the list. */
struct listed {
	const struct analysis *analysis;
	const struct finding *const *first;
	size_t count;
	struct timeline_times times;
	int64_t saved_ns;
};

static void replay_first(void *context, size_t index)
{
	struct listed *listed = (struct listed *)context + index;

	listed->saved_ns =
		whatif_estimate(listed->analysis, listed->first, listed->count, &listed->times);
}

/* The next one in the list, after the one that saved so much. */
static void take_listed(struct ordering *ordering, struct listed *listed, int64_t before_ns)
{
	find_move(ordering, listed->count - 1, listed->times.waited_ns);
	memcpy(ordering->before_ns, listed->times.waited_ns,
	       ordering->analysis->observed.model->trace->call_count *
		       sizeof(*ordering->before_ns));
	timeline_times_free(&listed->times);
	keep_order(&ordering->rows[listed->count - 1], listed->saved_ns - before_ns);
}

/* Replays the list's prefixes, at most as many at a time as there are processors, because each
 * keeps the times of all calls. The whole list gives the whole saving. */
static void replay_list(struct ordering *ordering)
{
	const struct analysis *analysis = ordering->analysis;
	const struct finding **first = memory_array(ordering->shown, sizeof(*first));
	size_t at_once = parallel_workers(), most = ordering->shown - 1;
	struct listed *listed = memory_array(at_once, sizeof(*listed));
	int64_t before_ns = 0;

	for (size_t i = 0; i < ordering->shown; i++)
		first[i] = &analysis->findings.items[i];
	most = most < TOGETHER_MOST_IN_ORDER ? most : TOGETHER_MOST_IN_ORDER;
	for (size_t done = 0; done < most; done += at_once) {
		size_t count = most - done < at_once ? most - done : at_once;

		for (size_t i = 0; i < count; i++)
			listed[i] = (struct listed){
				.analysis = analysis, .first = first, .count = done + i + 1};
		parallel_run(count, replay_first, listed);
		for (size_t i = 0; i < count; i++) {
			take_listed(ordering, &listed[i], before_ns);
			before_ns = listed[i].saved_ns;
		}
	}
	if (ordering->shown <= TOGETHER_MOST_IN_ORDER)
		keep_order(&ordering->rows[most],
			   analysis->findings.replayed->estimate_ns - before_ns);
	free(listed);
	free(first);
}

struct in_order *together_order(const struct analysis *analysis)
{
	const struct findings *findings = &analysis->findings;
	const struct trace *trace = analysis->observed.model->trace;
	struct ordering ordering = {.analysis = analysis,
				    .rows = memory_array(findings->count, sizeof(*ordering.rows)),
				    .shown = 0};
	struct timeline_times times;
	struct edits *none;

	for (size_t i = 0; i < findings->count; i++) {
		ordering.rows[i].saved_ns = -1;
		ordering.shown += !findings->items[i].is_folded && !findings->items[i].costs_ns;
	}
	if (!ordering.shown || !analysis->check.has_estimates)
		return ordering.rows;
	if (ordering.shown == 1) {
		ordering.rows[0].saved_ns = findings->replayed->estimate_ns;
		return ordering.rows;
	}
	none = edits_create(analysis->observed.model);
	ordering.before_ns = memory_array(trace->call_count, sizeof(*ordering.before_ns));
	ordering.moved_ns = memory_array(ordering.shown, sizeof(*ordering.moved_ns));
	timeline_replay_times(analysis->observed.timeline, none, &times);
	edits_free(none);
	memcpy(ordering.before_ns, times.waited_ns, trace->call_count * sizeof(int64_t));
	timeline_times_free(&times);
	note_owners(&ordering);
	replay_list(&ordering);
	/* Nothing is above the first, and its own estimate is capped by its bound. */
	ordering.rows[0].saved_ns = findings->items[0].replayed->estimate_ns;
	map_free(&ordering.owners);
	free(ordering.moved_ns);
	free(ordering.before_ns);
	return ordering.rows;
}
