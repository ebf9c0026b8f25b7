/* Finds the operation of a trace that ended last before a time. One thread. */
#ifndef STREAMTRACE_ENDS_H
#define STREAMTRACE_ENDS_H

#include "trace/trace.h"

/* Returns indexes in trace.operations, sorted by end; to be freed. */
uint32_t *ends_sort(const struct trace *trace);

/* The operation that ended last at or before time_ns, or NULL. by_end: from ends_sort(). */
const struct trace_operation *ends_last_by(const struct trace *trace, const uint32_t *by_end,
					   int64_t time_ns);

#endif
