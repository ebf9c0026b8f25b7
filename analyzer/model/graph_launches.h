/*
 * What calls for CUDA graphs take beyond themselves: the tracer's part, by the graph's nodes, and the
 * upload in a launch.
 *
 * CUPTI prepares the records of all nodes in the launch's call, and looks at each node that is
 * instantiated; no calibration measures that. The first launch of an executable graph, and the first
 * since it was changed, also brings the graph to the device, unless cudaGraphUpload() did. Calls are
 * indexes in trace.calls; times are ns. Any thread.
 */
#ifndef STREAMTRACE_GRAPH_LAUNCHES_H
#define STREAMTRACE_GRAPH_LAUNCHES_H

#include "trace/trace.h"

struct graph_launches {
	/* By call: how many operations it ran, if it launched a graph; how many the graph's first launch
	 * ran, if it instantiated or destroyed one; 1 if it captured one of them; else 0. */
	uint32_t *nodes;
	/* By call: if it launched a graph for the first time, the call that instantiated or changed the
	 * graph, plus one; 0: it brings nothing to the device, or is no launch of a graph whose making
	 * was recorded. */
	uint32_t *made;
	double node_ns; /* CUPTI's time for a node in a launch */
	bool is_paced;	/* the run's own launches say so; false: GRAPH_NODE_TRACED_NS */
	bool is_counted; /* edited replays are without CUPTI's part: the trace has what tracing cost */
};

/* Returns the launches of the trace. nodes is NULL if it has none; then do not call the functions
 * below. Free by graph_launches_free(). */
struct graph_launches graph_launches_of(const struct trace *trace);
void graph_launches_free(struct graph_launches *launches);

/* CUPTI's part of a call that launches, captures, instantiates or destroys a graph and takes own_ns without
 * its waits; 0 for other calls, and for graphs of one node, which may stand for all of theirs. */
int64_t graph_launches_traced_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns);

/* What the upload took in a launch that takes own_ns without its waits; 0: it uploaded nothing. */
int64_t graph_launches_upload_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns);

/* What the call takes in an edited replay that leaves out the upload. */
static inline int64_t graph_launches_bare_ns(const struct graph_launches *launches,
					     const struct trace *trace, size_t call, int64_t own_ns)
{
	int64_t traced_ns =
		launches->is_counted ? graph_launches_traced_ns(launches, trace, call, own_ns) : 0;

	return own_ns - traced_ns - graph_launches_upload_ns(launches, trace, call, own_ns);
}

#endif
