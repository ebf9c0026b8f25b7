/* Moves allocations to the times of a replayed run. One thread. */
#ifndef STREAMTRACE_ALLOCATION_TIMES_H
#define STREAMTRACE_ALLOCATION_TIMES_H

#include "trace/trace.h"

/* Sets trace->allocations to a new array of before->allocation_count items, which the trace's owner
 * must free(); allocation_count is the caller's to set. trace->calls must have their new times.
 * new_calls: by index in before->calls, the index in trace->calls. An allocation keeps its distance
 * from the start of the last call that had begun, but does not come after the start of the next
 * call, nor before an earlier allocation. */
void allocation_times_move(struct trace *trace, const struct trace *before,
			   const uint32_t *new_calls);

#endif
