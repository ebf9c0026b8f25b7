/* Makes a trace of some slices of another trace. One thread. */
#ifndef STREAMTRACE_SLICED_TRACE_H
#define STREAMTRACE_SLICED_TRACE_H

#include "sample/slices.h"

struct sliced_trace {
	struct trace trace; /* owned by the sliced_trace; see sample_trace() */
};

/* Makes a trace of the slices whose weight (by index) is above 0, each as a window of that weight.
 * Calls before a slice (run_up) are in its window without counting, if the slice before it is left
 * out. Calls after it (run_down) are in a window without weight, if the next slice is left out.
 * After a slice's calls comes the next slice's first call, whose start tells how long the slice
 * took. `whole` must outlive the result; free it by sliced_trace_free(). */
struct sliced_trace sliced_trace_make(const struct trace *whole, const struct slice *slices,
				      const double *weights, size_t count);
void sliced_trace_free(struct sliced_trace *sliced);

#endif
