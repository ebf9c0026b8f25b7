/* Makes a trace of some slices of another trace. One thread. */
#ifndef STREAMTRACE_SLICED_TRACE_H
#define STREAMTRACE_SLICED_TRACE_H

#include "sample/slices.h"

struct sliced_trace {
	struct trace trace; /* shares most arrays with `whole`: see sample_trace() */
};

/* Makes a trace of the slices whose weight (by index in slices) is above 0, each as a window of
 * that weight. If the slice before such a slice is left out, the calls that run up to it are in its
 * window and do not count. If the slice after such a slice is left out, the left-out slice's
 * calls [first, run_down) make a window of weight 0. After a window's calls comes the next call of
 * the run, without a duration: its start tells how long the window took. `whole` must outlive the
 * result; `slices` and `weights` need not. */
struct sliced_trace sliced_trace_make(const struct trace *whole, const struct slice *slices,
				      const double *weights, size_t count);

/* Frees the trace's own arrays; a zeroed sliced_trace has none. */
void sliced_trace_free(struct sliced_trace *sliced);

#endif
