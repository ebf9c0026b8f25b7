/*
 * The writer: one thread of ours that empties the rings and CUPTI's buffers into the file.
 *
 * It blocks all signals, wakes every 50 ms or when a ring has filled a quarter, and four times a
 * second asks CUPTI for what is complete and commits: what was recorded survives a kill. Only this
 * thread touches the file; the program's threads never wait for it, except exit, which has a bound.
 */
#ifndef STREAMTRACE_WRITER_H
#define STREAMTRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* losses.kind of schema.sql, in the order of loss_names[] in writer.c. */
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
	LOSS_COUNT
};

/* Starts the thread. False when it cannot be had. The file is opened by the thread, under the name
 * and with the environment of this moment. On the program's thread: it may change both later. */
bool writer_start(void);

/* Wakes the thread if it sleeps. Any thread; one load unless it does sleep. */
void writer_wake(void);

/* Adds to what was lost since the last flush. Any thread, no lock. */
void writer_count_loss(enum loss loss, uint64_t count);

/* Last flush, close; returns when that is done or after timeout_ms. Never joins the thread. */
void writer_stop(long timeout_ms);

/* True once the exit has waited so long that what is left is to be counted, not stored. Writer
 * thread. */
bool writer_is_late(void);

/* In a forked child: the thread and its connection are the parent's. */
void writer_after_fork(void);

#endif
