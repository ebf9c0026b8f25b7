/*
 * What was lost, counted by kind until the writer thread makes rows of it (life/loss_rows.h).
 *
 * Any thread, signal handlers too: an atomic operation each, nothing that can fail.
 */
#ifndef STREAMTRACE_LOSSES_H
#define STREAMTRACE_LOSSES_H

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

/* Adds to what was lost since losses_take(). */
void losses_count(enum loss loss, uint64_t count);

/* What was counted of this kind; the count begins anew. */
uint64_t losses_take(enum loss loss);

/* losses.kind of schema.sql; static. */
const char *losses_name(enum loss loss);

/* In a forked child: the counts are the parent's. */
void losses_after_fork(void);

#endif
