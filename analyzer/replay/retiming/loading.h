/*
 * Moves the loading of kernels to the times of a replayed run (retimed.h). A loading moves with the
 * call in which it began; if the call is then too short for the loading, the loading is left out.
 * So are the tracer's own overheads. One thread.
 */
#ifndef STREAMTRACE_LOADING_H
#define STREAMTRACE_LOADING_H

#include "trace/trace.h"

/* Sets trace->overheads to a new array, which the trace's owner must free(), and overhead_count.
 * The trace must have the calls of `before` at their new times; new_calls: by index in
 * before->calls, the index in trace->calls. */
void loading_move(struct trace *trace, const struct trace *before, const uint32_t *new_calls);

#endif
