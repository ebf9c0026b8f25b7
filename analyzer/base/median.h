/* Times in order, and the middle of some. */
#ifndef STREAMTRACE_MEDIAN_H
#define STREAMTRACE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

void sort_ns(int64_t *times, size_t count);

/* Of an even number the later of the two in the middle; 0 of none. Sorts them. */
int64_t median_ns(int64_t *times, size_t count);

/* The value that is n-th (from 0) in order, without sorting: puts what is smaller before it, and what is larger
 * behind it. n < count. */
double nth_of(double *values, size_t count, size_t n);

#endif
