/*
 * Non-overlapping address ranges, each with a value: such as who wrote the memory last.
 *
 * Zero-initialize a struct ranges; free it by ranges_free(). ranges_set() and ranges_next() take
 * O(log n), also for a program that streams through ever-new memory. One thread at a time.
 */
#ifndef STREAMTRACE_RANGES_H
#define STREAMTRACE_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end; /* [start, end) */
	uint32_t value;
};

struct range_node;

struct ranges {
	struct range_node *nodes; /* node 0 stands for none */
	uint32_t root, free;	  /* indexes in nodes; free nodes are linked by their left */
	size_t count, capacity;	  /* of nodes, free ones included */
};

/* Gives [start, end) the value, replacing former values there. start must be below end. */
void ranges_set(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t value);

/* Iterates over the ranges that overlap [start, end), in increasing order; NULL: no more. *cursor
 * must be 0 at first. The result is valid until the next ranges_set(). */
const struct range *ranges_next(const struct ranges *ranges, uint64_t start, uint64_t end,
				uint64_t *cursor);

void ranges_free(struct ranges *ranges);

#endif
