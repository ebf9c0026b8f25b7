/*
 * What was lost, counted by kind until the writer makes rows of it: losses of schema.sql.
 *
 * losses_count() is for any thread, without a lock; the rest is the writer thread's.
 */
#ifndef STREAMTRACE_LOSSES_H
#define STREAMTRACE_LOSSES_H

#include "store/store.h"

#include <stdint.h>

/* losses.kind of schema.sql, in the order of names[] in losses.c. */
enum loss {
	LOSS_RING_OVERFLOW,
	LOSS_CORRELATION,
	LOSS_EXIT_TIMEOUT,
	LOSS_BACKWARD_CALL,
	LOSS_CUPTI_DROPPED,
	LOSS_CUPTI_DISCARDED,
	LOSS_UNTIMED,
	LOSS_UNKNOWN_RECORD,
	LOSS_CUPTI_ERROR,
	LOSS_HOST_FUNCTION,
	LOSS_STACK_TABLE_FULL,
	LOSS_ARGUMENTS,
	LOSS_FIRST_USE,
	LOSS_FIRST_USE_SMALL,
	LOSS_COUNT
};

/* Adds to what was lost since losses_store(). */
void losses_count(enum loss loss, uint64_t count);

/* A row for each kind that has a count by now; the counts begin anew. */
void losses_store(struct store *store);

/* A row at once, where it is known which thread lost it; none for a count of 0. */
void losses_store_of_thread(struct store *store, enum loss loss, uint64_t count,
			    uint32_t thread_id);

/* In a forked child: the counts are the parent's. */
void losses_after_fork(void);

#endif
