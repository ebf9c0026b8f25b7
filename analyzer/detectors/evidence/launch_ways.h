/*
 * Counts how often the host works long on the way from one call site to the next. If work on a way
 * is long only now and then, the thread was kept waiting there: that was no work. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_WAYS_H
#define STREAMTRACE_LAUNCH_WAYS_H

#include "base/vector.h"
#include "trace/trace.h"

/* A way: one call stack and function after another. How often the thread went this way, and how
 * often it worked long on the way. */
struct launch_way {
	size_t times, long_times;
};

/* Zero-initialize the struct, and free it by launch_ways_free(). */
struct launch_ways {
	struct map index; /* from a hash of both places to an index in all */
	VECTOR(struct launch_way) all;
};

/* Counts the way from `before` to `call`. before: the thread's call before, or NULL. is_long: the
 * host worked long in between. */
void launch_ways_note(struct launch_ways *ways, const struct trace_call *before,
		      const struct trace_call *call, bool is_long);

/* Whether fewer than half of the counts of this way were long. False if it was never counted. */
bool launch_ways_is_rarely_long(const struct launch_ways *ways, const struct trace_call *before,
				const struct trace_call *call);

void launch_ways_free(struct launch_ways *ways);

#endif
