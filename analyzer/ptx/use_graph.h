/*
 * Where a kernel's pointers may get to: a graph of values, solved as a whole, whatever the order of the instructions.
 *
 * A node stands for a value, such as a register. Each node has a set of origins: words of parameters, and where else an
 * address may come from. All local and shared memory is one node: what is stored there may be loaded by any load from
 * there. A word that is stored in other memory, or passed to unknown code, is lost (USE_UNKNOWN).
 *
 * Zero-initialize a graph; add to it; solve it once; free it by use_graph_free(). One thread.
 */
#ifndef STREAMTRACE_PTX_USE_GRAPH_H
#define STREAMTRACE_PTX_USE_GRAPH_H

#include "base/vector.h"
#include "ptx/kernel_uses.h"

#include <stdbool.h>

/* Origins that are no words of parameters. */
enum use_origin {
	ORIGIN_LOADED,	/* a value found in memory: it may be any address but a lost one */
	ORIGIN_LOCAL,	/* an address of local or shared memory */
	ORIGIN_VARIABLE /* an address of a variable in device memory */
};

/* What an access says of the memory it goes to. */
enum use_space {
	SPACE_ANY,
	SPACE_DEVICE,	/* global or constant */
	SPACE_LOCAL,	/* local or shared */
	SPACE_PARAMETER /* of the kernel; only of loads */
};

#define USE_NODE_LOCAL 0 /* what local and shared memory hold */

enum use_edge_kind {
	EDGE_FLOW, /* `to` may be `from` */
	EDGE_NUMBER, /* `to` may be computed from `from` in a way that makes no address of a loaded value */
	EDGE_LOAD,   /* `to` may be what lies in memory at `from` */
	EDGE_STORE,  /* `from` may be stored in memory at `to` */
	EDGE_ACCESS, /* memory at `from` is used */
	EDGE_TENSOR, /* the memory is used that the tensor map at `from` describes */
	EDGE_LOST    /* `from` is passed to unknown code */
};

struct use_edge {
	uint32_t from, to;
	enum use_edge_kind kind : 8;
	enum use_space space : 8; /* of EDGE_LOAD, EDGE_STORE, EDGE_ACCESS */
	uint8_t uses;		  /* of EDGE_ACCESS, EDGE_TENSOR */
};

/* The node has the origin from the start. */
struct use_seed {
	uint32_t node, origin;
};

struct use_graph {
	uint32_t nodes; /* without USE_NODE_LOCAL */
	uint8_t elsewhere;
	VECTOR(struct use_edge) edges;
	VECTOR(struct use_seed) seeds;
	VECTOR(struct kernel_use) words; /* origins from ORIGIN_VARIABLE + 1 on */
	struct map word_map;
	/* While it is solved: */
	uint64_t *rows;	     /* the origins of each node */
	size_t width;	     /* of a row */
	uint64_t *addresses; /* a row: origins that are addresses of parameters */
	uint64_t *lost;	     /* a row */
};

uint32_t use_graph_node(struct use_graph *graph);
void use_graph_seed(struct use_graph *graph, uint32_t node, enum use_origin origin);

/* The node is this word of this parameter; word: also WORD_OF_ANY. */
void use_graph_seed_word(struct use_graph *graph, uint32_t node, uint32_t parameter, uint32_t word);

/* The node is the address of the parameter itself. */
void use_graph_seed_address(struct use_graph *graph, uint32_t node, uint32_t parameter);

void use_graph_add(struct use_graph *graph, struct use_edge edge);

/* False: the graph is too large. The caller must kernel_uses_free() the uses. */
bool use_graph_solve(struct use_graph *graph, struct kernel_uses *uses);

void use_graph_free(struct use_graph *graph);

#endif
