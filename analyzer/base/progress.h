/*
 * A line on standard error that says what takes long, where that is a terminal: it appears when a step
 * has lasted a second, counts the seconds, and is gone when the step ends.
 *
 * One thread; what it calls may use others.
 */
#ifndef STREAMTRACE_PROGRESS_H
#define STREAMTRACE_PROGRESS_H

/* Begins a step and ends the one before. what is a few words that live until progress_end():
 * "reading the trace". */
void progress_step(const char *what);

/* Ends the last step: before anything else is printed. Without a step it does nothing. */
void progress_end(void);

#endif
