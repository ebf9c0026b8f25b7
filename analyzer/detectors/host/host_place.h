/*
 * The program's line on whose behalf a host thread worked or waited between two calls. Any thread.
 *
 * A look finds the thread deep in what a line of the loop calls. The CUDA call that follows comes
 * from another line of the same function, or from what that line calls. The line to name is the
 * one where both stacks part.
 */
#ifndef STREAMTRACE_HOST_PLACE_H
#define STREAMTRACE_HOST_PLACE_H

#include "detectors/instance.h"

/* The place in `look`, the stack of a thread at a look: the frame where it parts from the call's
 * stack, or the next one outwards that is the program's own code. Where the stacks share no function
 * of the program: the innermost frame of the program's own code. Where there is none: the frame where
 * the stacks part, or the innermost one. look: not NULL; call: the call's stack, NULL if unknown. */
struct host_place host_place_before(const struct trace_site *look, const struct trace_site *call);

#endif
