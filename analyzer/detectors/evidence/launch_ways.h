/*
 * From which place in the program to which next one the host works long, and how often: what takes
 * long only now and then was a thread that was kept waiting, and not work. One thread.
 */
#ifndef STREAMTRACE_LAUNCH_WAYS_H
#define STREAMTRACE_LAUNCH_WAYS_H

#include "base/vector.h"
#include "trace/trace.h"

/* From one call stack and function to the next ones. */
struct launch_way {
	size_t times, long_times;
};

/* Zero-initialize it. */
struct launch_ways {
	struct map index; /* of them by a hash */
	VECTOR(struct launch_way) all;
};

/* before may be NULL: there was none. */
void launch_ways_note(struct launch_ways *ways, const struct trace_call *before,
		      const struct trace_call *call, bool is_long);

/* Whether it was not long in most of the times that were noted. */
bool launch_ways_is_rarely_long(const struct launch_ways *ways, const struct trace_call *before,
				const struct trace_call *call);

void launch_ways_free(struct launch_ways *ways);

#endif
