/* Which calls waited for what they enqueued themselves: a copy, or a set. */
#ifndef STREAMTRACE_OWN_WAITS_H
#define STREAMTRACE_OWN_WAITS_H

#include "trace/trace.h"

/* Whether the call, which has an operation, lasted until that was done; of a copy, or until nearly all of
 * it was staged. */
bool own_waits_is_one(const struct trace_call *call);

#endif
