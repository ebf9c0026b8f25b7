/*
 * Chains in launches of graphs: operations that their graph runs one behind the other because one
 * stream was captured, or a child graph added behind another node, and how they would run if some were
 * in a second stream.
 *
 * A chain is a row of operations of one launch, in model.operations, in which each node has one edge
 * to the next one, and both were captured in the same stream; or it has one to a child graph that begins
 * with the next one, or it is the end of a child graph that has one. An edge that the program made by an
 * event, or between kernels and copies that it added, is no part of a chain, nor one that is not full. Any thread.
 */
#ifndef STREAMTRACE_GRAPH_CHAINS_H
#define STREAMTRACE_GRAPH_CHAINS_H

#include "base/memory.h"
#include "base/vector.h"
#include "model/model.h"

/* An operation of a chain as it would run, on the trace's clock. */
struct chain_step {
	int64_t start_ns, end_ns;
	size_t before; /* index of the step before it in its stream, plus one; 0: none */
	bool is_moved; /* to the second stream */
	/* A copy to the device that fills an allocation which one before it in the chain has filled, so that two buffers
	 * in turn do: it waits for those that use the one which it fills again. */
	bool is_in_turn;
	bool is_doubled; /* one that starts before those have ended that use the other buffer */
	/* Index of the step, plus one, for whose end it waits because that uses the memory which it writes; 0: none. */
	size_t behind;
};

/* Zero-initialize it; free it by graph_chain_free(). */
struct graph_chain {
	size_t first; /* index in model.operations; steps has one element for each operation */
	VECTOR(struct chain_step) steps;
	size_t last[2];	     /* by is_moved: index of the stream's last step, plus one; 0: none */
	int64_t end_ns;	     /* of all steps */
	int64_t saved_ns;    /* how much earlier that is than the chain's end */
	size_t moved_count;  /* 0: nothing is gained by a second stream */
	bool has_wide;	     /* it has a kernel that may slow another one down (occupancy.h) */
	bool has_kernels[2]; /* by is_moved */
	bool is_doubled;     /* a step is */
	struct map fillers;  /* only for graph_chains.c */
};

/* Finds the next chain of two operations or more. chain->first and chain->steps must be those of the
 * chain before, or zeros. False: no more. */
bool graph_chain_next(const struct model *model, struct graph_chain *chain);
void graph_chain_free(struct graph_chain *chain);

#endif
