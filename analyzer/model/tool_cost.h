/*
 * How much time the tracer added to a run: libstrace.so's part, measured in the run itself, and
 * CUPTI's, measured on the run's machine with loops of calls (commands/calibration.h). Any thread.
 *
 * CUPTI takes longer in a program that uses the caches between calls, and on a slower processor.
 * The times of the run's own calls show by how much longer. For this the calibration measures
 * CUPTI's part and the time of the traced call twice: in a loop of calls only (warm), and in a loop
 * that touches memory in between (cold).
 */
#ifndef STREAMTRACE_TOOL_COST_H
#define STREAMTRACE_TOOL_COST_H

#include "trace/trace.h"

/* The version of the trace format (MAJOR * 1000 + MINOR) from which on libstrace.so measures its
 * part. */
#define TOOL_COSTS_SINCE 1004

/* The cost of one call in ns: outside of the call's recorded times, inside of them, and the
 * uncertainty of the sum of both. */
struct tool_cost {
	double outside_ns, inside_ns, doubt_ns;
};

struct tool_costs {
	bool is_known;	/* the run measured the library's part; false: all are 0 */
	bool has_cupti; /* CUPTI's part was calibrated; false: it counts as in other calibrations */
	struct tool_cost costs[2][CLASS_COUNT]; /* first index: via_driver_callback */
	/* How much later a kernel, or a copy, starts that directly follows another operation in its
	 * stream. */
	double kernel_gap_ns, copy_gap_ns;
};

/* The costs in this run, from the trace and its metadata. */
struct tool_costs tool_costs_of(const struct trace *trace);

/* The cost of this call, by its class and path. */
struct tool_cost tool_cost_of_call(const struct tool_costs *costs, const struct trace_call *call);

/* The calibrated classes; CLASS_OTHER marks the end. Another class costs like a similar calibrated
 * class, or like the cheapest. */
extern const enum function_class tool_cost_classes[];

/* The calibrated numbers of a class, for each value of calls.api_path. */
enum tool_cost_number {
	TOOL_CUPTI_WARM,
	TOOL_CUPTI_COLD,
	TOOL_CALL_WARM, /* time of a traced call, as in tool_cost_typical_ns() */
	TOOL_CALL_COLD,
	TOOL_COST_NUMBERS
};

#define TOOL_COST_KEY_BYTES 48

/* Writes the key of a number for metadata and cache: "cupti_runtime_launch_warm_ns". */
void tool_cost_key(char key[TOOL_COST_KEY_BYTES], bool via_driver_callback,
		   enum function_class class, enum tool_cost_number number);

/* The typical time of a class's calls on a path in ns: the lower quartile, because some calls wait
 * for a full queue. Launches that loaded their kernel are left out. Large traces are sampled. 0:
 * fewer calls than MEAN_LEAST_CALLS (base/thresholds.def). */
double tool_cost_typical_ns(const struct trace *trace, bool via_driver_callback,
			    enum function_class class);

/* Whether `key` is one of tool_cost_key() for a calibrated class, or one of the two keys below. */
bool tool_cost_is_key(const char *key);

/* The word for a class in keys: "event_record". Static. */
const char *tool_cost_word(enum function_class class);

/* The keys of tool_costs.kernel_gap_ns and copy_gap_ns. */
#define TOOL_KERNEL_GAP_KEY "cupti_kernel_gap_ns"
#define TOOL_COPY_GAP_KEY   "cupti_copy_gap_ns"

#endif
