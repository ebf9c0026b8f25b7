#include "ptx/ptx_statement.h"

#include <ctype.h>
#include <string.h>

#define TYPE_BYTES_MOST 16

static struct ptx_operand *begin_operand(struct ptx_statement *statement)
{
	struct ptx_operand *operand;

	if (statement->operand_count == PTX_OPERANDS)
		return NULL;
	operand = &statement->operands[statement->operand_count++];
	*operand = (struct ptx_operand){.first = statement->name_count, .is_plain = true};
	return operand;
}

/* Of "%v.x", a part of a vector, the name of the whole. */
static bool add_name(struct ptx_statement *statement, struct ptx_operand *operand,
		     struct ptx_token name)
{
	const char *dot = memchr(name.start, '.', name.length);

	if (dot)
		name.length = (size_t)(dot - name.start);
	if (statement->name_count == PTX_NAMES)
		return false;
	statement->names[statement->name_count++] = name;
	operand->count++;
	return true;
}

/* "[a+8]": before is the mark before the number. */
static void add_number(struct ptx_operand *operand, struct ptx_token number, char before)
{
	if (!operand->is_memory)
		return;
	if (before == '+' && !operand->offset)
		operand->offset = ptx_number(number);
	else if (before == '-' || before == '+')
		operand->is_plain = false;
}

bool ptx_statement_read(struct ptx_statement *statement, struct ptx_tokens *tokens)
{
	struct ptx_operand *operand;
	int depth = 0;
	char before = ' ';

	statement->operand_count = statement->name_count = 0;
	operand = begin_operand(statement);
	while (operand) {
		struct ptx_token token = ptx_next(tokens);
		const char mark = token.kind == PTX_MARK ? *token.start : ' ';

		if (token.kind == PTX_END)
			return false;
		if (mark == ';')
			return true;
		if (mark == ',' && depth == 0) {
			operand = begin_operand(statement);
		} else if (mark == '[' || mark == '(' || mark == '{') {
			/* "name[8]" */
			operand->is_plain &= mark != '[' || !operand->count;
			operand->is_memory |= mark == '[';
			operand->is_list |= mark == '(';
			depth++;
		} else if (mark == ']' || mark == ')' || mark == '}') {
			depth--;
		} else if (ptx_is_name(token)) {
			operand->is_plain &= !operand->is_memory || !operand->count;
			if (!add_name(statement, operand, token))
				return false;
		} else if (token.kind == PTX_WORD) {
			add_number(operand, token, before);
		}
		before = mark;
	}
	return false;
}

struct ptx_token ptx_part(struct ptx_token opcode, size_t n)
{
	const char *end = opcode.start + opcode.length, *at = opcode.start;

	for (;; n--) {
		const char *dot = memchr(at, '.', (size_t)(end - at));

		if (!n)
			return (struct ptx_token){at, (size_t)((dot ? dot : end) - at), PTX_WORD};
		if (!dot)
			return (struct ptx_token){end, 0, PTX_END};
		at = dot + 1;
	}
}

bool ptx_has_part(struct ptx_token opcode, const char *part)
{
	struct ptx_token found;

	for (size_t i = 0; (found = ptx_part(opcode, i)).kind != PTX_END; i++)
		if (ptx_is_word(found, part))
			return true;
	return false;
}

uint32_t ptx_type_bytes(struct ptx_token opcode)
{
	const char *end = opcode.start + opcode.length, *digits = end;
	uint64_t bits = 0;

	while (digits > opcode.start && isdigit((unsigned char)digits[-1]))
		digits--;
	/* A type is a dot, one letter and digits: "u64". "f16x2" and "m16n8k16" are none. */
	if (digits == end || digits - 2 < opcode.start || digits[-2] != '.' ||
	    !strchr("usbf", digits[-1]))
		return TYPE_BYTES_MOST;
	bits = ptx_number((struct ptx_token){digits, (size_t)(end - digits), PTX_WORD});
	return bits < 8 ? 1 : bits / 8 > TYPE_BYTES_MOST ? TYPE_BYTES_MOST : (uint32_t)bits / 8;
}
