#include "ptx/ptx_memory.h"

#define WORD_BYTES 8
#define PARAMETER_BYTES                                                                            \
	32768 /* of all parameters of a kernel, at most; beyond, an offset is damaged */

/* The words of a kernel's parameter: each register gets its own. */
static void load_words(const struct adding *adding, uint32_t parameter, uint64_t offset)
{
	const struct ptx_operand *result = adding_operand(adding, 0);
	const uint32_t bytes = ptx_type_bytes(adding->opcode);

	for (uint32_t i = 0; i < result->count; i++) {
		const uint64_t start = offset + (uint64_t)i * bytes;
		const uint32_t node = adding_node(adding, result->first + i);

		for (uint64_t word = start / WORD_BYTES; word * WORD_BYTES < start + bytes; word++)
			use_graph_seed_word(adding->graph, node, parameter, (uint32_t)word);
	}
}

static void load_parameter(const struct adding *adding)
{
	const struct ptx_operand *from = adding_memory(adding, 1);
	const uint32_t base = from->first;
	size_t parameter;
	bool is_variable;

	if (!from->count)
		return;
	parameter = ptx_names_parameter(adding->names, adding->statement->names[base]);
	if (parameter != SIZE_MAX && from->is_plain && from->offset < PARAMETER_BYTES) {
		load_words(adding, (uint32_t)parameter, from->offset);
		return;
	}
	ptx_names_node(adding->names, adding->statement->names[base], &is_variable);
	if (is_variable)
		adding_results(adding, EDGE_FLOW, adding_variable(adding, base));
	else
		adding_load(adding, adding_address(adding, from), SPACE_PARAMETER);
}

static void store_parameter(const struct adding *adding)
{
	const struct ptx_operand *to = adding_memory(adding, 0);
	const uint32_t value = adding_values(adding, 1);
	bool is_variable = false;

	if (to->count)
		ptx_names_node(adding->names, adding->statement->names[to->first], &is_variable);
	if (is_variable)
		adding_edge(adding, EDGE_FLOW, value, adding_variable(adding, to->first));
	else
		adding_edge(adding, EDGE_LOST, value, 0);
}

static bool is_of_parameters(struct ptx_token opcode)
{
	struct ptx_token part;

	for (size_t i = 1; (part = ptx_part(opcode, i)).kind != PTX_END; i++)
		if (ptx_is_word(part, "param") || ptx_begins(part, "param::"))
			return true;
	return false;
}

static void add_memory(const struct adding *adding, uint8_t uses, bool has_result)
{
	const enum use_space space = adding_space(adding->opcode, 0);
	const uint32_t address = adding_address(adding, adding_memory(adding, has_result));

	adding_access(adding, address, uses, space);
	if (uses & USE_WRITE)
		adding_store(adding, adding_values(adding, has_result), address, space);
	if (has_result)
		adding_load(adding, address, space);
}

/* An atomic operation's result is its first operand, unless that is the memory. */
void ptx_memory_atomic(const struct adding *adding)
{
	add_memory(adding, USE_READ | USE_WRITE, !adding_operand(adding, 0)->is_memory);
}

/* Of a tensor, coordinates stand behind the address. */
static uint32_t first_of(const struct adding *adding, const struct ptx_operand *operand)
{
	return operand->count ? adding_node(adding, operand->first) : use_graph_node(adding->graph);
}

/* cp.async and its like: from the second address in memory to the first. A tensor's one is that of its map. */
void ptx_memory_copy(const struct adding *adding)
{
	const struct ptx_token opcode = adding->opcode;
	const enum use_space to_space = adding_space(opcode, 0),
			     from_space = adding_space(opcode, 1);
	const bool is_tensor = ptx_has_part(opcode, "tensor");
	const uint8_t write =
		ptx_is_word(ptx_part(opcode, 1), "reduce") ? USE_READ | USE_WRITE : USE_WRITE;
	uint32_t to, from;

	if (ptx_has_part(opcode, "prefetch") || !adding_operand(adding, 0)->is_memory ||
	    ptx_is_word(ptx_part(opcode, 2), "mbarrier"))
		return; /* nothing is copied */
	if (!adding_operand(adding, 1)->is_memory || to_space == SPACE_ANY ||
	    from_space == SPACE_ANY) {
		adding_unknown(adding);
		return;
	}
	to = is_tensor ? first_of(adding, adding_operand(adding, 0))
		       : adding_address(adding, adding_operand(adding, 0));
	from = is_tensor ? first_of(adding, adding_operand(adding, 1))
			 : adding_address(adding, adding_operand(adding, 1));
	if (to_space == SPACE_LOCAL)
		use_graph_seed(adding->graph, USE_NODE_LOCAL, ORIGIN_LOADED);
	if (to_space == SPACE_DEVICE && from_space == SPACE_LOCAL)
		adding_edge(adding, EDGE_LOST, USE_NODE_LOCAL, 0);
	if (is_tensor) {
		const bool is_write = to_space == SPACE_DEVICE;

		use_graph_add(adding->graph,
			      (struct use_edge){.from = is_write ? to : from,
						.kind = EDGE_TENSOR,
						.uses = is_write ? write : USE_READ});
		return;
	}
	adding_access(adding, to, write, to_space);
	adding_access(adding, from, USE_READ, from_space);
}

void ptx_memory_tensor_map(const struct adding *adding)
{
	if (ptx_is_word(ptx_part(adding->opcode, 1), "replace"))
		add_memory(adding, USE_READ | USE_WRITE, false);
	else
		ptx_memory_copy(adding);
}

void ptx_memory_second_part(const struct adding *adding)
{
	const struct ptx_token part = ptx_part(adding->opcode, 1);

	if (ptx_is_word(part, "load"))
		add_memory(adding, USE_READ, true);
	else if (ptx_is_word(part, "ld_reduce"))
		add_memory(adding, USE_READ, true);
	else if (ptx_is_word(part, "store") || ptx_is_word(part, "st"))
		add_memory(adding, USE_WRITE, false);
	else if (ptx_is_word(part, "red"))
		ptx_memory_atomic(adding);
	else
		adding_flow(adding, EDGE_FLOW);
}

void ptx_memory_of_tensors(const struct adding *adding)
{
	const struct ptx_token part = ptx_part(adding->opcode, 1);

	if (ptx_is_word(part, "ld"))
		adding_load(adding, USE_NODE_LOCAL, SPACE_LOCAL);
	else if (ptx_is_word(part, "st"))
		adding_store(adding, adding_values(adding, 1), USE_NODE_LOCAL, SPACE_LOCAL);
}

/* The memory behind a texture is not known. */
void ptx_memory_texture(const struct adding *adding, uint8_t uses)
{
	uint32_t value;

	adding->graph->elsewhere |= uses;
	if (uses & USE_WRITE) {
		adding_edge(adding, EDGE_LOST, adding_values(adding, 0), 0);
		return;
	}
	value = use_graph_node(adding->graph);
	use_graph_seed(adding->graph, value, ORIGIN_LOADED);
	adding_results(adding, EDGE_FLOW, value);
}

void ptx_memory_load(const struct adding *adding)
{
	if (is_of_parameters(adding->opcode))
		load_parameter(adding);
	else
		add_memory(adding, USE_READ, true);
}

void ptx_memory_store(const struct adding *adding)
{
	if (is_of_parameters(adding->opcode))
		store_parameter(adding);
	else
		add_memory(adding, USE_WRITE, false);
}
