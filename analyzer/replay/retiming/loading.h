/*
 * The loading of kernels in a replayed run (retimed.h): it goes with the calls that took it, as far as
 * they still have the time. Where the tracer's own overheads would be is not known.
 */
#ifndef STREAMTRACE_LOADING_H
#define STREAMTRACE_LOADING_H

#include "trace/trace.h"

/* Sets the overheads of the trace, whose calls are those of the trace before at new times; new_calls: by
 * index there, the index here. The array is freed with free(). */
void loading_move(struct trace *trace, const struct trace *before, const uint32_t *new_calls);

#endif
