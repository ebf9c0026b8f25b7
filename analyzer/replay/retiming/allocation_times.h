/* Moves allocations to the times of a replayed run. One thread. */
#ifndef STREAMTRACE_ALLOCATION_TIMES_H
#define STREAMTRACE_ALLOCATION_TIMES_H

#include "trace/trace.h"

/* Gives the trace its own allocations (to be freed), in the order of those of `before`: each as
 * long after the start of the last call that had begun by then as before, but not after the next
 * call's start. new_calls: by index in before->calls, the index in trace->calls. */
void allocation_times_move(struct trace *trace, const struct trace *before,
			   const uint32_t *new_calls);

#endif
