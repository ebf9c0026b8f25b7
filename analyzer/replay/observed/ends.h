/* Finds the operation of a trace that ended last before a time. One thread. */
#ifndef STREAMTRACE_ENDS_H
#define STREAMTRACE_ENDS_H

#include "trace/trace.h"

/* Returns the indexes of all of trace.operations, sorted by end. The caller must free() them. */
uint32_t *ends_sort(const struct trace *trace);

/* Of the operations that ended at or before time_ns, the one that ended last; NULL: none. by_end:
 * from ends_sort() of the same trace. */
const struct trace_operation *ends_last_by(const struct trace *trace, const uint32_t *by_end,
					   int64_t time_ns);

#endif
