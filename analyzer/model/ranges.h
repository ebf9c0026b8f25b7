/*
 * Who wrote each piece of memory last: non-overlapping address ranges, each with a value.
 *
 * Zero-initialize a struct ranges; free with ranges_free(). A set or a step of an iteration costs
 * O(log n), also where a program streams through ever-new memory (a million ranges in an array took
 * minutes).
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
	struct range_node *nodes; /* node 0 is none */
	uint32_t root, free;	  /* free ones hang together by their left */
	size_t count, capacity;	  /* of nodes, free ones among them */
};

/* [start, end) has the value from now on, whatever it had before. start < end. */
void ranges_set(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t value);

/* The ranges that overlap [start, end), one a call, NULL after the last. *cursor is 0 at first and
 * then belongs to the iteration. The result is good until the next ranges_set(). */
const struct range *ranges_next(const struct ranges *ranges, uint64_t start, uint64_t end,
				uint64_t *cursor);

void ranges_free(struct ranges *ranges);

#endif
