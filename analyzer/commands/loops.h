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

/* Whose calls a loop makes: the runtime's or the driver's. The numbers are those of calls.api_path in a trace. */
enum loops_path { LOOPS_RUNTIME, LOOPS_DRIVER, LOOPS_PATHS };

#define LOOPS_UUID_BYTES 48

/* What a process of loops sends first. */
struct loops_hello {
	char uuid[LOOPS_UUID_BYTES]; /* the device's, spelled as devices.uuid in a trace */
	bool has_runtime;	     /* a libcudart was found, so that its loops are run, too */
};

/* What a process of loops sends for each round: average times in ns. */
struct loops_times {
	/* From the start of a call to the start of the next, with some work between them. calls_ns[LOOPS_RUNTIME] is
	 * 0 without a libcudart. */
	double calls_ns[LOOPS_PATHS][LOOPS_CLASSES];
	/* From the start of a kernel to the start of the next one in a full queue. kernel_ns: the queue has kernels
	 * alone; pair_ns: a copy follows each kernel. Both are 0 if is_cold. */
	double kernel_ns, pair_ns;
};

/* The main function of a process of loops. Writes a struct loops_hello to standard output, then a struct loops_times
 * for each byte on standard input, until the input ends. is_cold true: the work between two calls uses the
 * processor's caches; false: that work is arithmetic. Returns the exit status: 0, or 1 if the driver or the device
 * is missing or the output is closed. */
int loops_run(bool is_cold);

#endif
