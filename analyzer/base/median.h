/* Sorts times, and finds medians and other order statistics. Any thread. */
#ifndef STREAMTRACE_MEDIAN_H
#define STREAMTRACE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

void sort_ns(int64_t *times, size_t count);

/* Sorts the times and returns their median, of an even count the later of the middle two; 0 if
 * count is 0. */
int64_t median_ns(int64_t *times, size_t count);

/* Returns the n-th smallest value (from 0) without sorting all: reorders the values so that smaller
 * ones come before it and larger ones after. n must be below count. */
double nth_of(double *values, size_t count, size_t n);

#endif
