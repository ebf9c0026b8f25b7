/*
 * A heap of events, the earliest first. A replay keeps two: when tasks are ready, and when they
 * give back their shares of an engine.
 *
 * Zero-initialize a struct event_heap; event_heap_free() it. If memory runs out, the program ends
 * (memory.h). Each heap must be used by one thread at a time.
 */
#ifndef STREAMTRACE_EVENT_HEAP_H
#define STREAMTRACE_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
	int64_t time_ns;
	uint32_t index; /* the caller's number, such as a task's index */
	uint32_t share; /* the caller's number, such as the share that the task gives back */
};

struct event_heap {
	struct event *events; /* events[0] is the earliest; of equal times, the one with the
			       * smallest index */
	size_t count, capacity;
};

/* Whether a comes before b in the heap. */
static inline bool event_is_before(struct event a, struct event b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.index < b.index;
}

/* Adds the event; the heap keeps a copy. */
void event_heap_push(struct event_heap *heap, struct event event);

/* Removes the earliest event and returns it. heap->count must be above 0. */
struct event event_heap_pop(struct event_heap *heap);

/* Frees the events; the heap is empty afterwards and can be used again. */
void event_heap_free(struct event_heap *heap);

#endif
