/* The operations of a trace, one after the other as they were enqueued. */
#ifndef STREAMTRACE_CALL_ORDER_H
#define STREAMTRACE_CALL_ORDER_H

#include "base/sort.h"
#include "trace/trace.h"

/* In the order of the calls that enqueued them: that of a thread is the same in a replayed run, however
 * operations of several streams follow each other there. One without a call comes before the calls that
 * begin behind its start. The indexes are in trace.operations; freed with free(). */
struct sort_key *call_order_of(const struct trace *trace);

#endif
