/*
 * Traces of any size, of a program that never was: threads that share a device, each of which
 * copies in, launches, copies out and waits in streams of its own by turns.
 */
#ifndef STREAMTRACE_LARGE_TRACE_H
#define STREAMTRACE_LARGE_TRACE_H

#include <stdint.h>

/* Makes the trace at path anew, with so many timed operations or a few more, always the same ones.
 * threads <= streams. Ends the program with a message when SQLite refuses something. */
void large_trace_make(const char *path, int64_t operations, int64_t threads, int64_t streams);

#endif
