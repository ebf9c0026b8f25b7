#include "gate/shift.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The interval misses the difference at most this often on each side: together 5 %. */
#define TAIL 0.025

/* That many standard deviations cut off TAIL of a normal distribution. */
#define TAIL_DEVIATIONS 1.96

/* With more pairs of runs than that the test's distribution is as good as normal. */
#define EXACT_PAIRS 2500

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double shift_median(const double *values, size_t count)
{
	double *sorted = memory_array(count, sizeof(*sorted)), median;

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_doubles);
	median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
	free(sorted);
	return median;
}

/* By u: in how many orders of both sides' runs u pairs have the run of head first. These are the coefficients of
 * Gauss's binomial, the product of (1 - q^(m + i)) / (1 - q^i) over i from 1 to n. */
static double *count_orders(size_t n, size_t m)
{
	size_t pairs = n * m;
	double *orders = memory_array(pairs + 1, sizeof(*orders));

	orders[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = pairs; u >= m + i && u <= pairs; u--)
			orders[u] -= orders[u - m - i];
		for (size_t u = i; u <= pairs; u++)
			orders[u] += orders[u - i];
	}
	return orders;
}

/* How many of the sorted differences the interval leaves out at each end. *outside: how probable it is that the
 * difference lies at one end outside. */
static size_t count_outside(size_t n, size_t m, double *outside)
{
	double *orders = count_orders(n, m), all = 0, sum;
	size_t left_out = 0;

	for (size_t u = 0; u <= n * m; u++)
		all += orders[u];
	sum = orders[0];
	while (sum + orders[left_out + 1] <= TAIL * all)
		sum += orders[++left_out];
	*outside = sum / all;
	free(orders);
	return left_out;
}

static size_t count_outside_normal(size_t n, size_t m, double *outside)
{
	double pairs = (double)n * (double)m;
	double left_out = pairs / 2 - TAIL_DEVIATIONS * sqrt(pairs * (double)(n + m + 1) / 12);

	*outside = TAIL;
	return left_out > 0 ? (size_t)left_out : 0; /* less than 0: one side has a run or two */
}

struct shift shift_between(const double *base, size_t base_count, const double *head,
			   size_t head_count)
{
	size_t pairs = base_count * head_count, left_out;
	double *differences = memory_array(pairs, sizeof(*differences)), outside;
	struct shift shift = {.median = shift_median(base, base_count) -
					shift_median(head, head_count)};

	for (size_t i = 0; i < pairs; i++)
		differences[i] = base[i / head_count] - head[i % head_count];
	qsort(differences, pairs, sizeof(*differences), compare_doubles);
	left_out = pairs > EXACT_PAIRS ? count_outside_normal(base_count, head_count, &outside)
				       : count_outside(base_count, head_count, &outside);
	shift.low = fmin(differences[left_out], shift.median);
	shift.high = fmax(differences[pairs - 1 - left_out], shift.median);
	shift.percent = (int)(100 * (1 - 2 * outside));
	free(differences);
	return shift;
}
