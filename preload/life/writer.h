/*
 * The writer: our one thread, which empties the rings and CUPTI's buffers into the file.
 *
 * It blocks all signals. It wakes every 50 ms, or when a thread has made 8,192 calls. Four times a
 * second it asks CUPTI for complete records and commits, so that what was recorded survives a kill.
 * Only this thread uses the file. The program's threads never wait for it, except in exit, for a
 * bounded time.
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

/* Starts the thread, which opens the file. Call on a thread of the program: the file's name and the
 * environment are taken now, since the program may change both. has_device_records: called by the
 * writer when CUPTI has handed over records. False: no thread could be made. */
bool writer_start(void (*has_device_records)(void));

/* Wakes the writer if it sleeps. Any thread; usually costs one load. */
void writer_wake(void);

/* Asks the writer to flush for the last time and close the file, within timeout_ms; only the first
 * call counts. Does not wait. Any thread; async-signal-safe, like the next two. */
void writer_stop(enum writer_end end, long timeout_ms);

/* Waits until the writer has ended, up to the limit set by writer_stop(), or without that for
 * timeout_ms. True: ended, or there is no writer. False: the time is over. Never joins the
 * thread. */
bool writer_wait_stopped(long timeout_ms);

/* Prints on standard error that the wait of timeout_ms was too short, if anything was recorded. */
void writer_say_late(long timeout_ms);

/* Flushes before an exec: afterwards the trace is a single file whose metadata has this end.
 * Returns when that is done, after timeout_ms, or at once if there is no file. Call
 * writer_goes_on() if the exec failed. */
void writer_flush_for_exec(long timeout_ms);
void writer_goes_on(void);

/* Call in a forked child: forgets the parent's thread and database connection. The child may start
 * its own. */
void writer_after_fork(void);

#endif
