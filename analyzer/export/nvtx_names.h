/*
 * NVTX ranges for the files of other tools. One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_NVTX_NAMES_H
#define STREAMTRACE_NVTX_NAMES_H

#include "trace/trace.h"

/* Returns "DOMAIN:NAME", or "NAME" for the default domain. A range without a name has the NAME "". The caller frees
 * the text. */
char *export_range_name(const struct trace_range *range);

/* Returns pointers to the trace's range_count ranges, sorted by start. Ranges that start together keep the trace's
 * order, in which an outer range comes before the inner ones. The caller frees the array, not the ranges. */
const struct trace_range **export_ranges_by_start(const struct trace *trace);

#endif
