/*
 * Timed loops of calls, by which calibration.h measures what tracing adds to calls. They run in processes of
 * their own, with libstrace.so preloaded and without.
 *
 * Each loop is run with calls of the driver, and with calls of the runtime if a libcudart of CUDA 12 or newer is
 * found: CUPTI handles the two differently. One thread.
 */
#ifndef STREAMTRACE_LOOPS_H
#define STREAMTRACE_LOOPS_H

#include <stdbool.h>

/* The number of tool_cost_classes[] (model/tool_cost.h). */
#define LOOPS_CLASSES 5

/* Calls of the runtime, and of the driver; the numbers are those of calls.api_path in a trace. */
enum loops_path { LOOPS_RUNTIME, LOOPS_DRIVER, LOOPS_PATHS };

#define LOOPS_UUID_BYTES 48

/* What a process of loops sends first. */
struct loops_hello {
	char uuid[LOOPS_UUID_BYTES]; /* of the device, spelled as devices.uuid in a trace */
	bool has_runtime;	     /* loops of the runtime are run */
};

/* What a process sends for a round: average times. */
struct loops_times {
	/* From one call to the next, with some work between them. Without a runtime, [LOOPS_RUNTIME] is 0. */
	double calls_ns[LOOPS_PATHS][LOOPS_CLASSES];
	/* From the start of a kernel to the next in a full queue: of kernels alone, and with a copy behind each. 0 if
	 * is_cold. */
	double kernel_ns, pair_ns;
};

/* The main function of such a process: writes a struct loops_hello to standard output, then a struct loops_times for
 * each byte on standard input, until that ends. is_cold: the work between two calls uses the processor's caches;
 * else it is arithmetic. Returns the exit status: 1 without a driver or a device. */
int loops_run(bool is_cold);

#endif
