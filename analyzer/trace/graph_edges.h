/* What is known of graphs beyond their edges (trace.h). Any thread. */
#ifndef STREAMTRACE_TRACE_GRAPH_EDGES_H
#define STREAMTRACE_TRACE_GRAPH_EDGES_H

#include "trace/trace.h"

/* Whether captured calls say what the nodes of graphs access: in a trace with the edges of graphs, unless the
 * program has updated an executable graph. Of a sample the whole run counts. Not seen are nodes that were
 * changed before their graph was made executable (cudaGraphKernelNodeSetParams). */
bool trace_nodes_are_as_captured(const struct trace *trace);

#endif
