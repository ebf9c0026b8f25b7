/*
 * What the names in the bodies of a kernel and of the functions it calls stand for: nodes of its graph.
 *
 * Blocks may declare a name again, which then hides the outer one. Registers need no declaration here: two that have
 * one name in a function share a node. One thread.
 */
#ifndef STREAMTRACE_PTX_NAMES_H
#define STREAMTRACE_PTX_NAMES_H

#include "ptx/ptx_index.h"
#include "ptx/use_graph.h"

/* A function that the kernel calls, or the kernel. */
struct ptx_called {
	const struct ptx_function *function;
	VECTOR(uint32_t) parameters; /* nodes; none of the kernel */
	VECTOR(uint32_t) results;
	bool is_damaged; /* its parameters or results */
};

struct ptx_names {
	const struct ptx_index *index;
	struct use_graph *graph;
	VECTOR(struct ptx_called) called; /* the first is the kernel */
	struct map called_map;		  /* from ptx_hash(0, name) */
	struct map nodes;		  /* from ptx_hash(of the function, name) */
	struct map parameter_nodes;	  /* like nodes, for variables declared .param */
	struct map parameters;		  /* of the kernel: from ptx_hash(1, name) to index */
	uint64_t seed; /* of the function whose body is read: its index in called, plus 1 */
	/* What the names declared in open blocks stood for before. */
	VECTOR(struct ptx_hidden {
		uint64_t hash;
		uint32_t node; /* 0: nothing */
	})
	hidden;
	VECTOR(size_t) blocks; /* how many were hidden when each open block began */
};

/* Begins with the kernel as names->called.items[0]. False: its text is damaged. Free by ptx_names_free() in both
 * cases. */
bool ptx_names_begin(struct ptx_names *names, const struct ptx_index *index,
		     struct use_graph *graph, const struct ptx_function *kernel);
void ptx_names_free(struct ptx_names *names);

/* Enters a function that is called, once. NULL: its body is not there, or its text is damaged. The result is valid until
 * the next call. */
const struct ptx_called *ptx_names_call(struct ptx_names *names, struct ptx_token function);

/* Begins with the body of names->called.items[index]. */
void ptx_names_enter(struct ptx_names *names, size_t index);

void ptx_names_open_block(struct ptx_names *names);
void ptx_names_close_block(struct ptx_names *names);

/* Declares the rest of a declaration of `.param`, `.local` or another space. False: the text is damaged. */
bool ptx_names_declare(struct ptx_names *names, struct ptx_tokens *tokens,
		       struct ptx_token directive);

/* The node of a name. *is_parameter: it is a variable of the space .param, whose node is what it holds. */
uint32_t ptx_names_node(struct ptx_names *names, struct ptx_token name, bool *is_parameter);

/* The index of the kernel's parameter with that name; SIZE_MAX: there is none, or another function is read. */
size_t ptx_names_parameter(const struct ptx_names *names, struct ptx_token name);

#endif
