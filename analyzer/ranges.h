/*
 * Who wrote each piece of memory last: non-overlapping address ranges, each with a value.
 *
 * Zero-initialize a struct ranges; free with ranges_free(). Setting costs O(log n) to find the
 * place and O(n) to move what is behind it when a new range appears: programs copy to the same few
 * buffers again and again, so new ranges are rare.
 */
#ifndef STREAMTRACE_RANGES_H
#define STREAMTRACE_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end; /* [start, end) */
	uint32_t value;
};

struct ranges {
	struct range *items; /* by start */
	size_t count, capacity;
};

/* [start, end) has the value from now on, whatever it had before. start < end. */
void ranges_set(struct ranges *ranges, uint64_t start, uint64_t end, uint32_t value);

/* The ranges that overlap [start, end), one a call, NULL after the last. *place is 0 at first and
 * then belongs to the iteration. */
const struct range *ranges_next(const struct ranges *ranges, uint64_t start, uint64_t end,
				size_t *place);

void ranges_free(struct ranges *ranges);

#endif
