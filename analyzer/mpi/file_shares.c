#include "mpi/file_shares.h"

#include "base/memory.h"

#include <stdlib.h>

/* A process, in a heap with the one that is to get the next file on top. */
struct load {
	uint64_t bytes;
	size_t files;
	unsigned process;
};

struct sized {
	uint64_t bytes;
	size_t index;
};

static int compare_sizes(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static int is_before(const struct load *a, const struct load *b)
{
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes;
	return a->files != b->files ? a->files < b->files : a->process < b->process;
}

/* The one on top has got more. */
static void sink_top(struct load *heap, unsigned count)
{
	for (unsigned i = 0, least;; i = least) {
		struct load load = heap[i];

		least = i;
		for (unsigned child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
			if (is_before(&heap[child], &heap[least]))
				least = child;
		if (least == i)
			return;
		heap[i] = heap[least];
		heap[least] = load;
	}
}

unsigned *spread_files(const uint64_t *bytes, size_t count, unsigned processes)
{
	unsigned *process_of = memory_array(count ? count : 1, sizeof(*process_of));
	struct sized *sized = memory_array(count ? count : 1, sizeof(*sized));
	struct load *heap = memory_array(processes, sizeof(*heap));

	for (unsigned i = 0; i < processes; i++)
		heap[i].process = i;
	for (size_t i = 0; i < count; i++)
		sized[i] = (struct sized){bytes[i], i};
	qsort(sized, count, sizeof(*sized), compare_sizes);
	for (size_t i = 0; i < count; i++) {
		process_of[sized[i].index] = heap->process;
		if (__builtin_add_overflow(heap->bytes, sized[i].bytes, &heap->bytes))
			heap->bytes = UINT64_MAX;
		heap->files++;
		sink_top(heap, processes);
	}
	free(sized);
	free(heap);
	return process_of;
}
