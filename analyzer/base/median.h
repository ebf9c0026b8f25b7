/* Sorts times, and finds medians and other order statistics. Any thread. */
#ifndef STREAMTRACE_MEDIAN_H
#define STREAMTRACE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* Sorts the times in increasing order; count may be 0. */
void sort_ns(int64_t *times, size_t count);

/* Sorts the times and returns their median. If count is even, the median is the larger of the two
 * in the middle; if count is 0, it is 0. */
int64_t median_ns(int64_t *times, size_t count);

/* Returns the n-th smallest value (n = 0: the smallest), in time proportional to count. Reorders
 * the array: values before index n are not larger, values after it not smaller. n must be below
 * count. */
double nth_of(double *values, size_t count, size_t n);

#endif
