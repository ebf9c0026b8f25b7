/*
 * For first_use.c: what kind of memory a copy writes to, and which pages belong to it alone. Asks
 * the driver, the heap's own words, and a list of pinned memory.
 *
 * Call on the program's threads, inside its CUDA calls.
 */
#ifndef STREAMTRACE_MEMORY_KIND_H
#define STREAMTRACE_MEMORY_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_type {
	MEMORY_TYPE_UNKNOWN,
	MEMORY_TYPE_PAGEABLE,
	MEMORY_TYPE_PINNED,
	MEMORY_TYPE_DEVICE
};

/* Looks the driver's functions up. False: some are missing; the other functions must not be
 * called. */
bool memory_find_driver(void);

/* Call both around the queries below, on the same thread: otherwise a query would invalidate a
 * running stream capture. */
void memory_queries_begin(void);
void memory_queries_end(void);

/* The kind of memory at the address; MEMORY_TYPE_UNKNOWN for managed memory and if the driver
 * fails. */
enum memory_type memory_type_of(uint64_t address);
/* True: work in the stream is captured into a graph, not run; also if the driver fails. */
bool memory_stream_is_captured(uint64_t stream);
/* Whether the stream synchronizes with the legacy default stream. */
bool memory_stream_is_blocking(uint64_t stream);
/* True: kernels can access the heap (heterogeneous memory management), and would meet our
 * protection; also if the driver fails. */
bool memory_heap_is_reachable(void);

/* True: the device goes by the host's page tables, even where memory is pinned; also if the driver
 * fails. */
bool memory_has_host_tables(void);
/* True: the kernel leaves pinned pages of the program where they are when they are written again
 * after they were protected. Linux 5.9 to 5.18 may give the program a copy of such a page: the
 * device would then go on with the old one. Memory allocated by CUDA is shared, and never copied. */
bool memory_keeps_pages(void);

/* Whether the range overlaps the calling thread's stack. */
bool memory_is_on_stack(uint64_t address, uint64_t size_bytes);

/* Whether the memory begins a block of malloc() and lies in it, and the block has a mapping of its own: nothing else is in its
 * pages. Any memory: what cannot be read has none. A system call or two. */
bool memory_has_own_pages(uintptr_t address, size_t size_bytes);

/* A pinned range. The caller of the next four functions must hold first_use.c's lock. pinned_note()
 * remembers a range, up to 4,096 at a time; further ones are not found. */
struct pinned {
	uintptr_t address;
	size_t size_bytes;  /* 0: none */
	bool is_registered; /* the program's own memory, registered later */
	bool is_read_only;  /* registered as such */
};
void pinned_note(struct pinned pinned);
/* The pinned range that contains the address; size_bytes 0: none. */
struct pinned pinned_find(uintptr_t address);
/* pinned_forget() forgets the range that contains the address, pinned_forget_all() all ranges. */
void pinned_forget(uintptr_t address);
void pinned_forget_all(void);
/* From now on the ranges that overlap [low, high) count as read only: they are not watched. Any thread, signal handlers too:
 * it takes no lock. */
void pinned_keep(uintptr_t low, uintptr_t high);

/* Stores in *low and *high the pages that belong to the destination alone; *low >= *high: none.
 * pinned: the result of pinned_find() for `address`. Reads the heap's words before a pageable
 * destination. */
void memory_find_pages(uint64_t address, uint64_t size_bytes, enum memory_type type,
		       const struct pinned *pinned, uintptr_t *low, uintptr_t *high);

#endif
