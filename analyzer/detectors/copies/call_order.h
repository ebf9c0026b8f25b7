/* The operations of a trace in the order in which they were enqueued. */
#ifndef STREAMTRACE_CALL_ORDER_H
#define STREAMTRACE_CALL_ORDER_H

#include "base/sort.h"
#include "trace/trace.h"

/* Returns indexes in trace.operations in the order of the calls that enqueued them, to be freed.
 * This order within a thread is equal in a replayed run, even if operations of different streams
 * run in another order there. An operation without a call comes before the calls that begin after
 * its start. */
struct sort_key *call_order_of(const struct trace *trace);

#endif
