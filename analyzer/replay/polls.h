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
	struct map
		last; /* of a thread: its last query that found work pending, index in trace.calls */
};

void polls_free(struct polls *polls);

bool polls_is_query(const struct trace_call *call);

/* Whether the query says that the work is pending. */
bool polls_is_pending(const struct trace_call *query);

/* Whether both ask for the same. */
bool polls_are_same(const struct trace_call *query, const struct trace_call *other);

/* The last query of the call's thread before it that found work pending, where both ask for the same;
 * NULL: there is none, or the call is no query. */
const struct trace_call *polls_before(const struct polls *polls, const struct trace_call *call);

/* Passes a query. */
void polls_note(struct polls *polls, const struct trace_call *query);

#endif
