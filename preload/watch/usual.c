#include "watch/usual.h"

#include <string.h>

#define OFTEN_SHARE   8 /* a time is usual if one step in OFTEN_SHARE takes it */
#define SPREAD	      2 /* the older half of the steps must have SPREAD of these, and the newer half */
#define OFTEN_PERCENT 125 /* a step that takes less than this much of a usual time is not slow */

#define NORMAL_AGAIN 3
#define OTHER_REGIME 8

static void remove_sorted(struct usual *usual, int64_t ns)
{
	int at = 0;

	while (usual->sorted[at] != ns)
		at++;
	usual->count--;
	memmove(&usual->sorted[at], &usual->sorted[at + 1],
		(size_t)(usual->count - at) * sizeof(ns));
}

static void insert_sorted(struct usual *usual, int64_t ns)
{
	int at = usual->count++;

	for (; at > 0 && usual->sorted[at - 1] > ns; at--)
		usual->sorted[at] = usual->sorted[at - 1];
	usual->sorted[at] = ns;
}

static void add_recent(struct usual *usual, int64_t ns)
{
	int64_t *place = &usual->recent[usual->seen++ % USUAL_STEPS];

	if (usual->count == USUAL_STEPS)
		remove_sorted(usual, *place);
	*place = ns;
	insert_sorted(usual, ns);
}

/* Only the last steps count from now on. */
static void learn_again(struct usual *usual)
{
	int64_t last[OTHER_REGIME];

	for (unsigned i = 0; i < OTHER_REGIME; i++)
		last[i] = usual->recent[(usual->seen - OTHER_REGIME + i) % USUAL_STEPS];
	usual->count = 0;
	usual->seen = 0;
	/* As often as it takes to judge at once. */
	for (unsigned i = 0; i < USUAL_LEAST; i++)
		add_recent(usual, last[i % OTHER_REGIME]);
	usual->slow_run = 0;
}

int64_t usual_median_ns(const struct usual *usual)
{
	return usual->count < USUAL_LEAST ? 0 : usual->sorted[usual->count / 2];
}

/* The time that SPREAD steps take in one half of the recent ones. first: where the half begins. */
static int64_t spread_ns(const struct usual *usual, uint64_t first)
{
	int64_t longest[SPREAD] = {0};

	for (int i = 0; i < USUAL_STEPS / 2; i++) {
		int64_t ns = usual->recent[(first + (uint64_t)i) % USUAL_STEPS];

		for (int k = 0; k < SPREAD; k++)
			if (ns > longest[k]) {
				const int64_t shorter_ns = longest[k];

				longest[k] = ns;
				ns = shorter_ns;
			}
	}
	return longest[SPREAD - 1];
}

/* What an eighth of the steps takes, and of each half some: a disturbance that is over makes nothing usual. */
static int64_t often_ns(const struct usual *usual)
{
	const int64_t all_ns = usual->sorted[usual->count - 1 - usual->count / OFTEN_SHARE];
	int64_t older_ns, newer_ns;

	if (usual->count < USUAL_STEPS)
		return all_ns;
	older_ns = spread_ns(usual, usual->seen);
	newer_ns = spread_ns(usual, usual->seen + USUAL_STEPS / 2);
	if (older_ns > newer_ns)
		older_ns = newer_ns;
	return older_ns < all_ns ? older_ns : all_ns;
}

int64_t usual_limit_ns(const struct usual *usual, long percent)
{
	const int64_t median_ns = usual_median_ns(usual);
	int64_t limit_ns = median_ns / 100 * percent, often_limit_ns;

	if (!median_ns)
		return 0;
	if (limit_ns < median_ns + USUAL_MARGIN_NS)
		limit_ns = median_ns + USUAL_MARGIN_NS;
	often_limit_ns = often_ns(usual) / 100 * OFTEN_PERCENT;
	return limit_ns > often_limit_ns ? limit_ns : often_limit_ns;
}

enum step_kind usual_judge(struct usual *usual, int64_t took_ns, long percent)
{
	const int64_t limit_ns = usual_limit_ns(usual, percent);

	if (usual->skipped < USUAL_FIRST) {
		usual->skipped++;
		return STEP_UNJUDGED;
	}
	add_recent(usual, took_ns);
	if (!limit_ns)
		return STEP_UNJUDGED;
	if (took_ns <= limit_ns) {
		if (++usual->normal_run >= NORMAL_AGAIN)
			usual->slow_run = 0;
		return STEP_NORMAL;
	}
	usual->normal_run = 0;
	if (++usual->slow_run == 1)
		return STEP_SLOW_NEWS;
	if (usual->slow_run == OTHER_REGIME)
		learn_again(usual);
	return STEP_SLOW_AGAIN;
}
