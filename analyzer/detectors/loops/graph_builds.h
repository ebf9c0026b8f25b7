/*
 * How a program makes its CUDA graphs: which calls capture or add nodes, which call instantiates
 * the graph, and from when to when each instance is launched.
 *
 * Calls are indexes in trace.calls; "plus one" means that 0 is none. Takes time linear in calls and
 * operations. Any thread.
 */
#ifndef STREAMTRACE_GRAPH_BUILDS_H
#define STREAMTRACE_GRAPH_BUILDS_H

#include "base/vector.h"
#include "model/model.h"

/* A graph: the calls of a thread from cudaStreamBeginCapture() to cudaStreamEndCapture(), or the
 * calls that added nodes. */
struct graph_source {
	uint32_t first, last; /* both are calls of the source */
	uint32_t destroy;     /* cudaGraphDestroy(), plus one */
};

/* An executable graph. */
struct graph_build {
	uint32_t call;	  /* the call that instantiated it */
	uint32_t source;  /* index in sources, plus one; 0: not known */
	uint32_t destroy; /* cudaGraphExecDestroy(), plus one */
	uint32_t upload;  /* cudaGraphUpload() before its first launch, plus one */
	uint32_t first_launch, last_launch; /* plus one */
	/* A hash of the operations of the first launch: equal for graphs with equal kernels and
	 * copies, in any order. */
	uint64_t shape;
	uint32_t nodes; /* how many operations the first launch ran */
};

struct graph_builds {
	VECTOR(struct graph_source) sources;
	VECTOR(struct graph_build) builds; /* sorted by call */
	uint32_t *sources_of;		   /* by call: the source of the call, plus one */
	uint32_t *next;			   /* by call: the next call of its source, plus one */
};

/* Finds all graphs. The result is zeros if the program instantiated fewer than `least`. Free the
 * result by graph_builds_free(). */
struct graph_builds graph_builds_find(const struct model *model, size_t least);
void graph_builds_free(struct graph_builds *builds);

/* How many calls of the sources a and b (indexes) differ, compared in order: by function, kernel,
 * addresses, size, or the kernel's arguments if they are known. Stores the first call of a that
 * differs in *changed; NULL: none does. */
uint32_t graph_builds_changes(const struct graph_builds *builds, const struct trace *trace,
			      size_t a, size_t b, const struct trace_call **changed);

#endif
