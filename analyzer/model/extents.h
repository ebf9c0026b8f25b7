/*
 * Extents of memory that do not overlap, each with a value, such as who wrote the memory last.
 *
 * Zero-initialize a struct extents; free it by extents_free(). extents_set() and extents_next()
 * take O(log n), also for a program that streams through ever-new memory, and less where addresses recur.
 * One thread at a time.
 */
#ifndef STREAMTRACE_EXTENTS_H
#define STREAMTRACE_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

struct extent {
	uint64_t start, end; /* [start, end) */
	uint32_t value;
};

struct extent_node;

struct extents {
	struct extent_node *nodes; /* node 0 stands for none */
	uint32_t *recent;	   /* indexes in nodes, found last: by a hash of where */
	uint32_t root, free;	   /* indexes in nodes; free nodes are linked by their left */
	size_t count, capacity;	   /* of nodes, free ones included */
};

/* Gives [start, end) the value, replacing former values there; 0: it has none any more. start must be
 * below end. */
void extents_set(struct extents *extents, uint64_t start, uint64_t end, uint32_t value);

/* Iterates over the extents that overlap [start, end), in increasing order; NULL: no more. *cursor
 * must be 0 at first. The result is valid until the next extents_set(). The iteration can go on if that gives exactly
 * an extent that was returned another value, but 0. */
const struct extent *extents_next(const struct extents *extents, uint64_t start, uint64_t end,
				  uint64_t *cursor);

void extents_free(struct extents *extents);

#endif
