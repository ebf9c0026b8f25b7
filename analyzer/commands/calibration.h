/*
 * What CUPTI adds to calls on this machine, for the untraced time of a run (model/tool_cost.h): the
 * keys of tool_cost_key() and TOOL_KERNEL_GAP_KEY.
 *
 * Processes of this program make loops of calls (loops.h), with and without libstrace.so, in turn.
 * What tracing adds there and libstrace.so did not take itself is CUPTI's. That takes a second or
 * two, once on a GPU: the numbers are kept (cache.h). One thread.
 */
#ifndef STREAMTRACE_CALIBRATION_H
#define STREAMTRACE_CALIBRATION_H

#include "commands/cache.h"
#include "commands/loops.h"
#include "trace/trace.h"

/* What was measured of the calls of a class: ns a call. */
struct calibration_row {
	double untraced_ns, traced_ns;
	double library_ns, entry_ns; /* libstrace.so's part; at the entry of the driver call */
};

struct calibration {
	char uuid[LOOPS_UUID_BYTES];
	/* By tool_cost_classes[]; second: with caches that are used for something else. */
	struct calibration_row rows[LOOPS_CLASSES][2];
	double kernel_untraced_ns, kernel_traced_ns; /* from kernel to kernel */
};

/* Measures on the GPU, NULL for the first one that is visible. False: there is no such GPU here, no
 * driver or no libstrace.so, or it took too long. */
bool calibration_measure(const char *uuid, struct calibration *calibration);

/* The numbers of a calibration. */
void calibration_numbers(const struct calibration *calibration, struct cache *numbers);

/* Adds the numbers to the metadata of a trace that lacks them and where they matter; in memory,
 * and, where is_stored, in the file. From the cache, or measured when the GPU is here. 0, or -1
 * with *error as trace_load() gives it when the file could not be written. */
int calibration_apply(struct trace *trace, bool is_stored, char **error);

#endif
