/*
 * Moves the loading of kernels to the times of a replayed run (retimed.h): along with the calls
 * that did it, as far as these still take the time. The tracer's own overheads are left out. One
 * thread.
 */
#ifndef STREAMTRACE_LOADING_H
#define STREAMTRACE_LOADING_H

#include "trace/trace.h"

/* Sets trace->overheads (to be freed). The trace has the calls of `before` at new times; new_calls:
 * by index in before->calls, the index in trace->calls. */
void loading_move(struct trace *trace, const struct trace *before, const uint32_t *new_calls);

#endif
