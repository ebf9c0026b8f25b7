/* An instruction of PTX that is added to the graph of a kernel's values: its operands as nodes, and edges between them. One
 * thread. */
#ifndef STREAMTRACE_PTX_ADDING_H
#define STREAMTRACE_PTX_ADDING_H

#include "ptx/ptx_names.h"
#include "ptx/ptx_statement.h"

struct adding {
	struct ptx_names *names;
	struct use_graph *graph;
	const struct ptx_statement *statement;
	struct ptx_token opcode;
};

/* Number `index`; an empty one: there are less. */
const struct ptx_operand *adding_operand(const struct adding *adding, uint32_t index);

/* The first operand in memory from number `first` on; an empty one: there is none. */
const struct ptx_operand *adding_memory(const struct adding *adding, uint32_t first);

/* The node of a name (an index in statement->names) that stands for a value. The address of a variable of .param is not
 * followed: what the variable holds is lost. */
uint32_t adding_node(const struct adding *adding, uint32_t name);

/* The node of a name, which stands for what it holds where it is a variable of .param. */
uint32_t adding_variable(const struct adding *adding, uint32_t name);

/* A node for all values that the operands from number `first` on name, those in memory left out. */
uint32_t adding_values(const struct adding *adding, uint32_t first);

/* A node for the address of an operand in memory. */
uint32_t adding_address(const struct adding *adding, const struct ptx_operand *operand);

/* The space that the opcode names as number n. SPACE_ANY: it names none. */
enum use_space adding_space(struct ptx_token opcode, size_t n);

/* Of EDGE_FLOW, EDGE_NUMBER or EDGE_LOST. */
void adding_edge(const struct adding *adding, enum use_edge_kind kind, uint32_t from, uint32_t to);

/* An edge from a node to each value that the first operand names. */
void adding_results(const struct adding *adding, enum use_edge_kind kind, uint32_t from);

/* Memory at the address is used; what is loaded from it becomes the first operand; a value is stored there. */
void adding_access(const struct adding *adding, uint32_t address, uint8_t uses,
		   enum use_space space);
void adding_load(const struct adding *adding, uint32_t address, enum use_space space);
void adding_store(const struct adding *adding, uint32_t value, uint32_t address,
		  enum use_space space);

/* All operands but the first move to it, by edges of this kind. With an operand in memory: adding_unknown(). */
void adding_flow(const struct adding *adding, enum use_edge_kind kind);

/* Nothing is known of the instruction: all that it is given is lost, and all that it gives may be from memory. */
void adding_unknown(const struct adding *adding);

#endif
