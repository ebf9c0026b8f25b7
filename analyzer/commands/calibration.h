/*
 * What CUPTI adds to calls on this machine, for the untraced time of a run (model/tool_cost.h): the
 * keys of tool_cost_key(), TOOL_KERNEL_GAP_KEY and TOOL_COPY_GAP_KEY.
 *
 * Processes of this program make loops of calls (loops.h), with and without libstrace.so, in turn.
 * What tracing adds there and libstrace.so did not take itself is CUPTI's. That takes a second or
 * two. One thread.
 */
#ifndef STREAMTRACE_CALIBRATION_H
#define STREAMTRACE_CALIBRATION_H

#include "commands/cache.h"
#include "commands/loops.h"

#include <stdbool.h>

/* What was measured of the calls of a class: ns from a call to the next. */
struct calibration_row {
	double untraced_ns, traced_ns;
	double library_ns; /* libstrace.so's part */
	double call_ns;	   /* of a traced call, in the trace */
};

struct calibration {
	char uuid[LOOPS_UUID_BYTES];
	bool has_runtime; /* else all is 0 there */
	/* By tool_cost_classes[]; last: with caches that are used for something else. */
	struct calibration_row rows[LOOPS_PATHS][LOOPS_CLASSES][2];
	/* From kernel to kernel, and where a copy is behind each. */
	double kernel_untraced_ns, kernel_traced_ns, pair_untraced_ns, pair_traced_ns;
};

/* Measures on the GPU, NULL for the first one that is visible. False: there is no such GPU here, no
 * driver or no libstrace.so, or it would take longer than limit_ms, and a third of that to end. */
bool calibration_measure(const char *uuid, int64_t limit_ms, struct calibration *calibration);

double calibration_cupti_ns(const struct calibration_row *row);

/* By how much CUPTI delays a kernel, and a copy. */
double calibration_kernel_gap_ns(const struct calibration *calibration);
double calibration_copy_gap_ns(const struct calibration *calibration);

/* The numbers of a calibration. */
void calibration_numbers(const struct calibration *calibration, struct cache *numbers);

#endif
