/*
 * What will happen, the earliest first: when tasks give back shares of their engine, and when tasks
 * are ready.
 *
 * Zero-initialize a struct event_heap; free with event_heap_free(). Out of memory ends the program
 * (memory.h). One thread.
 */
#ifndef STREAMTRACE_EVENT_HEAP_H
#define STREAMTRACE_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
	int64_t time_ns;
	uint32_t index; /* whose it is */
	uint32_t share; /* what it gives back; its user's matter */
};

struct event_heap {
	struct event *events; /* [0] is the first to happen; equal ones by index */
	size_t count, capacity;
};

static inline bool event_is_before(struct event a, struct event b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.index < b.index;
}

void event_heap_push(struct event_heap *heap, struct event event);

/* The first one, taken out. count > 0. */
struct event event_heap_pop(struct event_heap *heap);

void event_heap_free(struct event_heap *heap);

#endif
