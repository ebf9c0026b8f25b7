#include "ptx/ptx_adding.h"

void adding_edge(const struct adding *adding, enum use_edge_kind kind, uint32_t from, uint32_t to)
{
	use_graph_add(adding->graph, (struct use_edge){.from = from, .to = to, .kind = kind});
}

uint32_t adding_node(const struct adding *adding, uint32_t name)
{
	bool is_parameter;
	const uint32_t node =
		ptx_names_node(adding->names, adding->statement->names[name], &is_parameter);

	if (!is_parameter)
		return node;
	use_graph_seed(adding->graph, node, ORIGIN_LOADED);
	adding_edge(adding, EDGE_LOST, node, 0);
	return node;
}

uint32_t adding_variable(const struct adding *adding, uint32_t name)
{
	bool is_parameter;

	return ptx_names_node(adding->names, adding->statement->names[name], &is_parameter);
}

const struct ptx_operand *adding_operand(const struct adding *adding, uint32_t index)
{
	static const struct ptx_operand none;

	return index < adding->statement->operand_count ? &adding->statement->operands[index]
							: &none;
}

uint32_t adding_values(const struct adding *adding, uint32_t first)
{
	const uint32_t node = use_graph_node(adding->graph);

	for (uint32_t i = first; i < adding->statement->operand_count; i++) {
		const struct ptx_operand *operand = adding_operand(adding, i);

		for (uint32_t k = 0; !operand->is_memory && k < operand->count; k++)
			adding_edge(adding, EDGE_FLOW, adding_node(adding, operand->first + k),
				    node);
	}
	return node;
}

uint32_t adding_address(const struct adding *adding, const struct ptx_operand *operand)
{
	uint32_t node;

	if (operand->count == 1)
		return adding_node(adding, operand->first);
	node = use_graph_node(adding->graph);
	for (uint32_t i = 0; i < operand->count; i++)
		adding_edge(adding, EDGE_FLOW, adding_node(adding, operand->first + i), node);
	return node;
}

void adding_results(const struct adding *adding, enum use_edge_kind kind, uint32_t from)
{
	const struct ptx_operand *result = adding_operand(adding, 0);

	for (uint32_t i = 0; !result->is_memory && i < result->count; i++)
		adding_edge(adding, kind, from, adding_node(adding, result->first + i));
}

void adding_access(const struct adding *adding, uint32_t address, uint8_t uses,
		   enum use_space space)
{
	use_graph_add(adding->graph,
		      (struct use_edge){
			      .from = address, .kind = EDGE_ACCESS, .space = space, .uses = uses});
}

void adding_load(const struct adding *adding, uint32_t address, enum use_space space)
{
	const uint32_t value = use_graph_node(adding->graph);

	use_graph_add(
		adding->graph,
		(struct use_edge){.from = address, .to = value, .kind = EDGE_LOAD, .space = space});
	adding_results(adding, EDGE_FLOW, value);
}

void adding_store(const struct adding *adding, uint32_t value, uint32_t address,
		  enum use_space space)
{
	use_graph_add(adding->graph,
		      (struct use_edge){
			      .from = value, .to = address, .kind = EDGE_STORE, .space = space});
}

static bool find_space(struct ptx_token part, enum use_space *space)
{
	if (ptx_is_word(part, "global") || ptx_is_word(part, "const"))
		*space = SPACE_DEVICE;
	else if (ptx_is_word(part, "local") || ptx_is_word(part, "shared") ||
		 ptx_begins(part, "shared::"))
		*space = SPACE_LOCAL;
	else
		return false;
	return true;
}

enum use_space adding_space(struct ptx_token opcode, size_t n)
{
	enum use_space space;
	struct ptx_token part;

	for (size_t i = 1; (part = ptx_part(opcode, i)).kind != PTX_END; i++)
		if (find_space(part, &space) && !n--)
			return space;
	return SPACE_ANY;
}

const struct ptx_operand *adding_memory(const struct adding *adding, uint32_t first)
{
	while (first < adding->statement->operand_count &&
	       !adding_operand(adding, first)->is_memory)
		first++;
	return adding_operand(adding, first);
}

void adding_unknown(const struct adding *adding)
{
	const uint32_t all = adding_values(adding, 0);

	for (uint32_t i = 0; i < adding->statement->operand_count; i++)
		if (adding_operand(adding, i)->is_memory)
			adding_edge(adding, EDGE_FLOW,
				    adding_address(adding, adding_operand(adding, i)), all);
	adding_edge(adding, EDGE_LOST, all, 0);
	adding->graph->elsewhere |= USE_READ | USE_WRITE;
	use_graph_seed(adding->graph, all, ORIGIN_LOADED);
	adding_results(adding, EDGE_FLOW, all);
}

void adding_flow(const struct adding *adding, enum use_edge_kind kind)
{
	if (adding_memory(adding, 0)->is_memory)
		adding_unknown(adding);
	else
		adding_results(adding, kind, adding_values(adding, 1));
}
