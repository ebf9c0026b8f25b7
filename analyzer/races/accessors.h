/*
 * Who accessed each piece of memory last: of each stream the last writer and the last reader that later ones are not
 * ordered behind. One thread.
 */
#ifndef STREAMTRACE_ACCESSORS_H
#define STREAMTRACE_ACCESSORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An operation that accesses memory. */
struct accessor {
	uint32_t operation;	 /* index in trace.operations */
	uint32_t stream, number; /* clocks_enter() of its stream's clock */
	bool is_written;
	bool is_exact; /* it accesses each of the bytes */
};

struct accessors_user {
	void *context;
	/* Both accessed the same memory, in different streams, and one of them wrote it. */
	void (*take)(void *context, const struct accessor *before, const struct accessor *now);
	/* Whether `before` must be remembered beside `now`, which has written the same memory. */
	bool (*is_unordered)(void *context, const struct accessor *before,
			     const struct accessor *now);
};

struct accessors;

/* Free by accessors_free(). */
struct accessors *accessors_create(struct accessors_user user);
void accessors_free(struct accessors *accessors);

/* `now` accesses [start, end). Calls take() for each accessor that it conflicts with. */
void accessors_enter(struct accessors *accessors, uint64_t start, uint64_t end,
		     const struct accessor *now);

/* Calls take() for each accessor of [start, end) that is remembered; one may come more than once. */
void accessors_each(const struct accessors *accessors, uint64_t start, uint64_t end,
		    void (*take)(void *context, const struct accessor *accessor), void *context);

/* How many are remembered, and at most as many that no memory has any more; or some thousands. */
size_t accessors_remembered(const struct accessors *accessors);

/* [start, end) is new memory. */
void accessors_forget(struct accessors *accessors, uint64_t start, uint64_t end);

#endif
