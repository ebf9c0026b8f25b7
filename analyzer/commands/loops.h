/*
 * Loops of calls whose time is taken, for the calibration of what tracing adds to calls
 * (calibration.h). They run in processes of their own: with libstrace.so preloaded, and without.
 *
 * Each loop is made with the calls of the driver, and with those of the runtime where a libcudart of
 * CUDA 12 or newer is found: CUPTI takes other ways there.
 */
#ifndef STREAMTRACE_LOOPS_H
#define STREAMTRACE_LOOPS_H

#include <stdbool.h>

/* As in tool_cost_classes[] (model/tool_cost.h). */
#define LOOPS_CLASSES 5

/* The runtime's calls, and the driver's: as calls.api_path of a trace has them. */
enum loops_path { LOOPS_RUNTIME, LOOPS_DRIVER, LOOPS_PATHS };

#define LOOPS_UUID_BYTES 48

/* What a process answers first. */
struct loops_hello {
	char uuid[LOOPS_UUID_BYTES]; /* of the device, as devices.uuid has it */
	bool has_runtime;
};

/* One round. */
struct loops_times {
	/* From a call to the next, with some work between; the runtime's are 0 without one. */
	double calls_ns[LOOPS_PATHS][LOOPS_CLASSES];
	/* From kernel to kernel of a full queue, and where a copy is behind each; 0 where memory is
	 * touched. */
	double kernel_ns, pair_ns;
};

/* Answers each byte on standard input with a round on standard output, until that ends. The work
 * between two calls is arithmetic, or, where is_cold, uses the caches. The exit status: 1 without a
 * driver or a device. */
int loops_run(bool is_cold);

#endif
