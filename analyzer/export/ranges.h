/*
 * NVTX ranges as other tools' files have them. One thread; out of memory ends the program.
 */
#ifndef STREAMTRACE_EXPORT_RANGES_H
#define STREAMTRACE_EXPORT_RANGES_H

#include "trace/trace.h"

/* DOMAIN:NAME, or NAME in the default domain; malloc'ed. */
char *export_range_name(const struct trace_range *range);

/* The trace's, by start, the outer ones first; freed with free(). */
const struct trace_range **export_ranges_by_start(const struct trace *trace);

#endif
