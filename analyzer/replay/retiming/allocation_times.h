/* Moves allocations to the times of a replayed run. One thread. */
#ifndef STREAMTRACE_ALLOCATION_TIMES_H
#define STREAMTRACE_ALLOCATION_TIMES_H

#include "trace/trace.h"

/* Sets trace->allocations to a new array, which the trace's owner must free(), with the allocations
 * of `before` in their order. Each is as long after the start of the last call that had begun by
 * then as it was in `before`, but not after the start of the next call. new_calls: by index in
 * before->calls, the index in trace->calls. */
void allocation_times_move(struct trace *trace, const struct trace *before,
			   const uint32_t *new_calls);

#endif
