/*
 * Loops of calls whose time is taken, for the calibration of what tracing adds to calls
 * (calibration.h). They run in processes of their own: with libstrace.so preloaded, and without.
 *
 * The driver's calls are made directly: those of the runtime end in them, and what CUPTI adds, it
 * adds there.
 */
#ifndef STREAMTRACE_LOOPS_H
#define STREAMTRACE_LOOPS_H

#include <stdbool.h>

/* As in tool_cost_classes[] (model/tool_cost.h). */
#define LOOPS_CLASSES 5

#define LOOPS_UUID_BYTES 48

/* What a process answers first: of the device. */
struct loops_hello {
	char uuid[LOOPS_UUID_BYTES]; /* as devices.uuid has it */
};

/* One round. */
struct loops_times {
	double calls_ns[LOOPS_CLASSES]; /* from a call to the next, with some work between */
	double kernel_ns; /* from kernel to kernel of a full queue; 0 where memory is touched */
};

/* Answers each byte on standard input with a round on standard output, until that ends. The work
 * between two calls is arithmetic, or, where is_cold, uses the caches. The exit status: 1 without a driver or a device. */
int loops_run(bool is_cold);

#endif
