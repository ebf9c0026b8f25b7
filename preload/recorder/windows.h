/*
 * Windows: when the program is recorded.
 *
 * STREAMTRACE_START=now opens one when the tracing starts; the program (streamtrace.h), a signal or
 * cudaProfilerStart() and cudaProfilerStop() open and close further ones. Any thread may at any
 * time, in a signal handler too: it queues the change and sets the recorder's state, no lock. The
 * writer thread takes the queue and makes rows of it (store/window_rows.h).
 *
 * Between windows the writer thread switches off what costs the program time (life/pause.h). Then a
 * window begins when it is on again: whoever opens one waits for that.
 */
#ifndef STREAMTRACE_WINDOWS_H
#define STREAMTRACE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

/* windows.cause of schema.sql, in the order of cause_names[] in store/window_rows.c. */
enum window_cause { WINDOW_START, WINDOW_CALL, WINDOW_SIGNAL, WINDOW_PROFILER };

/* Reads the options; installs the handler of STREAMTRACE_SIGNAL. Constructor, once. */
void windows_initialize(void);

/* No change when it is so already, nor when 256 changes wait for the writer. To open one may take
 * some 0.1 ms, in a signal handler that interrupted CUPTI half a second: the window begins later
 * then. */
void windows_open(enum window_cause cause);
void windows_close(enum window_cause cause);

/* Whether cudaProfilerStart() and cudaProfilerStop() open and close windows. */
bool windows_follow_profiler(void);

/* The tracing starts: before the writer does. */
void windows_begin(void);

/* Sets the recorder, where it is on or paused, to the last request. Any thread. */
void windows_apply(void);

/* In a forked child: windows are as they were, and none has a row. */
void windows_after_fork(void);

/* The recording was switched on or off; ns of CLOCK_REALTIME. */
struct window_change {
	bool opens; /* opens a window; else closes it */
	enum window_cause cause;
	int64_t time_ns; /* two threads may have read the clock in the other order */
};

/* For what a window needs, beyond the recorder. Writer thread, all three. */
/* Whether a window is open, or was, among the changes that were not taken yet. */
bool windows_are_wanted(void);
/* Windows begin from now on when windows_resume() is called. False: no, for one is wanted. */
bool windows_suspend(void);
void windows_resume(void);

/* The oldest change that was not taken yet; false: there is none. Writer thread. */
bool windows_next_change(struct window_change *next);

#endif
