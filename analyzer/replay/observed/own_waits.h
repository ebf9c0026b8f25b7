/* Finds calls that waited for what they enqueued themselves: a copy or a set. */
#ifndef STREAMTRACE_OWN_WAITS_H
#define STREAMTRACE_OWN_WAITS_H

#include "trace/trace.h"

/* Whether the call lasted until its operation was done; for a copy, or until nearly all of it was
 * staged. The call must have an operation. */
bool own_waits_is_one(const struct trace_call *call);

#endif
