/*
 * A heap of events, the earliest first: such as when tasks give back shares of their engine, and
 * when tasks are ready.
 *
 * Zero-initialize a struct event_heap; event_heap_free() it. If memory runs out, the program ends
 * (memory.h). One thread.
 */
#ifndef STREAMTRACE_EVENT_HEAP_H
#define STREAMTRACE_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
	int64_t time_ns;
	uint32_t index; /* the user's number, such as a task's */
	uint32_t share; /* the user's, such as the share that a task gives back */
};

struct event_heap {
	struct event *events; /* events[0] is the earliest; of equal times, the one with the
			       * smallest index */
	size_t count, capacity;
};

static inline bool event_is_before(struct event a, struct event b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.index < b.index;
}

void event_heap_push(struct event_heap *heap, struct event event);

/* Removes the earliest event and returns it. count must be above 0. */
struct event event_heap_pop(struct event_heap *heap);

void event_heap_free(struct event_heap *heap);

#endif
