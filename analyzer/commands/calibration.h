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

/* Average times of the calls of one class, in ns. untraced_ns, traced_ns: from the start of a call to the start of
 * the next. */
struct calibration_row {
	double untraced_ns, traced_ns;
	double library_ns; /* libstrace.so's own part of traced_ns */
	double call_ns;	   /* the duration of a traced call in the trace */
};

struct calibration {
	char uuid[LOOPS_UUID_BYTES]; /* the GPU that was measured */
	bool has_runtime;	     /* false: rows[LOOPS_RUNTIME] are 0 */
	/* The first index: enum loops_path. The second: as in tool_cost_classes[] (model/tool_cost.h). The third: 0
	 * for loops of calls alone, 1 for loops that use the processor's caches between the calls. */
	struct calibration_row rows[LOOPS_PATHS][LOOPS_CLASSES][2];
	/* ns from the start of a kernel to the start of the next one in a full queue. kernel_: the queue has kernels
	 * alone; pair_: a copy follows each kernel. */
	double kernel_untraced_ns, kernel_traced_ns, pair_untraced_ns, pair_traced_ns;
};

/* Measures on the GPU with the uuid; uuid NULL: on the first visible GPU. False: the GPU, the driver or libstrace.so
 * is missing here, a process failed, or measuring took longer than limit_ms; *calibration must then not be used. The
 * function returns at most a third of limit_ms after the limit: so long may the processes take to end. */
bool calibration_measure(const char *uuid, int64_t limit_ms, struct calibration *calibration);

/* CUPTI's part of the time from one call of the row to the next, in ns, at least 0. */
double calibration_cupti_ns(const struct calibration_row *row);

/* By how many ns CUPTI delays a kernel (kernel_gap), and a copy behind a kernel (copy_gap); at least 0. */
double calibration_kernel_gap_ns(const struct calibration *calibration);
double calibration_copy_gap_ns(const struct calibration *calibration);

/* Adds the calibration's numbers, in ns, under the keys of tool_cost_key(), TOOL_KERNEL_GAP_KEY and
 * TOOL_COPY_GAP_KEY (model/tool_cost.h). */
void calibration_numbers(const struct calibration *calibration, struct cache *numbers);

#endif
