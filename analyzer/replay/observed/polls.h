/*
 * Queries of events and streams that are made again and again until the work is done, in a pass over the
 * calls.
 */
#ifndef STREAMTRACE_POLLS_H
#define STREAMTRACE_POLLS_H

#include "base/vector.h"
#include "trace/trace.h"

struct polls {
	const struct trace *trace;
	/* Of a thread: its last call, index in trace.calls, if that was a query that found work pending;
	 * else TRACE_NO_CALL, or nothing. */
	struct map last;
};

void polls_free(struct polls *polls);

bool polls_is_query(const struct trace_call *call);

/* Whether the query says that the work is pending. */
bool polls_is_pending(const struct trace_call *query);

/* Whether both ask for the same. */
bool polls_are_same(const struct trace_call *query, const struct trace_call *other);

/* The call of the thread right before it, where that was a query that found work pending and both ask for
 * the same; NULL: it was not, or the call is no query. A thread that makes other calls in between does not
 * wait. */
const struct trace_call *polls_before(const struct polls *polls, const struct trace_call *call);

/* Passes a call. */
void polls_note(struct polls *polls, const struct trace_call *call);

#endif
