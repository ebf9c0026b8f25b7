#include "ptx/ptx_index.h"

bool ptx_space_of(struct ptx_token directive, enum ptx_space *space)
{
	static const char *const names[] = {".global", ".const", ".shared", ".local"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!ptx_is_word(directive, names[i]))
			continue;
		*space = (enum ptx_space)i;
		return true;
	}
	return false;
}

bool ptx_each_declared(struct ptx_tokens *tokens, char until,
		       void (*take)(void *context, struct ptx_token name), void *context)
{
	bool is_in_name = false; /* its array's size or its values may follow */

	for (;;) {
		struct ptx_token token = ptx_next(tokens);

		if (token.kind == PTX_END || (ptx_is_mark(token, '{') && !ptx_skip_block(tokens)))
			return false;
		if (ptx_is_mark(token, until))
			return true;
		if (ptx_is_mark(token, ','))
			is_in_name = false;
		if (is_in_name || !ptx_is_name(token))
			continue;
		is_in_name = true;
		take(context, token);
	}
}

struct declaring {
	struct ptx_index *index;
	enum ptx_space space;
};

static void add_variable(void *context, struct ptx_token name)
{
	const struct declaring *declaring = context;

	map_add(&declaring->index->variables, ptx_hash(0, name), declaring->space);
}

static bool skip_parentheses(struct ptx_tokens *tokens)
{
	for (;;) {
		struct ptx_token token = ptx_next(tokens);

		if (token.kind == PTX_END || ptx_is_mark(token, ')'))
			return token.kind != PTX_END;
	}
}

static void add_function(struct ptx_index *index, struct ptx_function function)
{
	const uint64_t hash = ptx_hash(0, function.name);
	const size_t known = map_find(&index->function_map, hash);

	if (known != MAP_NONE && (index->functions.items[known].body || !function.body))
		return;
	map_set(&index->function_map, hash, index->functions.count);
	*vector_add(&index->functions) = function;
}

/* After its ".entry" or ".func". */
static bool read_function(struct ptx_index *index, struct ptx_tokens *tokens, bool is_kernel)
{
	struct ptx_function function = {.is_kernel = is_kernel};
	struct ptx_token token = ptx_next(tokens);

	if (ptx_is_mark(token, '(')) {
		function.results = tokens->at;
		if (!skip_parentheses(tokens))
			return false;
		token = ptx_next(tokens);
	}
	if (!ptx_is_name(token))
		return false;
	function.name = token;
	for (;;) {
		token = ptx_next(tokens);
		if (token.kind == PTX_END)
			return false;
		if (ptx_is_mark(token, '(')) {
			if (!function.parameters)
				function.parameters = tokens->at;
			if (!skip_parentheses(tokens))
				return false;
		} else if (ptx_is_mark(token, ';')) {
			break;
		} else if (ptx_is_mark(token, '{')) {
			function.body = tokens->at;
			if (!ptx_skip_block(tokens))
				return false;
			break;
		}
	}
	add_function(index, function);
	return true;
}

/* ".section NAME { ... }" */
static bool skip_section(struct ptx_tokens *tokens)
{
	for (;;) {
		struct ptx_token token = ptx_next(tokens);

		if (token.kind == PTX_END)
			return false;
		if (ptx_is_mark(token, '{'))
			return ptx_skip_block(tokens);
	}
}

static bool read_directive(struct ptx_index *index, struct ptx_tokens *tokens,
			   struct ptx_token directive)
{
	struct declaring declaring = {.index = index};

	if (ptx_is_word(directive, ".entry") || ptx_is_word(directive, ".func"))
		return read_function(index, tokens, ptx_is_word(directive, ".entry"));
	if (ptx_is_word(directive, ".address_size"))
		return ptx_number(ptx_next(tokens)) == 64;
	if (ptx_is_word(directive, ".section"))
		return skip_section(tokens);
	if (ptx_space_of(directive, &declaring.space))
		return ptx_each_declared(tokens, ';', add_variable, &declaring);
	if (ptx_is_word(directive, ".pragma") || ptx_is_word(directive, ".alias") ||
	    ptx_is_word(directive, ".tex"))
		return ptx_skip_statement(tokens);
	if (ptx_is_word(directive, ".version") || ptx_is_word(directive, ".target") ||
	    ptx_is_word(directive, ".file") || ptx_is_word(directive, ".loc"))
		ptx_skip_line(tokens);
	return true; /* .visible, .weak and their like stand before what they mean */
}

bool ptx_index_read(struct ptx_index *index, const char *text, size_t size)
{
	struct ptx_tokens tokens = {text, text + size};

	*index = (struct ptx_index){.end = text + size};
	for (;;) {
		struct ptx_token token = ptx_next(&tokens);

		if (token.kind == PTX_END)
			return tokens.at == tokens.end;
		if (token.kind != PTX_WORD || *token.start != '.' ||
		    !read_directive(index, &tokens, token))
			return false;
	}
}

void ptx_index_free(struct ptx_index *index)
{
	vector_free(&index->functions);
	map_free(&index->function_map);
	map_free(&index->variables);
}

const struct ptx_function *ptx_index_function(const struct ptx_index *index, struct ptx_token name)
{
	const size_t known = map_find(&index->function_map, ptx_hash(0, name));

	return known == MAP_NONE ? NULL : &index->functions.items[known];
}
