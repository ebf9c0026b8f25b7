/* Which operation of a trace ended last by a time. One thread. */
#ifndef STREAMTRACE_ENDS_H
#define STREAMTRACE_ENDS_H

#include "trace/trace.h"

/* Indexes in trace.operations, by their ends; freed with free(). */
uint32_t *ends_sort(const struct trace *trace);

/* The last operation to end by the time, or NULL. by_end: ends_sort()'s. */
const struct trace_operation *ends_last_by(const struct trace *trace, const uint32_t *by_end,
					   int64_t time_ns);

#endif
