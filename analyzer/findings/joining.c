#include "findings/joining.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "findings/finding.h"
#include "findings/interval_private.h"
#include "findings/whatif_run.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* A listed finding. */
struct member {
	struct finding *finding;
	int64_t alone_ns;   /* what it saves alone */
	int64_t missing_ns; /* by how much less all save without it */
};

struct joining {
	const struct analysis *analysis;
	struct member *members;
	size_t count;
	int64_t all_ns;	  /* what all save */
	int64_t *both_ns; /* by index of one member, times count, plus index of the other */
};

static int64_t estimate_without(const struct joining *joining, size_t a, size_t b)
{
	const struct finding **rest = memory_array(joining->count, sizeof(*rest));
	size_t count = 0;
	int64_t saved_ns;

	for (size_t i = 0; i < joining->count; i++)
		if (i != a && i != b)
			rest[count++] = joining->members[i].finding;
	saved_ns = count ? whatif_estimate(joining->analysis, rest, count, NULL) : 0;
	free(rest);
	return saved_ns;
}

/* Index 0: of all; then of each member. */
static void weigh_member(void *context, size_t index)
{
	struct joining *joining = context;
	struct member *member;

	if (index == 0) {
		joining->all_ns = estimate_without(joining, NONE, NONE);
		return;
	}
	member = &joining->members[index - 1];
	member->alone_ns = whatif_estimate(
		joining->analysis, (const struct finding *const[]){member->finding}, 1, NULL);
	member->missing_ns = -estimate_without(joining, index - 1, NONE);
}

static void weigh_members(struct joining *joining)
{
	parallel_run(joining->count + 1, weigh_member, joining);
	for (size_t i = 0; i < joining->count; i++)
		joining->members[i].missing_ns += joining->all_ns;
}

/* What waits of two findings hide from each other comes to light where the others are fixed, too:
 * either saves then at least twice what it saves alone. */
static bool is_hidden(const struct joining *joining, const struct member *member)
{
	return finding_is_wait(member->finding) && member->missing_ns >= 2 * member->alone_ns &&
	       !finding_is_short(joining->analysis, member->missing_ns - member->alone_ns);
}

static void weigh_pair(void *context, size_t index)
{
	struct joining *joining = context;
	const struct member *a = &joining->members[index / joining->count];
	const struct member *b = &joining->members[index % joining->count];
	const struct finding *const both[] = {a->finding, b->finding};

	if (a < b && is_hidden(joining, a) && is_hidden(joining, b))
		joining->both_ns[index] = whatif_estimate(joining->analysis, both, 2, NULL);
}

/* What both save beyond what each does alone, if that is most of it; otherwise 0. */
static int64_t hidden_ns(const struct joining *joining, size_t index)
{
	int64_t both_ns = joining->both_ns[index];
	int64_t alone_ns = joining->members[index / joining->count].alone_ns +
			   joining->members[index % joining->count].alone_ns;

	return 2 * alone_ns < both_ns && !finding_is_short(joining->analysis, both_ns - alone_ns)
		       ? both_ns - alone_ns
		       : 0;
}

/* The two that hide most from each other, as an index in both_ns; NONE: no two do. */
static size_t find_pair(struct joining *joining)
{
	size_t pairs = joining->count * joining->count, best = NONE;
	int64_t most_ns = 0;

	joining->both_ns = memory_array(pairs, sizeof(*joining->both_ns));
	parallel_run(pairs, weigh_pair, joining);
	for (size_t i = 0; i < pairs; i++) {
		if (hidden_ns(joining, i) <= most_ns)
			continue;
		most_ns = hidden_ns(joining, i);
		best = i;
	}
	free(joining->both_ns);
	return best;
}

/* What the list says that its findings save. */
static int64_t listed_ns(const struct joining *joining)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < joining->count; i++)
		sum_ns += joining->members[i].finding->replayed->estimate_ns;
	return sum_ns;
}

/* The finding of which the list says least, and the one without which it saves least. */
static size_t find_least_told(const struct joining *joining)
{
	size_t first = NONE, second = NONE;
	int64_t most_ns = 0;

	for (size_t i = 0; i < joining->count; i++) {
		const struct member *member = &joining->members[i];
		int64_t untold_ns = member->missing_ns - member->finding->replayed->estimate_ns;

		if (first != NONE && untold_ns <= most_ns)
			continue;
		most_ns = untold_ns;
		first = i;
	}
	for (size_t i = 0; i < joining->count; i++) {
		int64_t shared_ns;

		if (i == first)
			continue;
		/* What the first one brings less without this one. */
		shared_ns = joining->members[first].missing_ns -
			    (joining->all_ns - joining->members[i].missing_ns -
			     estimate_without(joining, first, i));
		if (second != NONE && shared_ns <= most_ns)
			continue;
		most_ns = shared_ns;
		second = i;
	}
	return first * joining->count + second;
}

/* The earlier pass, then the longer wait: the one that the joined finding is named after. */
static bool is_before(const struct finding *a, const struct finding *b)
{
	if (a->pass != b->pass)
		return a->pass < b->pass;
	return a->blocked_ns > b->blocked_ns;
}

static void take_part(struct finding *into, struct finding part)
{
	struct finding *joined =
		memory_array(into->joined_count + part.joined_count + 1, sizeof(*joined));
	size_t count = 0;

	for (size_t i = 0; i < into->joined_count; i++)
		joined[count++] = into->joined[i];
	for (size_t i = 0; i < part.joined_count; i++)
		joined[count++] = part.joined[i];
	free(part.joined);
	part.joined = NULL;
	part.joined_count = 0;
	joined[count++] = part;
	free(into->joined);
	into->joined = joined;
	into->joined_count = count;
}

static void join_pair(const struct joining *joining, struct findings *findings, size_t pair)
{
	const struct analysis *analysis = joining->analysis;
	struct member *into = &joining->members[pair / joining->count];
	struct member *part = &joining->members[pair % joining->count];
	struct finding *finding, *removed;
	const struct finding *alone[1];

	if (is_before(part->finding, into->finding)) {
		struct member *member = into;

		into = part;
		part = member;
	}
	finding = into->finding;
	removed = part->finding;
	if (!finding->joined_count)
		finding->alone_ns = into->alone_ns;
	if (!removed->joined_count)
		removed->alone_ns = part->alone_ns;
	take_part(finding, *removed);
	alone[0] = finding;
	*finding->replayed = whatif_weigh(analysis, alone, 1);
	finding->pass = 1;
	*removed = findings->items[--findings->count];
}

static struct joining list_members(const struct analysis *analysis, struct findings *findings)
{
	struct joining joining = {.analysis = analysis,
				  .members = memory_array(findings->count, sizeof(struct member))};

	for (size_t i = 0; i < findings->count; i++)
		if (!findings->items[i].is_folded && !whatif_is_open(analysis, &findings->items[i]))
			joining.members[joining.count++].finding = &findings->items[i];
	return joining;
}

/* Whether there were two to be joined. */
static bool join_two(const struct analysis *analysis, struct findings *findings)
{
	struct joining joining = list_members(analysis, findings);
	size_t pair = NONE;

	if (joining.count > 1 && joining.count <= TOGETHER_MOST_CANDIDATES) {
		weigh_members(&joining);
		pair = find_pair(&joining);
		if (pair == NONE && 2 * listed_ns(&joining) < joining.all_ns)
			pair = find_least_told(&joining);
	}
	if (pair != NONE)
		join_pair(&joining, findings, pair);
	free(joining.members);
	return pair != NONE;
}

void joining_join(const struct analysis *analysis, struct findings *findings)
{
	while (join_two(analysis, findings))
		;
}
