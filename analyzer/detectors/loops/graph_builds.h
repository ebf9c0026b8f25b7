/*
 * How a program makes its CUDA graphs: what is captured or added node by node, what is instantiated
 * from that, and how long each instance is launched.
 *
 * Indexes are of trace.calls, and "plus one" means that 0 is none. Passes over calls and
 * operations. One thread.
 */
#ifndef STREAMTRACE_GRAPH_BUILDS_H
#define STREAMTRACE_GRAPH_BUILDS_H

#include "base/vector.h"
#include "model/model.h"

/* A graph: the calls of a thread from cudaStreamBeginCapture() to cudaStreamEndCapture(), or those
 * that added nodes to it. */
struct graph_source {
	uint32_t first, last;
	uint32_t destroy; /* cudaGraphDestroy(), plus one */
};

/* An instance. */
struct graph_build {
	uint32_t call;	  /* that instantiated it */
	uint32_t source;  /* in sources, plus one */
	uint32_t destroy; /* cudaGraphExecDestroy(), plus one */
	uint32_t upload;  /* cudaGraphUpload() before its first launch, plus one */
	uint32_t first_launch, last_launch; /* plus one */
	/* What its first launch ran: equal for graphs with equal kernels and copies, in any order. */
	uint64_t shape;
	uint32_t nodes;
};

struct graph_builds {
	VECTOR(struct graph_source) sources;
	VECTOR(struct graph_build) builds; /* in the order of their calls */
	uint32_t *sources_of;		   /* by call: the source that it is part of, plus one */
	uint32_t *next;			   /* the next call that is, plus one */
};

/* Nothing where less than so many graphs are instantiated. */
struct graph_builds graph_builds_find(const struct model *model, size_t least);
void graph_builds_free(struct graph_builds *builds);

/* In how many nodes the sources (indexes) differ: in what is copied, or in the arguments of
 * kernels, as far as they are known. */
uint32_t graph_builds_changes(const struct graph_builds *builds, const struct trace *trace,
			      size_t a, size_t b);

#endif
