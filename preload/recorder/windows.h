/*
 * Windows: when the program is recorded.
 *
 * STREAMTRACE_START=now opens one when the tracing starts; the program (streamtrace.h), a signal or
 * cudaProfilerStart() and cudaProfilerStop() open and close further ones. Any thread may at any
 * time, in a signal handler too: it queues the change and sets the recorder's state, no lock, no
 * system call. The writer turns the queue into rows, and tells by them which records of the device
 * to keep: an operation belongs to a window when it ran in one or its call was made in one.
 */
#ifndef STREAMTRACE_WINDOWS_H
#define STREAMTRACE_WINDOWS_H

#include "store/store.h"

#include <stdbool.h>
#include <stdint.h>

/* windows.cause of schema.sql, in the order of cause_names[] in windows.c. */
enum window_cause { WINDOW_START, WINDOW_CALL, WINDOW_SIGNAL, WINDOW_PROFILER };

/* Reads the options; installs the handler of STREAMTRACE_SIGNAL. Constructor, once. */
void windows_initialize(void);

/* No change when it is so already, nor when 256 changes wait for the writer. */
void windows_open(enum window_cause cause);
void windows_close(enum window_cause cause);

/* Whether cudaProfilerStart() and cudaProfilerStop() open and close windows. */
bool windows_follow_profiler(void);

/* The tracing starts: before the writer does. */
void windows_begin(void);

/* Sets the recorder, where it is on or paused, to what was asked for last. Any thread. */
void windows_apply(void);

/* In a forked child: windows are as they were, and none has a row. */
void windows_after_fork(void);

/* The writer thread's side. windows_take(): new rows for what has changed; to be called before the
 * records of the rings are read, as a window's change comes before its calls. */
void windows_take(struct store *store);
bool windows_are_open(void);

/* A call of this start has this correlation id. */
void windows_note_call(int64_t start_ns, uint32_t correlation_id);

/* Whether the trace has times that are outside of every window. */
bool windows_are_partial(void);

/* Whether something of the device belongs to a window. Times of 0: unknown. */
bool windows_hold(uint64_t start_ns, uint64_t end_ns, uint32_t correlation_id);

#endif
