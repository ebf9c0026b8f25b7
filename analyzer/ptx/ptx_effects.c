#include "ptx/ptx_effects.h"

#include "ptx/ptx_calls.h"
#include "ptx/ptx_memory.h"

#include <stdlib.h>
#include <string.h>

#define NARROW_BYTES 4 /* An address has 8 bytes. A value of NARROW_BYTES or fewer is a number. */

enum effect_class {
	CLASS_FLOW,
	CLASS_NONE,
	CLASS_NUMBER,
	CLASS_MULTIPLY_ADD,
	CLASS_CONVERSION,
	CLASS_ADDRESS,
	CLASS_LOCAL_ADDRESS,
	CLASS_LOAD,
	CLASS_STORE,
	CLASS_ATOMIC,
	CLASS_COPY,
	CLASS_MATRIX,
	CLASS_MULTIMEM,
	CLASS_TENSOR_MAP,
	CLASS_TENSOR_MEMORY,
	CLASS_TEXTURE_READ,
	CLASS_TEXTURE_WRITE,
	CLASS_TEXTURE_REDUCE,
	CLASS_CALL
};

static const struct opcode {
	const char *root;
	enum effect_class class;
} opcodes[] = {
#define OPCODE(root, class) {#root, CLASS_##class},
#include "ptx/ptx_opcodes.def"
};

static int compare_opcode(const void *key, const void *item)
{
	const struct ptx_token *root = key;
	const char *name = ((const struct opcode *)item)->root;
	const int order = strncmp(root->start, name, root->length);

	return order ? order : -(name[root->length] != '\0');
}

static enum effect_class class_of(struct ptx_token opcode)
{
	const struct ptx_token root = ptx_part(opcode, 0);
	const struct opcode *found = bsearch(&root, opcodes, sizeof(opcodes) / sizeof(*opcodes),
					     sizeof(*opcodes), compare_opcode);

	return found ? found->class : CLASS_FLOW;
}

static void add_multiply_add(const struct adding *adding)
{
	const struct ptx_operand *added = adding_operand(adding, 3);

	adding_results(adding, EDGE_NUMBER, adding_values(adding, 1));
	for (uint32_t i = 0; i < added->count; i++)
		adding_results(adding, EDGE_FLOW, adding_node(adding, added->first + i));
}

/* cvt.u64.u32: from a number that is too narrow for an address. */
static void add_conversion(const struct adding *adding)
{
	adding_flow(adding,
		    ptx_type_bytes(adding->opcode) <= NARROW_BYTES ? EDGE_NUMBER : EDGE_FLOW);
}

static void add_local_address(const struct adding *adding)
{
	const uint32_t value = adding_values(adding, 1);

	use_graph_seed(adding->graph, value, ORIGIN_LOCAL);
	adding_results(adding, EDGE_FLOW, value);
}

/* cvta.shared makes a generic address from one of shared memory, cvta.to.shared the other way. */
static void add_address(const struct adding *adding)
{
	if (!ptx_has_part(adding->opcode, "to") && adding_space(adding->opcode, 0) == SPACE_LOCAL)
		add_local_address(adding);
	else
		adding_flow(adding, EDGE_FLOW);
}

void ptx_effects_add(struct ptx_names *names, const struct ptx_statement *statement)
{
	const struct adding adding = {names, names->graph, statement, statement->opcode};

	switch (class_of(statement->opcode)) {
	case CLASS_FLOW:
		adding_flow(&adding, EDGE_FLOW);
		break;
	case CLASS_NONE:
		break;
	case CLASS_NUMBER:
		adding_flow(&adding, EDGE_NUMBER);
		break;
	case CLASS_MULTIPLY_ADD:
		add_multiply_add(&adding);
		break;
	case CLASS_CONVERSION:
		add_conversion(&adding);
		break;
	case CLASS_ADDRESS:
		add_address(&adding);
		break;
	case CLASS_LOCAL_ADDRESS:
		add_local_address(&adding);
		break;
	case CLASS_LOAD:
		ptx_memory_load(&adding);
		break;
	case CLASS_STORE:
		ptx_memory_store(&adding);
		break;
	case CLASS_ATOMIC:
		ptx_memory_atomic(&adding);
		break;
	case CLASS_COPY:
		ptx_memory_copy(&adding);
		break;
	case CLASS_MATRIX:
	case CLASS_MULTIMEM:
		ptx_memory_second_part(&adding);
		break;
	case CLASS_TENSOR_MAP:
		ptx_memory_tensor_map(&adding);
		break;
	case CLASS_TENSOR_MEMORY:
		ptx_memory_of_tensors(&adding);
		break;
	case CLASS_TEXTURE_READ:
		ptx_memory_texture(&adding, USE_READ);
		break;
	case CLASS_TEXTURE_WRITE:
		ptx_memory_texture(&adding, USE_WRITE);
		break;
	case CLASS_TEXTURE_REDUCE:
		ptx_memory_texture(&adding, USE_READ | USE_WRITE);
		break;
	case CLASS_CALL:
		ptx_calls_add(&adding);
		break;
	}
}
