/* A trace of some slices of another one. One thread. */
#ifndef STREAMTRACE_SLICED_TRACE_H
#define STREAMTRACE_SLICED_TRACE_H

#include "sample/slices.h"

struct sliced_trace {
	struct trace trace; /* see sample_trace() */
};

/* Of the slices with a weight above 0, each as a window of that weight. Calls that run up to a slice are in
 * its window, but do not count, where the slice before it is left out; and where the next one is, calls of
 * that follow in a window without weight. Behind the calls of a slice comes the next one's first: when that
 * is made tells how long the slice took. */
struct sliced_trace sliced_trace_make(const struct trace *whole, const struct slice *slices,
				      const double *weights, size_t count);
void sliced_trace_free(struct sliced_trace *sliced);

#endif
