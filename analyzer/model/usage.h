/*
 * How much of an engine was in use at each time, and so when it had room for more.
 *
 * Zero-initialize a struct usage; free it by usage_free(). Building takes O(n log n), a query O(log
 * n), however many operations overlap. Queries may come from any thread.
 */
#ifndef STREAMTRACE_USAGE_H
#define STREAMTRACE_USAGE_H

#include "model/occupancy.h"
#include "model/span.h"

#include <stddef.h>

/* One operation's use of the engine. */
struct usage_use {
	struct span span;
	struct occupancy occupancy;
};

struct usage_block;

struct usage {
	/* Steps: when each begins, and the sum of shares in use until the next one. The first is
	 * before everything. */
	int64_t *times_ns;
	uint32_t *used;
	size_t step_count;
	struct usage_block *blocks; /* a heap-shaped tree over blocks of steps */
	size_t leaf_count;
};

/* Builds *usage; uses must be sorted by start. Also sets work_ns[count]: each use's duration times
 * its share; if several uses' shares exceed the engine, they divide it. A kernel's last wave counts
 * as a whole one; the caller must correct for it. */
void usage_build(struct usage *usage, const struct usage_use *uses, size_t count, int64_t *work_ns);

/* The last part of the span in which there was room for the share; empty: none. */
struct span usage_last_room(const struct usage *usage, struct span span, uint32_t share);

/* The span from the first time on when there was room for the share; empty: never. */
struct span usage_from_first_room(const struct usage *usage, struct span span, uint32_t share);

void usage_free(struct usage *usage);

#endif
