#include "base/event_heap.h"

#include "base/memory.h"

#include <stdlib.h>

void event_heap_push(struct event_heap *heap, struct event event)
{
	size_t i;

	if (heap->count == heap->capacity)
		heap->events =
			memory_grow(heap->events, heap->count, &heap->capacity, sizeof(event));
	for (i = heap->count++; i > 0 && event_is_before(event, heap->events[(i - 1) / 2]);
	     i = (i - 1) / 2)
		heap->events[i] = heap->events[(i - 1) / 2];
	heap->events[i] = event;
}

struct event event_heap_pop(struct event_heap *heap)
{
	struct event top = heap->events[0], last = heap->events[--heap->count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    event_is_before(heap->events[child + 1], heap->events[child]))
			child++;
		if (!event_is_before(heap->events[child], last))
			break;
		heap->events[i] = heap->events[child];
		i = child;
	}
	if (heap->count)
		heap->events[i] = last;
	return top;
}

void event_heap_free(struct event_heap *heap)
{
	free(heap->events);
	*heap = (struct event_heap){0};
}
