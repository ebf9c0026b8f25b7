/*
 * Finds threads that take turns. An example is a framework's thread for the backward pass, for
 * which Python's thread waits. One thread.
 */
#ifndef STREAMTRACE_TRACE_TURNS_H
#define STREAMTRACE_TRACE_TURNS_H

#include "base/vector.h"
#include "trace/trace.h"

/* The threads that enqueue work for the device, if no two of them are ever in a call at once, and
 * each makes many calls in a row; independent threads alternate after a call or two. Other threads,
 * such as one that sometimes polls an event, are ignored. */
struct turns {
	struct map threads; /* keys: thread ids; empty: threads take no turns */
};

/* Finds the threads of the trace, which need not outlive the result. Free it by turns_free(). */
struct turns turns_find(const struct trace *trace);

static inline bool turns_has(const struct turns *turns, uint32_t thread_id)
{
	return map_find(&turns->threads, thread_id) != MAP_NONE;
}

void turns_free(struct turns *turns);

#endif
