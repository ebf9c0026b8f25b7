/*
 * How a program makes its CUDA graphs: what is captured or added node by node, what is instantiated
 * from it, and how long each instance is launched.
 *
 * Calls are indexes in trace.calls; "plus one" means that 0 is none. Passes over calls and
 * operations. One thread.
 */
#ifndef STREAMTRACE_GRAPH_BUILDS_H
#define STREAMTRACE_GRAPH_BUILDS_H

#include "base/vector.h"
#include "model/model.h"

/* A graph: the calls of a thread from cudaStreamBeginCapture() to cudaStreamEndCapture(), or those
 * that added nodes. */
struct graph_source {
	uint32_t first, last;
	uint32_t destroy; /* cudaGraphDestroy(), plus one */
};

/* An executable graph. */
struct graph_build {
	uint32_t call;	  /* instantiated it */
	uint32_t source;  /* index in sources, plus one */
	uint32_t destroy; /* cudaGraphExecDestroy(), plus one */
	uint32_t upload;  /* cudaGraphUpload() before its first launch, plus one */
	uint32_t first_launch, last_launch; /* plus one */
	/* A hash of what its first launch ran: equal for graphs with equal kernels and copies, in
	 * any order. */
	uint64_t shape;
	uint32_t nodes;
};

struct graph_builds {
	VECTOR(struct graph_source) sources;
	VECTOR(struct graph_build) builds; /* sorted by call */
	uint32_t *sources_of;		   /* by call: the source that it is part of, plus one */
	uint32_t *next;			   /* by call: the next call of its source, plus one */
};

/* Finds all graphs; nothing if fewer than `least` are instantiated. Free by graph_builds_free(). */
struct graph_builds graph_builds_find(const struct model *model, size_t least);
void graph_builds_free(struct graph_builds *builds);

/* In how many nodes the sources a and b (indexes) differ: in what is copied, or in kernels'
 * arguments as far as these are known. */
uint32_t graph_builds_changes(const struct graph_builds *builds, const struct trace *trace,
			      size_t a, size_t b);

#endif
