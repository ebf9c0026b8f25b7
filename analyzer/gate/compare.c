#include "gate/compare.h"

#include <string.h>

/* Loops that end by their data differ by a few turns. */
#define COUNT_TOLERANCE 0.01

struct quantiles {
	double least, median, most;
};

static double member_at(const struct compare_run *run, size_t offset)
{
	double value;

	memcpy(&value, (const char *)run + offset, sizeof(value));
	return value;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct quantiles quantiles_of(const struct compare_side *side, size_t offset)
{
	double *values = memory_array(side->count, sizeof(*values));
	size_t middle = side->count / 2;
	struct quantiles quantiles;

	for (size_t i = 0; i < side->count; i++)
		values[i] = member_at(&side->runs[i], offset);
	qsort(values, side->count, sizeof(*values), compare_doubles);
	quantiles = (struct quantiles){
		.least = values[0],
		.median = side->count % 2 ? values[middle]
					  : (values[middle - 1] + values[middle]) / 2,
		.most = values[side->count - 1],
	};
	free(values);
	return quantiles;
}

#define QUANTILES(side, member) quantiles_of(side, offsetof(struct compare_run, member))

double compare_median(const struct compare_side *side, size_t member_offset)
{
	return quantiles_of(side, member_offset).median;
}

/* Whether all counts of head exceed all of base by more than COUNT_TOLERANCE, and the finding's count grew
 * by at least half as large a share. */
static bool is_more(const struct compare_side *base, const struct compare_side *head, size_t all,
		    size_t found)
{
	struct quantiles before = quantiles_of(base, all), now = quantiles_of(head, all);
	double found_before = compare_median(base, found), found_now = compare_median(head, found);

	return now.least > before.most * (1 + COUNT_TOLERANCE) && found_now > found_before &&
	       (found_now - found_before) * before.median * 2 >=
		       (now.median - before.median) * found_before;
}

static bool is_more_calls(const struct compare_side *base, const struct compare_side *head)
{
	return is_more(base, head, offsetof(struct compare_run, calls),
		       offsetof(struct compare_run, count));
}

static bool is_more_bytes(const struct compare_side *base, const struct compare_side *head)
{
	return is_more(base, head, offsetof(struct compare_run, call_bytes),
		       offsetof(struct compare_run, bytes));
}

/* Whether the place uses fewer streams in every run of head, and each of these loses more, even at its low
 * end, than any run of base at its high end. */
static bool has_fewer_streams(const struct compare_side *base, const struct compare_side *head)
{
	return QUANTILES(head, streams).most <
		       QUANTILES(base, streams).least * (1 - COUNT_TOLERANCE) &&
	       QUANTILES(head, low_ns).least > QUANTILES(base, high_ns).most;
}

bool compare_has_times(const struct compare_side *base, const struct compare_side *head)
{
	return base->count >= COMPARE_RUNS && head->count >= COMPARE_RUNS;
}

/* Whether every run of head loses more than every run of base, by more than the runs of either side differ,
 * and by enough of the run to be listed. */
static bool is_longer(const struct compare_side *base, const struct compare_side *head)
{
	struct quantiles before = QUANTILES(base, saved_ns), now = QUANTILES(head, saved_ns);
	double run_ns = COMPARE_MEDIAN(head, run_ns), more_ns = now.median - before.median;

	return compare_has_times(base, head) && more_ns > now.most - now.least &&
	       more_ns > before.most - before.least &&
	       now.least - before.most >= COMPARE_SHARE * run_ns;
}

static bool is_worse(const struct compare_side *base, const struct compare_side *head,
		     enum compare_by *by)
{
	if (is_more_calls(base, head))
		*by = COMPARE_CALLS;
	else if (is_more_bytes(base, head))
		*by = COMPARE_BYTES;
	else if (has_fewer_streams(base, head))
		*by = COMPARE_STREAMS;
	else if (is_longer(base, head))
		*by = COMPARE_TIME;
	else
		return false;
	return true;
}

static size_t count_present(const struct compare_side *side)
{
	size_t present = 0;

	for (size_t i = 0; i < side->count; i++)
		present += side->runs[i].is_present;
	return present;
}

static size_t count_shown(const struct compare_side *side)
{
	size_t shown = 0;

	for (size_t i = 0; i < side->count; i++)
		shown += side->runs[i].is_shown;
	return shown;
}

/* In more than half of the traces. */
static bool is_shown(const struct compare_side *side)
{
	return 2 * count_shown(side) > side->count;
}

/* Whether head loses more even by the ends of the ranges, though chance is not ruled out: every trace of
 * head lists the finding, by its low end, too, and without other fixes in; no trace of base lists it. */
static bool is_surely_new(const struct compare_side *base, const struct compare_side *head)
{
	double before_ns = QUANTILES(base, high_ns).most;

	for (size_t i = 0; i < head->count; i++) {
		const struct compare_run *run = &head->runs[i];

		if (!run->is_shown || run->pass > 1 ||
		    run->low_ns - before_ns < COMPARE_SHARE * run->run_ns)
			return false;
	}
	return !count_shown(base);
}

/* Whether no trace of head lists what every trace of base does, though its place makes the same calls: by so much
 * that it does not only fall below what is listed. Chance is not ruled out, but this fails nothing. */
static bool is_no_more(const struct compare_side *base, const struct compare_side *head)
{
	return count_shown(base) == base->count && !count_shown(head) &&
	       QUANTILES(base, saved_ns).least - QUANTILES(head, saved_ns).most >=
		       COMPARE_SHARE * COMPARE_MEDIAN(base, run_ns);
}

static enum gate_verdict compare_shown(const struct compare_side *base,
				       const struct compare_side *head, enum compare_by *by)
{
	if (is_worse(base, head, by))
		return count_present(base) ? GATE_WORSE : GATE_NEW;
	if (!compare_has_times(base, head) && is_surely_new(base, head))
		return GATE_UNDECIDED;
	if (is_shown(base) && is_worse(head, base, by))
		return GATE_LESS;
	return GATE_SAME;
}

enum gate_verdict compare_sides(const struct compare_side *base, const struct compare_side *head,
				enum compare_by *by)
{
	*by = COMPARE_LISTED;
	if (is_shown(head))
		return compare_shown(base, head, by);
	if (is_shown(base)) {
		if (!count_present(head) || is_no_more(base, head))
			return GATE_GONE;
		if (!is_worse(head, base, by))
			return GATE_SAME;
		return count_shown(head) ? GATE_LESS : GATE_GONE;
	}
	return count_shown(base) || count_shown(head) ? GATE_SAME : GATE_NONE;
}
