/* The kinds of edges in the table graph_edges: up to 255 they are CUDA's (CUgraphDependencyType). */
#ifndef STREAMTRACE_GRAPH_EDGE_KINDS_H
#define STREAMTRACE_GRAPH_EDGE_KINDS_H

enum {
	GRAPH_EDGE_FULL = 0, /* the node begins when the one before is done */
	GRAPH_EDGE_TO_CHILD =
		256, /* from a child graph's node to a node that the child begins with */
};

#endif
