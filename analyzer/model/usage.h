/*
 * How much of an engine was in use, at each time: when there was room beside what ran.
 *
 * Zero-initialize a struct usage; free with usage_free(). Building it costs O(n log n), a question
 * O(log n), however many operations ran beside each other.
 */
#ifndef STREAMTRACE_USAGE_H
#define STREAMTRACE_USAGE_H

#include "model/occupancy.h"
#include "model/span.h"

#include <stddef.h>

/* One operation. */
struct usage_use {
	struct span span;
	struct occupancy occupancy;
};

struct usage_block;

struct usage {
	/* Steps, the first of which is before all: when each begins, and the sum of the shares from
	 * then on until the next one. */
	int64_t *times_ns;
	uint32_t *used;
	size_t step_count;
	struct usage_block *blocks; /* a heap-shaped tree over blocks of steps */
	size_t leaf_count;
};

/* The uses are in the order of their starts. work_ns[count] becomes what each use was of the whole
 * engine: its time by its share; where the shares of several come to more than the engine has, they
 * divide it. No use's last wave counts as less than the whole: that is the caller's matter. */
void usage_build(struct usage *usage, const struct usage_use *uses, size_t count, int64_t *work_ns);

/* The last stretch of the span in which there was room for the share; empty: there was none. */
struct span usage_last_room(const struct usage *usage, struct span span, uint32_t share);

/* The span from when on there was room for the share for the first time; empty: there was none. */
struct span usage_from_first_room(const struct usage *usage, struct span span, uint32_t share);

void usage_free(struct usage *usage);

#endif
