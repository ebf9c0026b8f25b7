/*
 * What the nodes of graphs access: what the calls named that were captured, unless the run may have changed that since.
 * Not seen: nodes that were changed before their graph was made executable, by cudaGraphKernelNodeSetParams() and its like,
 * which the trace does not have. Calculates only; any thread.
 */
#ifndef STREAMTRACE_RACES_GRAPHS_H
#define STREAMTRACE_RACES_GRAPHS_H

#include "trace/trace.h"

static inline bool graphs_is_node(const struct trace_operation *operation)
{
	return trace_is_graph_launch(operation->call);
}

/* Why nothing can be said of any graph's accesses or of their order, for printing behind "not judged for races:"; static text.
 * NULL: a captured call tells what its node accesses, and launches are in order like other work of their streams. */
const char *graphs_obstacle(const struct trace *trace);

#endif
