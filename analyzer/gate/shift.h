/*
 * How much less one side takes than the other, of several runs each. No distribution is assumed:
 * the interval is that of Mann and Whitney's test, ends of the sorted differences of all pairs of
 * runs. Any thread.
 */
#ifndef STREAMTRACE_GATE_SHIFT_H
#define STREAMTRACE_GATE_SHIFT_H

#include <stddef.h>

struct shift {
	double median;	  /* the median of base minus that of head */
	double low, high; /* the true difference lies between them */
	/* with this probability, rounded down: 95 or more, or less if there are too few runs for
	 * that. 0: one run of each side says nothing of it. */
	int percent;
};

/* base, head: what each run takes, of one unit; at least one each. */
struct shift shift_between(const double *base, size_t base_count, const double *head,
			   size_t head_count);

/* The middle one of the values, or the mean of both in the middle. count: at least 1. */
double shift_median(const double *values, size_t count);

#endif
