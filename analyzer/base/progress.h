/*
 * Shows a line on standard error while a step takes long. The line appears after a second, counts
 * the seconds, and disappears when the step ends. Without a terminal nothing is shown.
 *
 *	progress_step("reading the trace");
 *	...
 *	progress_end();
 *
 * Call both functions from one thread; the steps may use other threads.
 */
#ifndef STREAMTRACE_PROGRESS_H
#define STREAMTRACE_PROGRESS_H

/* Begins a step; ends the step before. what: a few words, which must stay valid until
 * progress_end() or the next step. */
void progress_step(const char *what);

/* Ends the current step, if any. Call before anything else is printed. */
void progress_end(void);

#endif
