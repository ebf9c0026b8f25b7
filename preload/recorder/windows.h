/*
 * Windows: the spans of time in which the program is recorded.
 *
 * STREAMTRACE_START=now opens one when the tracing starts. The program (streamtrace.h), a signal,
 * cudaProfilerStart() and cudaProfilerStop(), or NVTX ranges (nvtx/step_windows.h) open and close
 * further ones. Any thread may do so
 * at any time, in signal handlers too: the thread queues the change and sets the recorder's state,
 * without a lock. The writer thread takes the changes and stores them as rows
 * (store/window_rows.h).
 *
 * Between windows the writer thread switches off what costs the program time (life/pause.h). A
 * window then begins when all is on again; windows_open() waits for that.
 */
#ifndef STREAMTRACE_WINDOWS_H
#define STREAMTRACE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

/* The values of windows.cause in schema.sql, in the order of cause_names[] in
 * store/window_rows.c. */
enum window_cause { WINDOW_START, WINDOW_CALL, WINDOW_SIGNAL, WINDOW_PROFILER, WINDOW_STEP };

/* Opens the first window if the options say so, and installs the handler of STREAMTRACE_SIGNAL.
 * Call once, in the constructor. */
void windows_initialize(void);

/* windows_open() opens a window, windows_close() closes it. No effect if that is done already, or
 * if 256 changes wait for the writer. While things are switched off, windows_open() waits for the
 * writer, usually some 0.1 ms and at most some half a second. The most is reached in a signal
 * handler that interrupted CUPTI; the window then begins later, at windows_resume(). Any thread. */
void windows_open(enum window_cause cause);
void windows_close(enum window_cause cause);

/* How often STREAMTRACE_SIGNAL came. Any thread. */
uint32_t windows_signals(void);

/* True: cudaProfilerStart() and cudaProfilerStop() open and close windows. */
bool windows_follow_profiler(void);

/* Call when the tracing starts, before the writer thread does: forgets windows that were closed
 * before. */
void windows_begin(void);

/* Makes the recorder on or paused, as the last change wants. No effect if the recorder is idle or
 * off. Any thread. */
void windows_apply(void);

/* Call in a forked child: an open window stays open, and no window has a row yet. */
void windows_after_fork(void);

/* One change: a window was opened or closed. */
struct window_change {
	bool opens; /* true: opened, false: closed */
	enum window_cause cause;
	int64_t time_ns; /* ns of CLOCK_REALTIME; of two changes by different threads the later may
			  * have the smaller time */
};

/* The next three are called by the writer thread, to switch things off between windows. True: a
 * window is open, or a change was not taken yet. */
bool windows_are_wanted(void);
/* From now on a window begins only at windows_resume(). False: a window is wanted, and nothing has
 * changed. */
bool windows_suspend(void);
/* Ends windows_suspend(): windows opened meanwhile begin now. */
void windows_resume(void);

/* Takes the oldest change. False: there is none, or it waits for windows_resume(). Writer
 * thread. */
bool windows_next_change(struct window_change *next);

#endif
