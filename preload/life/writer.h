/*
 * The writer: one thread of ours that empties the rings and CUPTI's buffers into the file.
 *
 * It blocks all signals, wakes every 50 ms or when a thread has made 8,192 calls, and four times a
 * second asks CUPTI for what is complete and commits: what was recorded survives a kill. Only this
 * thread touches the file; the program's threads never wait for it, except exit, which has a bound.
 */
#ifndef STREAMTRACE_WRITER_H
#define STREAMTRACE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

/* How the program ended: metadata end of schema.sql, in the order of end_names[] in writer.c. */
enum writer_end {
	WRITER_END_RUNNING,
	WRITER_END_EXIT,
	WRITER_END_DIRECT_EXIT,
	WRITER_END_ABORT,
	WRITER_END_EXEC
};

/* Before writer_start(), on the same thread with the signals blocked that the program blocks. */
void writer_note_signals(void);

/* Starts the thread; false when there is none. The file is opened by the thread, under the name
 * and with the environment of this moment. On the program's thread: it may change both later.
 * has_device_records: called by the thread when CUPTI has handed over something. */
bool writer_start(void (*has_device_records)(void));

/* Wakes the thread if it sleeps. Any thread; one load unless it does sleep. */
void writer_wake(void);

/* Asks for the last flush and the close: the first call counts. Any thread, async-signal-safe, as the
 * next two. */
void writer_stop(enum writer_end end, long timeout_ms);

/* Waits for the writer's end, until the time that writer_stop() set; where nobody has called it, for
 * timeout_ms. True at once when there is no writer. False: the time is over. Never joins the thread. */
bool writer_wait_stopped(long timeout_ms);

/* Says on standard error that the wait was in vain, if anything was recorded. timeout_ms: what it was. */
void writer_say_late(long timeout_ms);

/* A flush before an exec, after which the trace is one file, and says that the program ends so; returns when
 * that is done, after timeout_ms, or at once when there is no file.
 * writer_goes_on(): the exec has failed. */
void writer_flush_for_exec(long timeout_ms);
void writer_goes_on(void);

/* In a forked child: the thread and its connection are the parent's; it may start its own. */
void writer_after_fork(void);

#endif
