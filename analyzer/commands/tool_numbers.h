/*
 * What CUPTI adds to calls (calibration.h), for a trace: measured once on a GPU, where it matters, and
 * kept (cache.h). One thread.
 */
#ifndef STREAMTRACE_TOOL_NUMBERS_H
#define STREAMTRACE_TOOL_NUMBERS_H

#include "trace/trace.h"

/* Adds the numbers to the metadata of a trace that lacks them and where they matter; in memory,
 * and, with error, in the file. From the cache, or, where may_measure, measured when the GPU is
 * here. 0, or -1 with *error as trace_load() gives it when the file could not be written. */
int tool_numbers_apply(struct trace *trace, bool may_measure, char **error);

#endif
