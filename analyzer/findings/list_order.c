#include "findings/list_order.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "detectors/instance.h"
#include "findings/finding.h"
#include "findings/interval_private.h"
#include "findings/whatif_run.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

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

static void sum_folded(struct findings *findings, int64_t wall_ns)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];

		if (!finding->is_folded)
			continue;
		findings->folded_count++;
		findings->folded_ns +=
			min_ns(finding->replayed->estimate_ns, wall_ns - findings->folded_ns);
	}
}

/* A finding that has no place in the list yet. */
struct candidate {
	struct finding *finding;
	/* What it saves beside all others: more than alone, if they hide its waits. */
	int64_t missing_ns;
	int64_t beside_ns; /* what it saved when it was last weighed */
	size_t weighed;	   /* how many findings were above it then */
};

/* The list while it is made. Findings above others are those that are in it already. */
struct ordering {
	const struct analysis *analysis;
	const struct finding **above; /* in the order of the list; with room for one more */
	size_t above_count;
	int64_t above_ns; /* what these save together */
	int64_t all_ns;	  /* what all save together */
	struct candidate *candidates;
	size_t count;
};

static void weigh_candidate(const struct ordering *ordering, struct candidate *candidate)
{
	candidate->weighed = ordering->above_count;
	candidate->beside_ns =
		whatif_estimate_beside(ordering->analysis, ordering->above, ordering->above_count,
				       ordering->above_ns, candidate->finding);
}

/* What the candidate is taken to save at most beside those above it, until it is weighed there. */
static int64_t expected_ns(const struct candidate *candidate)
{
	return max_ns(candidate->beside_ns, candidate->missing_ns);
}

static bool is_before_its_pass(const struct ordering *ordering, const struct finding *finding)
{
	for (size_t i = 0; i < ordering->count; i++)
		if (ordering->candidates[i].finding->pass < finding->pass)
			return true;
	return false;
}

/* Whether the weighed candidate can be the next one. A finding of a later pass that saves little
 * before all of the earlier passes are fixed stays behind those. */
static bool can_be_next(const struct ordering *ordering, const struct candidate *candidate)
{
	return !finding_is_short(ordering->analysis, candidate->beside_ns) ||
	       !is_before_its_pass(ordering, candidate->finding);
}

/* The candidate that saves most, or NONE. is_weighed: of those that were weighed beside all above
 * them and can be next; otherwise of all others, by what they are expected to save. */
static size_t find_most(const struct ordering *ordering, bool is_weighed)
{
	size_t most = NONE;
	int64_t most_ns = 0;

	for (size_t i = 0; i < ordering->count; i++) {
		const struct candidate *candidate = &ordering->candidates[i];
		int64_t saved_ns = is_weighed ? candidate->beside_ns : expected_ns(candidate);

		if ((candidate->weighed == ordering->above_count) != is_weighed ||
		    (is_weighed && !can_be_next(ordering, candidate)) ||
		    (most != NONE && saved_ns <= most_ns))
			continue;
		most = i;
		most_ns = saved_ns;
	}
	return most;
}

/* The candidate that saves most beside those above it; of equal ones the first. Weighs only
 * candidates that can be it, because each takes a replay. */
static size_t find_next(const struct ordering *ordering)
{
	const struct candidate *candidates = ordering->candidates;
	size_t next, open;

	while (true) {
		next = find_most(ordering, true);
		open = find_most(ordering, false);
		if (open == NONE)
			return next;
		if (next != NONE &&
		    (expected_ns(&candidates[open]) < candidates[next].beside_ns ||
		     (next < open && expected_ns(&candidates[open]) == candidates[next].beside_ns)))
			return next;
		weigh_candidate(ordering, &ordering->candidates[open]);
	}
}

/* What all candidates but this one save; but for none, if the index is their count. */
static int64_t estimate_without(const struct ordering *ordering, size_t index)
{
	const struct finding **others = memory_array(ordering->count, sizeof(*others));
	size_t count = 0;
	int64_t saved_ns;

	for (size_t i = 0; i < ordering->count; i++)
		if (i != index)
			others[count++] = ordering->candidates[i].finding;
	saved_ns = whatif_estimate(ordering->analysis, others, count, NULL);
	free(others);
	return saved_ns;
}

static void weigh_missing(void *context, size_t index)
{
	struct ordering *ordering = context;
	int64_t saved_ns = estimate_without(ordering, index);

	if (index < ordering->count)
		ordering->candidates[index].missing_ns = -saved_ns;
	else
		ordering->all_ns = saved_ns;
}

/* Fills in missing_ns and all_ns. What all but one save is known already where findings were joined. */
static void find_missing(struct ordering *ordering)
{
	parallel_run(ordering->count + 1, weigh_missing, ordering);
	for (size_t i = 0; i < ordering->count; i++)
		ordering->candidates[i].missing_ns += ordering->all_ns;
}

/* Weighs a finding beside those above it instead of beside all of the passes before its own, if the
 * difference is worth listing. saved_ns: the estimate of it. */
static void weigh_again(const struct ordering *ordering, struct finding *finding, int64_t saved_ns)
{
	const struct analysis *analysis = ordering->analysis;
	const struct finding *const alone[] = {finding};
	int64_t most_ns = finding->later_ns ? finding->later_ns : INT64_MAX;
	struct interval saved;

	if (!ordering->above_count)
		finding->pass = 1;
	else if (finding_is_short(analysis, llabs(saved_ns - finding->replayed->estimate_ns)))
		return;
	whatif_beside(analysis, ordering->above, ordering->above_count, alone, 1, &saved);
	saved.high_ns = max_ns(saved.estimate_ns, min_ns(saved.high_ns, most_ns));
	*finding->replayed = saved;
}

/* Whether the fix needs a step without these waits, which are in its steps: between its first and its last
 * instance, in one of ten steps at least. Those of other threads, too: a capture (of mode global, the
 * default) forbids them in all threads. */
static bool part_needs(const struct finding *part, const struct finding *waits)
{
	const struct instance *first = part->instances, *last = first + part->instance_count - 1;
	size_t inside = 0;

	if (!part->is_of_step || !finding_is_wait(waits))
		return false;
	for (size_t i = 0; i < waits->instance_count; i++) {
		int64_t start_ns = instance_start_ns(&waits->instances[i]);

		inside += start_ns > instance_start_ns(first) && start_ns < instance_start_ns(last);
	}
	return inside && inside * READBACK_EACH >= part->instance_count;
}

static bool needs_fix(const struct finding *finding, const struct finding *waits)
{
	for (size_t i = 0; i < finding_part_count(finding); i++)
		for (size_t k = 0; k < finding_part_count(waits); k++)
			if (part_needs(finding_part(finding, i), finding_part(waits, k)))
				return true;
	return false;
}

/* Of the candidates that the next one's fix needs fixed, the one that saves most; those that save little
 * stay where they are. Without one: the next one itself. */
static size_t find_needed(const struct ordering *ordering, size_t next)
{
	size_t needed = next;
	int64_t most_ns = 0;

	for (size_t i = 0; i < ordering->count; i++) {
		struct candidate *candidate = &ordering->candidates[i];

		if (i == next || !needs_fix(ordering->candidates[next].finding, candidate->finding))
			continue;
		if (candidate->weighed != ordering->above_count)
			weigh_candidate(ordering, candidate);
		if (candidate->beside_ns <= most_ns ||
		    finding_is_short(ordering->analysis, candidate->beside_ns))
			continue;
		needed = i;
		most_ns = candidate->beside_ns;
	}
	return needed;
}

static void take_next(struct ordering *ordering)
{
	size_t next = find_needed(ordering, find_next(ordering));
	struct candidate taken = ordering->candidates[next];

	for (size_t i = next; i + 1 < ordering->count; i++)
		ordering->candidates[i] = ordering->candidates[i + 1];
	ordering->count--;
	if (is_before_its_pass(ordering, taken.finding))
		weigh_again(ordering, taken.finding, taken.beside_ns);
	ordering->above[ordering->above_count++] = taken.finding;
	ordering->above_ns += taken.beside_ns;
}

/* Whether the fixes that are left make the run longer than it is with those above alone: none of them saves
 * anything beside these, and all together cost. */
static bool costs_the_rest(const struct ordering *ordering)
{
	int64_t cost_ns = ordering->above_ns - ordering->all_ns;

	return ordering->above_count && cost_ns > 0 &&
	       !finding_is_short(ordering->analysis, cost_ns) &&
	       ordering->candidates[find_next(ordering)].beside_ns <= 0;
}

static void leave_out_rest(struct ordering *ordering)
{
	for (size_t i = 0; i < ordering->count; i++) {
		struct candidate *candidate = &ordering->candidates[i];

		weigh_candidate(ordering, candidate);
		candidate->finding->costs_ns = max_ns(1, -candidate->beside_ns);
		ordering->above[ordering->above_count + i + 1] = candidate->finding;
	}
	memmove(ordering->above + ordering->above_count,
		ordering->above + ordering->above_count + 1,
		ordering->count * sizeof(*ordering->above));
}

/* Orders the first `count` findings of the list, which are not folded. */
static void order_first(const struct analysis *analysis, struct findings *findings, size_t count)
{
	struct ordering ordering = {.analysis = analysis,
				    .above = memory_array(count + 1, sizeof(*ordering.above)),
				    .candidates = memory_array(count, sizeof(*ordering.candidates)),
				    .count = count};
	struct finding *ordered = memory_array(count, sizeof(*ordered));

	for (size_t i = 0; i < count; i++) {
		struct finding *finding = &findings->items[i];

		ordering.candidates[i] =
			(struct candidate){.finding = finding,
					   .beside_ns = finding->replayed->estimate_ns,
					   .weighed = finding->pass > 1 ? NONE : 0};
	}
	find_missing(&ordering);
	while (ordering.count && !costs_the_rest(&ordering))
		take_next(&ordering);
	leave_out_rest(&ordering);
	for (size_t i = 0; i < count; i++)
		ordered[i] = *ordering.above[i];
	memcpy(findings->items, ordered, count * sizeof(*ordered));
	free(ordered);
	free(ordering.candidates);
	free(ordering.above);
}

/* Behind the others that are listed. */
static void move_costs(struct findings *findings, size_t shown)
{
	struct finding *moved = memory_array(shown, sizeof(*moved));
	size_t count = 0;

	for (int costs = 0; costs < 2; costs++)
		for (size_t i = 0; i < shown; i++)
			if ((findings->items[i].costs_ns > 0) == costs)
				moved[count++] = findings->items[i];
	memcpy(findings->items, moved, shown * sizeof(*moved));
	free(moved);
}

void list_order_sort(const struct analysis *analysis, struct findings *findings)
{
	size_t shown;

	if (findings->count)
		qsort(findings->items, findings->count, sizeof(*findings->items), compare_findings);
	sum_folded(findings, analysis->headline.wall_ns);
	shown = findings->count - findings->folded_count;
	if (shown < 2 || !analysis->check.has_estimates)
		return;
	order_first(analysis, findings,
		    shown < TOGETHER_MOST_CANDIDATES ? shown : TOGETHER_MOST_CANDIDATES);
	move_costs(findings, shown);
}
