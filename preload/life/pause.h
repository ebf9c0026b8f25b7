/*
 * Switches off between windows what costs the program time. Writer thread only.
 *
 * Two seconds after a window's end CUPTI's records of operations, and its callbacks for calls that
 * would not be recorded, are switched off: by then most operations of the window have run. They are
 * switched on when the next window is opened, and the window begins after that
 * (recorder/windows.h).
 */
#ifndef STREAMTRACE_PAUSE_H
#define STREAMTRACE_PAUSE_H

/* Switches CUPTI's records and callbacks off or on, as the windows require. Call often, and
 * whenever the writer thread was woken. */
void pause_follow_windows(void);

/* Call in a forked child: nothing is switched off there. */
void pause_after_fork(void);

#endif
