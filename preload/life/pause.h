/*
 * Between windows: what costs the program time is off. Writer thread only.
 *
 * CUPTI's records of operations and its callbacks for calls that would not be recorded go off two
 * seconds after a window's end, by when most of what was enqueued in it has run, and on again while
 * the next window waits for that (recorder/windows.h).
 */
#ifndef STREAMTRACE_PAUSE_H
#define STREAMTRACE_PAUSE_H

/* To be called often, and at once when the writer thread is woken. */
void pause_follow_windows(void);

/* In a forked child. */
void pause_after_fork(void);

#endif
