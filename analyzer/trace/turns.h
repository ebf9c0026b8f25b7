/*
 * Whether threads wait for each other: a framework's own thread for the backward pass, for which that of
 * Python waits. One thread.
 */
#ifndef STREAMTRACE_TRACE_TURNS_H
#define STREAMTRACE_TRACE_TURNS_H

#include "base/vector.h"
#include "trace/trace.h"

/* Those that give the device work, if no two of them are ever in a call at once and each makes many calls in a
 * row: threads that run side by side alternate by chance, a call or two at a time. Other threads, such as one that
 * looks every now and then whether an event is done, say nothing about it. */
struct turns {
	struct map threads; /* ids; none where threads take no turns */
};

/* Freed with turns_free(). */
struct turns turns_find(const struct trace *trace);

static inline bool turns_has(const struct turns *turns, uint32_t thread_id)
{
	return map_find(&turns->threads, thread_id) != MAP_NONE;
}

void turns_free(struct turns *turns);

#endif
