/*
 * NVTX ranges for the files of other tools. One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_NVTX_NAMES_H
#define STREAMTRACE_NVTX_NAMES_H

#include "trace/trace.h"

/* "DOMAIN:NAME", or "NAME" for the default domain. The caller frees it. */
char *export_range_name(const struct trace_range *range);

/* The trace's ranges sorted by start; of ranges that start together in the trace's order, the outer ones first. The
 * caller frees the array. */
const struct trace_range **export_ranges_by_start(const struct trace *trace);

#endif
