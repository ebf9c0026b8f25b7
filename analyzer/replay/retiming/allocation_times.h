/* When memory was allocated, in a replayed run. */
#ifndef STREAMTRACE_ALLOCATION_TIMES_H
#define STREAMTRACE_ALLOCATION_TIMES_H

#include "trace/trace.h"

/* Gives the trace allocations of its own, malloc'ed, in the order of those of the trace before: each as long
 * after the start of the last call that had begun by then, but not after that of the next one. new_calls: by
 * index in before->calls the index in trace->calls. */
void allocation_times_move(struct trace *trace, const struct trace *before,
			   const uint32_t *new_calls);

#endif
