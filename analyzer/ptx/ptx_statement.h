/* One statement of a function's body: its opcode and its operands. Any thread. */
#ifndef STREAMTRACE_PTX_STATEMENT_H
#define STREAMTRACE_PTX_STATEMENT_H

#include "ptx/ptx_tokens.h"

#define PTX_OPERANDS 64	 /* a call of a function with more parameters is not read */
#define PTX_NAMES    512 /* of a statement: a matrix multiplication names some 300 registers */

struct ptx_operand {
	uint32_t first, count; /* of its names */
	uint64_t offset;       /* of "[name+8]" */
	bool is_memory;	       /* "[...]" */
	bool is_list;	       /* "(...)" */
	bool is_plain;	       /* the memory is at a name and an offset that is a number */
};

struct ptx_statement {
	struct ptx_token opcode;
	struct ptx_operand operands[PTX_OPERANDS];
	struct ptx_token names[PTX_NAMES];
	uint32_t operand_count, name_count;
};

/* Reads the operands, up to the ';'. statement->opcode is left alone. False: the text is damaged, or there are too many. */
bool ptx_statement_read(struct ptx_statement *statement, struct ptx_tokens *tokens);

/* The opcode's part number n, without its '.'; of "ld.global.u32" part 1 is "global". Its kind is PTX_END: there are less. */
struct ptx_token ptx_part(struct ptx_token opcode, size_t n);

bool ptx_has_part(struct ptx_token opcode, const char *part);

/* Bytes of an opcode's last type ("u64"): at least 1; of a type that is not known 16. */
uint32_t ptx_type_bytes(struct ptx_token opcode);

#endif
