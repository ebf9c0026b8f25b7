#include "ptx/ptx_flow.h"

#include "ptx/ptx_effects.h"

#include <stdlib.h>

/* Statements of a kernel with all that it calls. The largest kernels of libraries have some 100,000. */
#define STATEMENTS_MOST 2000000

struct reading {
	struct ptx_names *names;
	struct ptx_statement *statement; /* the current one */
	struct ptx_tokens tokens;
	size_t statements; /* so far */
};

/* "name:" */
static bool is_label(struct ptx_tokens *tokens)
{
	struct ptx_tokens ahead = *tokens;

	if (!ptx_is_mark(ptx_next(&ahead), ':'))
		return false;
	*tokens = ahead;
	return true;
}

static bool skip_guard(struct ptx_tokens *tokens)
{
	struct ptx_token token = ptx_next(tokens);

	if (ptx_is_mark(token, '!'))
		token = ptx_next(tokens);
	return token.kind == PTX_WORD;
}

static bool read_directive(struct reading *reading, struct ptx_token directive)
{
	if (ptx_is_word(directive, ".loc") || ptx_is_word(directive, ".file")) {
		ptx_skip_line(&reading->tokens);
		return true;
	}
	return ptx_names_declare(reading->names, &reading->tokens, directive);
}

static bool read_word(struct reading *reading, struct ptx_token word)
{
	if (*word.start == '.')
		return read_directive(reading, word);
	if (is_label(&reading->tokens))
		return true;
	if (++reading->statements > STATEMENTS_MOST)
		return false;
	reading->statement->opcode = word;
	if (!ptx_statement_read(reading->statement, &reading->tokens))
		return false;
	ptx_effects_add(reading->names, reading->statement);
	return true;
}

static bool read_body(struct reading *reading)
{
	for (size_t depth = 1; depth;) {
		const struct ptx_token token = ptx_next(&reading->tokens);

		if (token.kind == PTX_END)
			return false;
		if (ptx_is_mark(token, '{')) {
			ptx_names_open_block(reading->names);
			depth++;
		} else if (ptx_is_mark(token, '}')) {
			ptx_names_close_block(reading->names);
			depth--;
		} else if (ptx_is_mark(token, '@')) {
			if (!skip_guard(&reading->tokens))
				return false;
		} else if (token.kind != PTX_WORD || !read_word(reading, token)) {
			if (!ptx_is_mark(token, ';'))
				return false;
		}
	}
	return true;
}

bool ptx_flow_find(const struct ptx_index *index, const struct ptx_function *kernel,
		   struct kernel_uses *uses)
{
	struct use_graph graph = {0};
	struct ptx_names names;
	struct reading reading = {.names = &names,
				  .statement = memory_array(1, sizeof(*reading.statement))};
	bool ok = ptx_names_begin(&names, index, &graph, kernel) && kernel->body;

	/* Each body may name functions that are not in the list yet. */
	for (size_t i = 0; ok && i < names.called.count; i++) {
		ptx_names_enter(&names, i);
		reading.tokens =
			(struct ptx_tokens){names.called.items[i].function->body, index->end};
		ok = read_body(&reading);
	}
	*uses = (struct kernel_uses){0};
	ok = ok && use_graph_solve(&graph, uses);
	free(reading.statement);
	ptx_names_free(&names);
	use_graph_free(&graph);
	return ok;
}
