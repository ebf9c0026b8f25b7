/*
 * Where memory lies that a copy writes, and which pages are its alone: what first_use.c asks of the
 * driver, of the heap and of what was pinned.
 */
#ifndef STREAMTRACE_FIRST_USE_PLACES_H
#define STREAMTRACE_FIRST_USE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_BYTES 4096u
#define PAGE_UP(x) (((x) + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1))

enum place { PLACE_UNKNOWN, PLACE_PAGEABLE, PLACE_PINNED, PLACE_DEVICE };

/* Finds the driver's queries; false: it has none. Takes the loader's lock, the first time. */
bool places_start(void);

/* Around the queries: a capture that is under way is to take none of them amiss. */
void places_enter(void);
void places_leave(void);

/* The rest after places_start(). Queries without side effects; the driver has no last error.
 * Managed memory is at an unknown place. */
enum place place_of(uint64_t address);
/* Whether what is enqueued there is captured into a graph, and not run. */
bool place_is_captured(uint64_t stream);
/* Whether the stream waits for the legacy default stream. */
bool place_is_blocking_stream(uint64_t stream);
/* With heterogeneous memory management a kernel reaches the heap, as our protection leaves it. */
bool place_kernels_reach_the_heap(void);

/* A destination on the calling thread's stack. */
bool place_is_on_stack(uint64_t address, uint64_t size_bytes);

/* Pinned memory. With first_use.c's lock held. */
struct pinned {
	uintptr_t address;
	size_t size_bytes;  /* 0: none */
	bool is_registered; /* the program's own memory */
};
void pinned_note(struct pinned pinned);
/* The one that holds the address, or an empty one. */
struct pinned pinned_find(uintptr_t address);
void pinned_forget(uintptr_t address);
void pinned_forget_all(void);

/* The pages that hold nothing but the destination: none where *low >= *high. pinned: as
 * pinned_find() says, or empty. Reads the heap's words before a pageable destination. */
void place_find_pages(uint64_t address, uint64_t size_bytes, enum place place,
		      const struct pinned *pinned, uintptr_t *low, uintptr_t *high);

#endif
