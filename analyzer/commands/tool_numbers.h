/*
 * Adds to a trace the numbers that say what CUPTI adds to calls (calibration.h), in ns. They are measured once on a
 * GPU and kept (cache.h). One thread.
 */
#ifndef STREAMTRACE_TOOL_NUMBERS_H
#define STREAMTRACE_TOOL_NUMBERS_H

#include "trace/trace.h"

/* Adds the numbers to the metadata of a trace that lacks them. A trace with so few calls that the numbers would not
 * matter (0.5 % of the run) gets none. The numbers are those of the GPU that ran most operations, from the cache.
 * may_measure: numbers that the cache lacks are measured, in 20 s at most, if that GPU is in this machine. Without
 * numbers nothing is added. error not NULL: the numbers are also stored in the trace's file. Returns 0, or -1 if the
 * file could not be written: *error then says why in one line, which the caller frees. */
int tool_numbers_apply(struct trace *trace, bool may_measure, char **error);

#endif
