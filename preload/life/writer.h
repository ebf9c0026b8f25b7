/*
 * The writer: our one thread, which empties the rings and CUPTI's buffers into the file.
 *
 * It blocks all signals. The writer wakes every 50 ms, or when a thread has made 8,192 calls. Four
 * times a second it asks CUPTI for complete records and commits, so that what was recorded survives
 * a kill. Only the writer uses the file. The program's threads wait for the writer only at an exit,
 * exec or opening of a window, and when there is no room for their records (recorder/ring.h); each
 * wait is bounded.
 */
#ifndef STREAMTRACE_WRITER_H
#define STREAMTRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* How the program ended: values of metadata key end in schema.sql, in the order of end_names[] in
 * writer.c. */
enum writer_end {
	WRITER_END_RUNNING,
	WRITER_END_EXIT,
	WRITER_END_DIRECT_EXIT,
	WRITER_END_ABORT,
	WRITER_END_EXEC
};

/* Notes which signals the calling thread blocks. Call before writer_start(), on the same thread. */
void writer_note_signals(void);

/* Starts the thread, which opens the file at the first record. Call once in a process, on a thread
 * of the program: the file's name and the environment are taken now, since the program may change
 * both. has_device_records: called by the writer when CUPTI has handed over records. False: no
 * thread could be made; the user was told. */
bool writer_start(void (*has_device_records)(void));

/* Wakes the writer if it sleeps. Any thread; usually costs one load. */
void writer_wake(void);

/* Asks the writer to flush for the last time and close the file, within timeout_ms; only the first
 * call counts. Does not wait. Any thread; async-signal-safe, like the next two. */
void writer_stop(enum writer_end end, long timeout_ms);

/* Waits until the writer has ended. If writer_stop() was called, even during the wait, the wait
 * ends at the latest when the first writer_stop()'s timeout is over; otherwise after timeout_ms.
 * True: the writer has ended, or there is none. False: the time is over. Never joins the thread. */
bool writer_wait_stopped(long timeout_ms);

/* Prints on standard error that the wait of timeout_ms was too short, if anything was recorded. */
void writer_say_late(long timeout_ms);

/* writer_flush_for_exec() flushes before an exec: after it the trace is a single file, whose
 * metadata key end is "exec". Returns when that is done, or after timeout_ms; soon, if the trace
 * has no file yet. Call writer_goes_on() if the exec failed. Any thread, while a writer runs. */
void writer_flush_for_exec(long timeout_ms);
void writer_goes_on(void);

/* Call in a forked child: forgets the parent's thread and database connection. The child may start
 * its own. */
void writer_after_fork(void);

#endif
