/* The larger and the smaller of two times or durations in ns. Any thread. */
#ifndef STREAMTRACE_MINMAX_H
#define STREAMTRACE_MINMAX_H

#include <stdint.h>

static inline int64_t max_ns(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t min_ns(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
