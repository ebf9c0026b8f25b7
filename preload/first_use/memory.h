/*
 * What kind of memory a copy writes, and which pages are its alone: from the driver, the heap and
 * the pinned ranges, for first_use.c.
 *
 * On the program's threads, inside its calls; memory of which this is not known is of an unknown
 * kind.
 */
#ifndef STREAMTRACE_FIRST_USE_MEMORY_H
#define STREAMTRACE_FIRST_USE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_type {
	MEMORY_TYPE_UNKNOWN,
	MEMORY_TYPE_PAGEABLE,
	MEMORY_TYPE_PINNED,
	MEMORY_TYPE_DEVICE
};

/* Finds the driver's queries; false: it has none. Takes the loader's lock, the first time. */
bool memory_find_driver(void);

/* Around the queries: without it a stream capture that is under way would be invalidated. */
void memory_queries_begin(void);
void memory_queries_end(void);

/* The rest after memory_find_driver(). Queries without side effects; the driver has no last error.
 * Managed memory is of an unknown kind. */
enum memory_type memory_type_of(uint64_t address);
/* Whether what is enqueued there is captured into a graph, and not run. */
bool memory_stream_is_captured(uint64_t stream);
/* Whether the stream waits for the legacy default stream. */
bool memory_stream_is_blocking(uint64_t stream);
/* With heterogeneous memory management a kernel reaches the heap, as our protection leaves it. */
bool memory_heap_is_reachable(void);

/* A destination on the calling thread's stack. */
bool memory_is_on_stack(uint64_t address, uint64_t size_bytes);

/* Pinned memory. With first_use.c's lock held. */
struct pinned {
	uintptr_t address;
	size_t size_bytes;  /* 0: none */
	bool is_registered; /* the program's own memory */
};
void pinned_note(struct pinned pinned);
/* The one with this address in it, or an empty one. */
struct pinned pinned_find(uintptr_t address);
void pinned_forget(uintptr_t address);
void pinned_forget_all(void);

/* The pages that lie wholly in the destination: none where *low >= *high. pinned: as pinned_find()
 * says, or empty. Reads the heap's words before a pageable destination. */
void memory_find_pages(uint64_t address, uint64_t size_bytes, enum memory_type type,
		       const struct pinned *pinned, uintptr_t *low, uintptr_t *high);

#endif
