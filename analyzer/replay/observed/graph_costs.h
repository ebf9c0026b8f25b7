/*
 * What a CUDA graph costs: for fixes that launch one in place of single kernels.
 *
 * From the trace's own graph launches where it has enough of them, else published figures
 * (base/thresholds.def). Low ends take the older figures, and twice the time between kernels on devices
 * before compute capability 9.0.
 */
#ifndef STREAMTRACE_GRAPH_COSTS_H
#define STREAMTRACE_GRAPH_COSTS_H

#include "model/model.h"

struct graph_costs {
	int64_t launch_ns;  /* the call, without its nodes */
	int64_t node_ns;    /* of the call, for each node */
	int64_t between_ns; /* from the end of a kernel to the start of the next one */
};

/* is_low: for the low end of an estimate. */
struct graph_costs graph_costs_of(const struct model *model, bool is_low);

#endif
