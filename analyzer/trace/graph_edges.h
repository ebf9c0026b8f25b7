/* What is known of graphs beyond their edges (trace.h). Any thread. */
#ifndef STREAMTRACE_TRACE_GRAPH_EDGES_H
#define STREAMTRACE_TRACE_GRAPH_EDGES_H

#include "trace/trace.h"

/* Whether the program has updated the executable graph of the launch in the run: then captured calls do not say what
 * its nodes access. Of a sample the whole run counts. Not seen are nodes that were changed before their
 * graph was made executable (cudaGraphKernelNodeSetParams). */
bool trace_graph_is_updated(const struct trace *trace, const struct trace_call *launch);

#endif
