/*
 * The program's line on whose behalf a host thread worked or waited between two calls. Any thread.
 *
 * A look finds the thread deep in what a line of the loop calls. The CUDA calls before and after it come
 * from other lines of the same function, or from what these call. The line to name is the one where
 * the stacks part. At a loop's end the call after it comes from elsewhere.
 */
#ifndef STREAMTRACE_HOST_PLACE_H
#define STREAMTRACE_HOST_PLACE_H

#include "detectors/instance.h"

/* The place in `look`, the stack of a thread at a look between two calls: the frame where it parts from
 * that call's stack with which it shares more, or the next one outwards that is the program's own code.
 * Where the stacks share no function of the program: the innermost frame of the program's own code.
 * Where there is none: the frame where the stacks part, or the innermost one. look: not NULL; since,
 * call: the calls' stacks, NULL if unknown. */
struct host_place host_place_between(const struct trace_site *look, const struct trace_site *since,
				     const struct trace_site *call);

/* Equal for places of the same line. Where the place has no stack, for those before calls of the same site. */
uint64_t host_place_key(const struct host_place *place, const struct trace_call *call);

/* Whether the look found the program's line in a framework's function, and the call comes from the same
 * line, by the same way: all frames from that line outwards are equal. False where either stack has no
 * Python of the program's own. look, call: NULL if unknown. */
bool host_place_is_launch_path(const struct trace_site *look, const struct trace_site *call);

#endif
