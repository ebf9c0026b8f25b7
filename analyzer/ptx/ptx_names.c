#include "ptx/ptx_names.h"

#include <stdlib.h>

#define KERNEL_SEED 1

static void add_kernel_parameter(void *context, struct ptx_token name)
{
	struct ptx_names *names = context;

	map_add(&names->parameters, ptx_hash(KERNEL_SEED, name), names->parameters.count);
}

bool ptx_names_begin(struct ptx_names *names, const struct ptx_index *index,
		     struct use_graph *graph, const struct ptx_function *kernel)
{
	struct ptx_tokens tokens = {kernel->parameters, index->end};

	*names = (struct ptx_names){.index = index, .graph = graph};
	*vector_add(&names->called) = (struct ptx_called){.function = kernel};
	return !kernel->parameters || ptx_each_declared(&tokens, ')', add_kernel_parameter, names);
}

void ptx_names_free(struct ptx_names *names)
{
	for (size_t i = 0; i < names->called.count; i++) {
		vector_free(&names->called.items[i].parameters);
		vector_free(&names->called.items[i].results);
	}
	vector_free(&names->called);
	vector_free(&names->hidden);
	vector_free(&names->blocks);
	map_free(&names->called_map);
	map_free(&names->nodes);
	map_free(&names->parameter_nodes);
	map_free(&names->parameters);
}

/* Variables of a function that is called: its parameters, or its results. */
struct formals {
	struct ptx_names *names;
	struct ptx_called *called;
	uint64_t seed;
	bool are_results;
};

static void add_formal(void *context, struct ptx_token name)
{
	struct formals *formals = context;
	const uint32_t node = use_graph_node(formals->names->graph);

	map_set(&formals->names->nodes, ptx_hash(formals->seed, name), node);
	map_set(&formals->names->parameter_nodes, node, 1);
	if (formals->are_results)
		*vector_add(&formals->called->results) = node;
	else
		*vector_add(&formals->called->parameters) = node;
}

static bool add_formals(struct ptx_names *names, size_t index, const char *at, bool are_results)
{
	struct ptx_tokens tokens = {at, names->index->end};
	struct formals formals = {names, &names->called.items[index], index + 1, are_results};

	return !at || ptx_each_declared(&tokens, ')', add_formal, &formals);
}

static const struct ptx_called *called_at(const struct ptx_names *names, size_t index)
{
	return names->called.items[index].is_damaged ? NULL : &names->called.items[index];
}

const struct ptx_called *ptx_names_call(struct ptx_names *names, struct ptx_token function)
{
	const uint64_t hash = ptx_hash(0, function);
	const struct ptx_function *found = ptx_index_function(names->index, function);
	size_t index = map_find(&names->called_map, hash);

	if (!found || !found->body || found->is_kernel)
		return NULL;
	if (index != MAP_NONE)
		return called_at(names, index);
	index = names->called.count;
	*vector_add(&names->called) = (struct ptx_called){.function = found};
	map_add(&names->called_map, hash, index);
	names->called.items[index].is_damaged =
		!add_formals(names, index, found->parameters, false) ||
		!add_formals(names, index, found->results, true);
	return called_at(names, index);
}

void ptx_names_enter(struct ptx_names *names, size_t index)
{
	names->seed = index + 1;
	names->hidden.count = names->blocks.count = 0;
}

void ptx_names_open_block(struct ptx_names *names)
{
	*vector_add(&names->blocks) = names->hidden.count;
}

void ptx_names_close_block(struct ptx_names *names)
{
	size_t before;

	if (!names->blocks.count)
		return;
	before = names->blocks.items[--names->blocks.count];
	while (names->hidden.count > before) {
		const struct ptx_hidden *hidden = &names->hidden.items[--names->hidden.count];

		map_set(&names->nodes, hidden->hash, hidden->node);
	}
}

/* A variable's name stands for its address; one of .param for what it holds. */
struct variables {
	struct ptx_names *names;
	enum ptx_space space;
	bool is_parameter;
};

static void seed_variable(struct use_graph *graph, uint32_t node, enum ptx_space space)
{
	use_graph_seed(graph, node,
		       space == PTX_SHARED || space == PTX_LOCAL ? ORIGIN_LOCAL : ORIGIN_VARIABLE);
}

static void declare_variable(void *context, struct ptx_token name)
{
	const struct variables *variables = context;
	struct ptx_names *names = variables->names;
	const uint64_t hash = ptx_hash(names->seed, name);
	const size_t before = map_find(&names->nodes, hash);
	const uint32_t node = use_graph_node(names->graph);

	*vector_add(&names->hidden) =
		(struct ptx_hidden){hash, before == MAP_NONE ? 0 : (uint32_t)before};
	map_set(&names->nodes, hash, node);
	if (variables->is_parameter)
		map_set(&names->parameter_nodes, node, 1);
	else
		seed_variable(names->graph, node, variables->space);
}

bool ptx_names_declare(struct ptx_names *names, struct ptx_tokens *tokens,
		       struct ptx_token directive)
{
	struct variables variables = {.names = names,
				      .is_parameter = ptx_is_word(directive, ".param")};

	if (!variables.is_parameter && !ptx_space_of(directive, &variables.space))
		return ptx_skip_statement(tokens);
	return ptx_each_declared(tokens, ';', declare_variable, &variables);
}

size_t ptx_names_parameter(const struct ptx_names *names, struct ptx_token name)
{
	return names->seed == KERNEL_SEED
		       ? map_find(&names->parameters, ptx_hash(KERNEL_SEED, name))
		       : SIZE_MAX;
}

/* A name that no block has declared: a register, or something of the whole text. */
static uint32_t add_node(struct ptx_names *names, struct ptx_token name, uint64_t hash)
{
	const uint32_t node = use_graph_node(names->graph);
	const size_t space = map_find(&names->index->variables, ptx_hash(0, name));
	const size_t parameter = ptx_names_parameter(names, name);

	map_set(&names->nodes, hash, node);
	if (parameter != SIZE_MAX)
		use_graph_seed_address(names->graph, node, (uint32_t)parameter);
	else if (space != MAP_NONE)
		seed_variable(names->graph, node, (enum ptx_space)space);
	return node;
}

uint32_t ptx_names_node(struct ptx_names *names, struct ptx_token name, bool *is_parameter)
{
	const uint64_t hash = ptx_hash(names->seed, name);
	size_t node = map_find(&names->nodes, hash);

	if (node == MAP_NONE || !node)
		node = add_node(names, name, hash);
	*is_parameter = map_find(&names->parameter_nodes, node) != MAP_NONE;
	return (uint32_t)node;
}
