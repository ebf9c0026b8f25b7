#include "gate/gate_diff.h"

#include "base/format.h"
#include "gate/compare.h"
#include "gate/gate_change.h"
#include "gate/gate_texts.h"
#include "gate/ids.h"
#include "gate/moves.h"
#include "gate/ranks.h"
#include "gate/scale.h"
#include "gate/sides.h"

#include <math.h>
#include <string.h>

/* One finding's traces, and the traces themselves. */
struct diff {
	struct gate *gate;
	const struct gate_rules *rules;
	const struct gate_run *const *runs; /* base's first */
	struct ranks ranks;
	double *scales;		      /* of each run: its work by that of its rank in base */
	struct compare_run *compared; /* the current finding in each */
	size_t rank;		      /* the current one: */
	struct compare_run *picked;   /* of those its traces, base's first */
	struct compare_side base, head;
	enum gate_verdict *verdicts; /* on each rank */
	bool *is_chosen;	     /* ranks that a text names */
	move_vector moves;
};

typedef VECTOR(const struct gate_finding *) members;

static int compare_identities(const void *a, const void *b)
{
	const struct gate_finding *const *x = a, *const *y = b;

	return strcmp((*x)->identity, (*y)->identity);
}

static int compare_kinds(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The calls at the finding's place that are of one of its kinds in any trace. */
static void count_calls(struct diff *diff, const char *place, const members *group)
{
	VECTOR(const char *) kinds = {0};

	for (size_t i = 0; i < group->count; i++)
		for (size_t k = 0; k < group->items[i]->kinds.count; k++)
			*vector_add(&kinds) = group->items[i]->kinds.items[k];
	vector_sort(&kinds, compare_kinds);
	for (size_t i = 0; i < kinds.count; i++) {
		if (i && !strcmp(kinds.items[i - 1], kinds.items[i]))
			continue;
		for (size_t run = 0; run < diff->gate->path_count; run++) {
			const struct place_calls *calls =
				places_at(&diff->runs[run]->calls, place, kinds.items[i]);

			if (!calls)
				continue;
			diff->compared[run].calls += (double)calls->calls / diff->scales[run];
			diff->compared[run].call_bytes += (double)calls->bytes / diff->scales[run];
			diff->compared[run].streams += (double)calls->streams / (double)calls->keys;
		}
	}
	vector_free(&kinds);
}

/* All lines of a place are one finding. What they save together is not known: at most the sum. */
static void add_line(struct compare_run *compared, const struct gate_finding *line, double scale)
{
	if (!compared->is_present || (line->is_shown && line->pass < compared->pass))
		compared->pass = line->pass;
	compared->is_present = true;
	compared->is_shown |= line->is_shown;
	compared->count += (double)line->count / scale;
	compared->bytes += (double)line->bytes / scale;
	compared->saved_ns += (double)line->saved_ns / scale;
	compared->low_ns += (double)line->low_ns / scale;
	compared->high_ns += (double)line->high_ns / scale;
}

static void fill_diff(struct diff *diff, const members *group)
{
	const char *identity = group->items[0]->identity;

	for (size_t i = 0; i < diff->gate->path_count; i++) {
		size_t count;
		const struct gate_finding *lines = gate_run_find(diff->runs[i], identity, &count);
		struct compare_run *compared = &diff->compared[i];

		*compared = (struct compare_run){.run_ns = (double)diff->runs[i]->untraced_ns /
							   diff->scales[i]};
		for (size_t k = 0; k < count; k++)
			add_line(compared, &lines[k], diff->scales[i]);
		if (compared->saved_ns > compared->run_ns)
			compared->saved_ns = compared->run_ns;
	}
	count_calls(diff, group->items[0]->place, group);
}

/* "calls 49 -> 98", "saving 1.20 ms -> 353 ms": the medians. */
static const char *describe_change(struct diff *diff, enum compare_by by)
{
	struct format before, now;
	const struct compare_side *base = &diff->base, *head = &diff->head;
	struct arena *arena = &diff->gate->arena;

	switch (by) {
	case COMPARE_CALLS:
		return text_format(
			arena, "calls %s -> %s",
			format_count(&before, (uint64_t)(COMPARE_MEDIAN(base, calls) + 0.5)),
			format_count(&now, (uint64_t)(COMPARE_MEDIAN(head, calls) + 0.5)));
	case COMPARE_BYTES:
		return text_format(arena, "%s -> %s",
				   format_bytes(&before, (uint64_t)COMPARE_MEDIAN(base, bytes)),
				   format_bytes(&now, (uint64_t)COMPARE_MEDIAN(head, bytes)));
	case COMPARE_STREAMS:
		return text_format(arena, "streams %.3g -> %.3g", COMPARE_MEDIAN(base, streams),
				   COMPARE_MEDIAN(head, streams));
	case COMPARE_TIME:
		return "the same calls lose more or less time than they vary";
	default:
		return NULL;
	}
}

/* Of what one side alone has, its figure alone. */
static const char *describe_saving(struct diff *diff, enum gate_verdict verdict)
{
	struct format before, now, share;
	double base_ns = COMPARE_MEDIAN(&diff->base, saved_ns);
	double head_ns = COMPARE_MEDIAN(&diff->head, saved_ns);

	if (verdict == GATE_GONE && head_ns <= 0)
		return text_format(&diff->gate->arena, "its fix saved %s (%s of base's run)",
				   format_time(&before, gate_ns(base_ns)),
				   format_percent(&share, gate_ns(base_ns),
						  gate_ns(COMPARE_MEDIAN(&diff->base, run_ns))));
	if (verdict == GATE_NEW && base_ns <= 0)
		return text_format(&diff->gate->arena, "its fix saves %s (%s of the run)",
				   format_time(&now, gate_ns(head_ns)),
				   format_percent(&share, gate_ns(head_ns),
						  gate_ns(COMPARE_MEDIAN(&diff->head, run_ns))));
	return text_format(&diff->gate->arena, "its fix saves %s -> %s (%s of the run)",
			   format_time(&before, gate_ns(base_ns)),
			   format_time(&now, gate_ns(head_ns)),
			   format_percent(&share, gate_ns(head_ns),
					  gate_ns(COMPARE_MEDIAN(&diff->head, run_ns))));
}

/* In how many traces of each side it is listed, where these are several and not all. */
static const char *describe_traces(const struct diff *diff)
{
	size_t base = 0, head = 0;

	for (size_t i = 0; i < diff->base.count; i++)
		base += diff->base.runs[i].is_shown;
	for (size_t i = 0; i < diff->head.count; i++)
		head += diff->head.runs[i].is_shown;
	if ((!base || base == diff->base.count) && (!head || head == diff->head.count))
		return "";
	return text_format(&diff->gate->arena,
			   "; listed in %zu of %zu traces of base, %zu of %zu of head", base,
			   diff->base.count, head, diff->head.count);
}

static bool is_bad(enum gate_verdict verdict)
{
	return verdict == GATE_NEW || verdict == GATE_WORSE;
}

/* The finding of the current rank in the latest of the first `end` traces that lists it, or else has it. */
static const struct gate_finding *latest_finding(const struct diff *diff, const char *identity,
						 size_t end)
{
	const struct gate_finding *any = NULL;

	for (size_t i = end; i-- > 0;) {
		size_t count;
		const struct gate_finding *first = gate_run_find(diff->runs[i], identity, &count);

		if (diff->ranks.of[i] != diff->rank)
			continue;
		if (first && first->is_shown)
			return first;
		if (first && !any)
			any = first;
	}
	return any;
}

/* "on rank 0: ", "on ranks 0 to 7, on rank 3: ": the ranks that have the verdict, and the rank whose figures
 * are shown. */
static const char *describe_ranks(struct diff *diff, enum gate_verdict verdict)
{
	struct arena *arena = &diff->gate->arena;
	size_t all = diff->ranks.items.count, count = 0;
	const char *where, *here;

	if (all < 2)
		return "";
	for (size_t i = 0; i < all; i++)
		count += diff->is_chosen[i] = diff->verdicts[i] == verdict;
	where = ranks_describe(&diff->ranks, diff->is_chosen, arena);
	if (count < 2)
		return text_format(arena, "on %s: ", where);
	for (size_t i = 0; i < all; i++)
		diff->is_chosen[i] = i == diff->rank;
	here = ranks_describe(&diff->ranks, diff->is_chosen, arena);
	return text_format(arena, "on %s; on %s: ", where, here);
}

/* Where base has a finding that head has in another line of the same function; NULL: nowhere. */
static const char *moved_from(const struct diff *diff, const struct gate_finding *finding)
{
	size_t base_count = diff->gate->base_count, count;
	const struct gate_finding *before = latest_finding(diff, finding->identity, base_count);

	for (size_t i = 0; i < base_count; i++) {
		const struct gate_finding *lines =
			gate_run_find(diff->runs[i], finding->identity, &count);

		for (size_t k = 0; k < count; k++)
			if (lines[k].at.line == finding->at.line)
				return NULL;
	}
	return before && before->at.line && finding->at.line ? before->at.name : NULL;
}

/* Notes what may be one half of a finding that moved. */
static void note_move(struct diff *diff, enum gate_verdict verdict,
		      const struct gate_finding *finding)
{
	const struct compare_side *side = verdict == GATE_GONE ? &diff->base : &diff->head;

	if (verdict == GATE_GONE || verdict == GATE_NEW)
		*vector_add(&diff->moves) = (struct move){.row = diff->gate->rows.count,
							  .finding = finding,
							  .count = COMPARE_MEDIAN(side, count),
							  .bytes = COMPARE_MEDIAN(side, bytes)};
}

/* Whether a whole finding with lines at the place saves enough in a run of head; or it is not known what it saves. */
static bool is_enough(const struct diff *diff, const char *identity)
{
	for (size_t i = diff->gate->base_count; i < diff->gate->path_count; i++) {
		const struct gate_run *run = diff->runs[i];
		size_t count;
		const struct gate_finding *lines = gate_run_find(run, identity, &count);

		for (size_t k = 0; k < count; k++)
			if (!run->has_estimates ||
			    gate_is_enough(diff->rules, lines[k].all_saved.estimate_ns,
					   run->untraced_ns))
				return true;
	}
	return false;
}

void gate_doubt_undecided(struct gate *gate, const struct gate_finding *finding)
{
	gate_add_note(gate, GATE_DOUBT,
		      text_format(&gate->arena,
				  "too few traces: %s at %s is new, but the place makes the "
				  "same calls as in base: %d traces of each side tell",
				  finding->id, finding->at.name, COMPARE_RUNS));
}

static void add_row(struct diff *diff, enum gate_verdict verdict, enum compare_by by,
		    const char *identity)
{
	const struct gate_finding *finding = latest_finding(diff, identity, diff->gate->path_count);
	const char *change = describe_change(diff, by);
	const char *text =
		text_format(&diff->gate->arena, "%s%s%s%s%s", describe_ranks(diff, verdict),
			    change ? change : "", change ? ", " : "",
			    describe_saving(diff, verdict), describe_traces(diff));
	bool is_denied = ids_have(diff->rules->deny, finding->id) && is_enough(diff, identity);

	note_move(diff, verdict, finding);
	*vector_add(&diff->gate->rows) = (struct gate_row){
		.verdict = verdict,
		.fails = is_bad(verdict) && is_denied && !finding->reason,
		.identity = identity,
		.id = finding->id,
		.title = finding->title,
		.fix = finding->fix,
		.place = finding->at,
		.text = text,
		.message = text_format(&diff->gate->arena, "%s: %s", finding->title, text),
		.reason = finding->reason,
		.moved_from = moved_from(diff, finding),
		.order = fmax(COMPARE_MEDIAN(&diff->head, saved_ns),
			      verdict == GATE_GONE ? COMPARE_MEDIAN(&diff->base, saved_ns) : 0),
	};
	if (verdict == GATE_UNDECIDED && is_denied && !finding->reason)
		gate_doubt_undecided(diff->gate, finding);
}

/* Makes it the current rank. */
static void pick_rank(struct diff *diff, size_t rank)
{
	const struct rank *picked = &diff->ranks.items.items[rank];
	size_t count = 0;

	for (size_t i = 0; i < diff->gate->path_count; i++)
		if (diff->ranks.of[i] == rank)
			diff->picked[count++] = diff->compared[i];
	diff->rank = rank;
	diff->base = (struct compare_side){diff->picked, picked->base_count};
	diff->head = (struct compare_side){diff->picked + picked->base_count, picked->head_count};
}

/* Whether base lists the current finding on any rank. */
static bool is_in_base(const struct diff *diff)
{
	for (size_t i = 0; i < diff->gate->base_count; i++)
		if (diff->compared[i].is_shown)
			return true;
	return false;
}

/* Which rank waits for the others changes by chance: what base lists on another rank is not in doubt. */
static enum gate_verdict compare_rank(struct diff *diff, size_t rank, enum compare_by *by)
{
	enum gate_verdict verdict;

	if (!rank_is_pair(&diff->ranks.items.items[rank]))
		return GATE_NONE;
	pick_rank(diff, rank);
	verdict = compare_sides(&diff->base, &diff->head, by);
	return verdict == GATE_UNDECIDED && is_in_base(diff) ? GATE_SAME : verdict;
}

/* What holds on the rank where it is worst decides, with the figures of the one that loses most there. */
static void compare_group(struct diff *diff, const members *group)
{
	enum gate_verdict worst = GATE_NONE;
	enum compare_by by = COMPARE_LISTED, here;
	double worst_ns = 0, ns;
	size_t rank = 0;

	fill_diff(diff, group);
	for (size_t i = 0; i < diff->ranks.items.count; i++) {
		diff->verdicts[i] = compare_rank(diff, i, &here);
		if (diff->verdicts[i] == GATE_NONE)
			continue;
		ns = COMPARE_MEDIAN(&diff->head, saved_ns);
		if (worst != GATE_NONE &&
		    (diff->verdicts[i] > worst || (diff->verdicts[i] == worst && ns <= worst_ns)))
			continue;
		worst = diff->verdicts[i];
		worst_ns = ns;
		by = here;
		rank = i;
	}
	if (worst == GATE_NONE)
		return;
	pick_rank(diff, rank);
	add_row(diff, worst, by, group->items[0]->identity);
}

static void compare_all(struct diff *diff)
{
	members all = {0};
	size_t first, next;

	for (size_t i = 0; i < diff->gate->path_count; i++)
		for (size_t k = 0; k < diff->runs[i]->findings.count; k++)
			*vector_add(&all) = &diff->runs[i]->findings.items[k];
	vector_sort(&all, compare_identities);
	for (first = 0; first < all.count; first = next) {
		for (next = first + 1; next < all.count; next++)
			if (compare_identities(&all.items[next], &all.items[first]) != 0)
				break;
		compare_group(diff, &(members){.items = all.items + first, .count = next - first});
	}
	vector_free(&all);
}

/* The first trace of base of the same rank. */
static const struct gate_run *reference_of(const struct diff *diff, size_t run)
{
	for (size_t i = 0; i < diff->gate->base_count; i++)
		if (diff->ranks.of[i] == diff->ranks.of[run])
			return diff->runs[i];
	return diff->runs[0];
}

void gate_diff(struct gate *gate, const struct gate_rules *rules,
	       const struct gate_run *const *runs)
{
	struct diff diff = {.gate = gate, .rules = rules, .runs = runs};
	struct sides sides;
	bool is_doubtful; /* what is new may not be */

	diff.scales = memory_array(gate->path_count, sizeof(*diff.scales));
	diff.compared = memory_array(gate->path_count, sizeof(*diff.compared));
	diff.picked = memory_array(gate->path_count, sizeof(*diff.picked));
	diff.ranks = ranks_find(runs, gate->base_count, gate->path_count);
	diff.verdicts = memory_array(diff.ranks.items.count, sizeof(*diff.verdicts));
	diff.is_chosen = memory_array(diff.ranks.items.count, sizeof(*diff.is_chosen));
	for (size_t i = 0; i < gate->path_count; i++)
		diff.scales[i] = scale_of(&runs[i]->work, &reference_of(&diff, i)->work);
	sides = (struct sides){runs, &diff.ranks, diff.scales};
	is_doubtful = sides_note(gate, rules, &sides);
	compare_all(&diff);
	moves_pair(gate, &diff.moves);
	gate_change_measure(gate, &sides);
	for (size_t i = 0; is_doubtful && i < gate->rows.count; i++)
		gate->rows.items[i].fails = false;
	gate_finish(gate, rules);
	ranks_free(&diff.ranks);
	free(diff.scales);
	free(diff.compared);
	free(diff.picked);
	free(diff.verdicts);
	free(diff.is_chosen);
	vector_free(&diff.moves);
}
