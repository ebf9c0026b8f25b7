/* Times in order, and the middle of some. */
#ifndef STREAMTRACE_MEDIAN_H
#define STREAMTRACE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

void sort_ns(int64_t *times, size_t count);

/* Of an even number the later of the two in the middle; 0 of none. Sorts them. */
int64_t median_ns(int64_t *times, size_t count);

#endif
