/*
 * Counts how often the host works long between two places of the program. Work that is long only
 * now and then was a thread kept waiting, not work. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_WAYS_H
#define STREAMTRACE_LAUNCH_WAYS_H

#include "base/vector.h"
#include "trace/trace.h"

/* How often one call stack and function followed another, and how often after long work. */
struct launch_way {
	size_t times, long_times;
};

/* Zero-initialize it; launch_ways_free() it. */
struct launch_ways {
	struct map index; /* from a hash of both places to an index in all */
	VECTOR(struct launch_way) all;
};

/* Notes one such way. before: the call before, or NULL: none. is_long: the host worked long in
 * between. */
void launch_ways_note(struct launch_ways *ways, const struct trace_call *before,
		      const struct trace_call *call, bool is_long);

/* Whether the way was not long in most of the times noted. */
bool launch_ways_is_rarely_long(const struct launch_ways *ways, const struct trace_call *before,
				const struct trace_call *call);

void launch_ways_free(struct launch_ways *ways);

#endif
