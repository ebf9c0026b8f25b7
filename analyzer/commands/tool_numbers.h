/*
 * Adds to a trace what CUPTI adds to calls (calibration.h). It is measured once on a GPU, if it matters, and kept
 * (cache.h). One thread.
 */
#ifndef STREAMTRACE_TOOL_NUMBERS_H
#define STREAMTRACE_TOOL_NUMBERS_H

#include "trace/trace.h"

/* Adds the numbers to the trace's metadata, if it lacks them and they matter. They come from the cache; if they are
 * not there, may_measure is set and the GPU is in this machine, they are measured. Without numbers nothing is added.
 * If error is not NULL, also stores them in the trace's file. Returns 0, or -1 if the file could not be written:
 * *error says why in one line, which the caller frees. */
int tool_numbers_apply(struct trace *trace, bool may_measure, char **error);

#endif
