/*
 * The edges of a CUDA graph between the operations that one launch of it ran: from the recorded edges of
 * its nodes, through nodes that have no operation, and into child graphs and out of them.
 *
 * One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_TRACE_LAUNCH_EDGES_H
#define STREAMTRACE_TRACE_LAUNCH_EDGES_H

#include "base/memory.h"
#include "base/vector.h"
#include "trace/trace.h"

/* An operation of a launch; indexes in the trace. */
struct launch_member {
	uint32_t call, operation;
};
typedef VECTOR(struct launch_member) launch_members;

/* Sorts by launch, then by start. */
void launch_members_sort(launch_members *members);

/* Returns the end of the members from `first` on that are of its launch. */
size_t launch_members_end(const launch_members *members, size_t first);

struct launch_edges {
	const struct trace *trace;
	size_t *inside; /* by node: in which child graph it is */
	/* By node: the last operation so far, all counted, from which a search has come to it. */
	uint64_t *seen_from;
	uint64_t operations; /* so far */
	uint64_t looks_left; /* at edges */
};

/* The trace must have its graph_nodes, and outlive *edges. Free by launch_edges_free(). */
struct launch_edges launch_edges_of(const struct trace *trace);
void launch_edges_free(struct launch_edges *edges);

/* An edge leads from an operation of the launch to a later one; indexes in the nodes. */
typedef void launch_edge_take(void *context, size_t before, size_t behind);

/* nodes: of the launch's operations, by start; NULL: the node is unknown or has no edges. Calls take for each
 * edge, some more than once, those to an earlier operation first. False: nothing is taken, because no edges were
 * recorded, the launches before took too many looks, or a node ran several times (a loop, or one child graph at two places), so that it is not known which
 * of its runs came before what. */
bool launch_edges_each(struct launch_edges *edges, const struct trace_graph_node *const *nodes,
		       size_t count, launch_edge_take *take, void *context);

#endif
