/*
 * The cost of CUDA graphs, for fixes that launch one instead of single kernels. One thread.
 *
 * From the trace's own graph launches if there are enough; otherwise published figures. NVIDIA
 * measured 2.5 us of host time for launching a straight line of kernels, whatever their number,
 * with CUDA 12.6 on an H100, and 2 us plus 200 ns a node with CUDA 11.8 ("Constant Time Launch for
 * Straight-Line CUDA Graphs", 2024); and on a V100 0.5 us from kernel to kernel in a graph
 * ("Getting Started with CUDA Graphs", 2019). From compute capability 9.0 on that is 0.1 us: on an
 * H200 the sample graph_rebuild had 65 and 96 ns, medians of 2,414 gaps in each of its two
 * versions. Low ends take the older figures, and twice that time between kernels on older devices.
 */
#ifndef STREAMTRACE_GRAPH_COSTS_H
#define STREAMTRACE_GRAPH_COSTS_H

#include "model/model.h"

struct graph_costs {
	int64_t launch_ns;  /* duration of the call without its nodes */
	int64_t node_ns;    /* duration of the call for each node */
	int64_t between_ns; /* from a kernel's end to the next one's start */
};

/* is_low: for the low end of an estimate. */
struct graph_costs graph_costs_of(const struct model *model, bool is_low);

#endif
