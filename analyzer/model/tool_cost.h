/*
 * What the tracer itself added to a run: libstrace.so's part as it was measured in the run, and
 * CUPTI's as it was measured on this machine with loops of calls (commands/calibrate.h).
 *
 * CUPTI takes longer in a program that has used the caches for something else between two calls, and
 * where the processor is slower. How much of that there is shows in the times of the run's calls
 * themselves: the calibration has CUPTI's part, and the time of the traced call, in a loop of calls
 * alone (warm) and in one that touches memory between them (cold).
 */
#ifndef STREAMTRACE_TOOL_COST_H
#define STREAMTRACE_TOOL_COST_H

#include "trace/trace.h"

/* Version of the trace format since which libstrace.so measures its part. */
#define TOOL_COSTS_SINCE 1004

/* Of one call, in ns: outside of its times, and inside of them; and by how much the sum may be more
 * or less. */
struct tool_cost {
	double outside_ns, inside_ns, doubt_ns;
};

struct tool_costs {
	bool is_known;	/* the run measured the library's part; else all are zeros */
	bool has_cupti; /* CUPTI's part is known, too */
	struct tool_cost costs[2][CLASS_COUNT]; /* first: via_driver_callback */
	/* By how much a kernel, or a copy, right behind something in its stream starts later. */
	double kernel_gap_ns, copy_gap_ns;
};

struct tool_costs tool_costs_of(const struct trace *trace);

struct tool_cost tool_cost_of_call(const struct tool_costs *costs, const struct trace_call *call);

/* The classes that are calibrated, CLASS_OTHER ends them. Another counts as one of them that is like
 * it, or as the cheapest. */
extern const enum function_class tool_cost_classes[];

/* What is calibrated of a class on one of the paths of calls.api_path. */
enum tool_cost_number {
	TOOL_CUPTI_WARM,
	TOOL_CUPTI_COLD,
	TOOL_CALL_WARM, /* the time of a traced call, as tool_cost_typical_ns() has it */
	TOOL_CALL_COLD,
	TOOL_COST_NUMBERS
};

#define TOOL_COST_KEY_BYTES 48

/* The key of a number, in the metadata and in the cache: "cupti_runtime_launch_warm_ns". */
void tool_cost_key(char key[TOOL_COST_KEY_BYTES], bool via_driver_callback,
		   enum function_class class, enum tool_cost_number number);

/* The lower quartile of the times of the calls of a class on a path: some wait for a full queue. A
 * large trace is sampled. 0: there are fewer than 16. */
double tool_cost_typical_ns(const struct trace *trace, bool via_driver_callback,
			    enum function_class class);

/* Whether it is one of those, or of those below. */
bool tool_cost_is_key(const char *key);

/* "event_record". */
const char *tool_cost_word(enum function_class class);

#define TOOL_KERNEL_GAP_KEY "cupti_kernel_gap_ns"
#define TOOL_COPY_GAP_KEY   "cupti_copy_gap_ns"

#endif
