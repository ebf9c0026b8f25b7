/* The operations of a trace in the order in which they were enqueued. Any thread. */
#ifndef STREAMTRACE_CALL_ORDER_H
#define STREAMTRACE_CALL_ORDER_H

#include "base/sort.h"
#include "trace/trace.h"

/* Returns trace.operation_count keys whose .index is an index in trace.operations, in the order of
 * the calls that enqueued the operations. The caller frees the array. A replayed run has the same
 * order within each thread. An operation without a call comes before the operations of calls that
 * begin after its start. */
struct sort_key *call_order_of(const struct trace *trace);

#endif
