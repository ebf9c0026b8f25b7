/*
 * How much of an engine was in use at each time, and so when it had room for more.
 *
 * Zero-initialize a struct usage; free it by usage_free(). Building takes O(n log n), a query O(log
 * n), however many operations overlap. One thread builds it; afterwards any thread may query.
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
	/* By step: when the step begins, and the sum of shares in use until the next step. The
	 * first step is before everything. */
	int64_t *times_ns;
	uint32_t *used;
	size_t step_count;
	struct usage_block *blocks; /* a heap-shaped tree over blocks of steps */
	size_t leaf_count;	    /* of the tree: blocks[leaf_count] is the first leaf */
};

/* Builds *usage; uses must be sorted by start and may be freed afterwards. Also fills in
 * work_ns[count]: each use's duration times its share. Where the shares of several uses exceed the
 * engine, they divide it. A kernel's last wave counts in work_ns as a whole wave; the caller must
 * correct for it. */
void usage_build(struct usage *usage, const struct usage_use *uses, size_t count, int64_t *work_ns);

/* The last part of the span during all of which the engine had room for the share; empty: none. */
struct span usage_last_room(const struct usage *usage, struct span span, uint32_t share);

/* The part of the span from the first time on when the engine had room for the share; it may have
 * had no room later. Empty: it never had room. */
struct span usage_from_first_room(const struct usage *usage, struct span span, uint32_t share);

void usage_free(struct usage *usage);

#endif
