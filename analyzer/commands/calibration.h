/*
 * Measures what CUPTI adds to calls on this machine, for the untraced time of a run (model/tool_cost.h).
 *
 * Processes of this program make loops of calls (loops.h), with and without libstrace.so, in turn. What
 * tracing adds to the calls, minus what libstrace.so took itself, is CUPTI's part. It takes a second or two.
 * One thread.
 */
#ifndef STREAMTRACE_CALIBRATION_H
#define STREAMTRACE_CALIBRATION_H

#include "commands/cache.h"
#include "commands/loops.h"

#include <stdbool.h>

/* Of the calls of one class the average time from one call to the next, in ns. */
struct calibration_row {
	double untraced_ns, traced_ns;
	double library_ns; /* libstrace.so's own part of traced_ns */
	double call_ns;	   /* how long a traced call lasts, by the trace */
};

struct calibration {
	char uuid[LOOPS_UUID_BYTES];
	bool has_runtime; /* false: rows[LOOPS_RUNTIME] are 0 */
	/* The second index is one of tool_cost_classes[]. The third: 0 for loops of calls alone, 1 for loops that
	 * use the processor's caches between the calls. */
	struct calibration_row rows[LOOPS_PATHS][LOOPS_CLASSES][2];
	/* From the start of a kernel to the next in a full queue: of kernels alone, and with a copy behind each. */
	double kernel_untraced_ns, kernel_traced_ns, pair_untraced_ns, pair_traced_ns;
};

/* Measures on the GPU with the uuid; NULL: on the first visible one. False: there is no such GPU, no driver or no
 * libstrace.so here, or it took longer than limit_ms. The processes may then take a third of limit_ms more to end.
 * What *calibration holds after false is of no use. */
bool calibration_measure(const char *uuid, int64_t limit_ms, struct calibration *calibration);

/* CUPTI's part of a call of the row, at least 0. */
double calibration_cupti_ns(const struct calibration_row *row);

/* By how much CUPTI delays a kernel, and a copy behind a kernel; at least 0. */
double calibration_kernel_gap_ns(const struct calibration *calibration);
double calibration_copy_gap_ns(const struct calibration *calibration);

/* Adds the calibration's numbers under the keys of tool_cost_key(), TOOL_KERNEL_GAP_KEY and TOOL_COPY_GAP_KEY. */
void calibration_numbers(const struct calibration *calibration, struct cache *numbers);

#endif
