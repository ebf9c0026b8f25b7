/*
 * What a CUDA graph costs: for fixes that launch one in place of single kernels.
 *
 * The costs come from the trace's own graph launches if it has enough of them, otherwise from
 * published figures (base/thresholds.def). Low ends take the older figures, and twice the time
 * between kernels on devices before compute capability 9.0. Times are ns. Any thread.
 */
#ifndef STREAMTRACE_GRAPH_COSTS_H
#define STREAMTRACE_GRAPH_COSTS_H

#include "model/model.h"

struct graph_costs {
	int64_t launch_ns;  /* the host's time for the call, without its nodes */
	int64_t node_ns;    /* the host's time in the call for each node */
	int64_t between_ns; /* from the end of a kernel to the start of the next one */
};

/* The costs on the devices of the model's trace. is_low: for the low end of an estimate. */
struct graph_costs graph_costs_of(const struct model *model, bool is_low);

#endif
