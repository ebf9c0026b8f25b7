/* Finds calls that waited for what they enqueued themselves: a copy or a set. Any thread. */
#ifndef STREAMTRACE_OWN_WAITS_H
#define STREAMTRACE_OWN_WAITS_H

#include "trace/trace.h"

/* Whether the call waited for the copy or set that it enqueued: the call lasted until its operation
 * was done. A call that stages a copy also counts if it lasted beyond the middle of the copy. False
 * for other operations. call->operation must not be NULL. */
bool own_waits_is_one(const struct trace_call *call);

#endif
