/*
 * Finds queries of events and streams that are repeated until the work is done, in one pass over
 * the calls:
 *
 *	for (call = each of trace->calls, in order) {
 *		before = polls_before(&polls, call);
 *		polls_note(&polls, call);
 *	}
 *
 * Zero-initialize a struct polls and set .trace; polls_free() it. One thread.
 */
#ifndef STREAMTRACE_POLLS_H
#define STREAMTRACE_POLLS_H

#include "base/vector.h"
#include "trace/trace.h"

struct polls {
	const struct trace *trace;
	/* By thread id: index in trace.calls of its last call, if that was a query that found work
	 * pending; otherwise TRACE_NO_CALL, or no entry. */
	struct map last;
};

void polls_free(struct polls *polls);

/* Whether the call is a query of an event or a stream. */
bool polls_is_query(const struct trace_call *call);

/* Whether the query found the work pending (its result was not ready). */
bool polls_is_pending(const struct trace_call *query);

/* Whether both queries are of one function and about the same event or stream. */
bool polls_are_same(const struct trace_call *query, const struct trace_call *other);

/* The previous call of the call's thread, if polls_are_same() for both and the previous call found
 * the work pending; otherwise NULL. A thread that makes other calls in between does not wait. */
const struct trace_call *polls_before(const struct polls *polls, const struct trace_call *call);

/* Remembers the call as its thread's last one. */
void polls_note(struct polls *polls, const struct trace_call *call);

#endif
