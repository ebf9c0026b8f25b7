/* The functions and variables of a PTX text. One thread at a time for each index. */
#ifndef STREAMTRACE_PTX_INDEX_H
#define STREAMTRACE_PTX_INDEX_H

#include "base/vector.h"
#include "ptx/ptx_tokens.h"

struct ptx_function {
	struct ptx_token name;
	const char *results;	/* after the '(' before its name; NULL: it has no results */
	const char *parameters; /* after the '(' behind its name; NULL: it has none */
	const char *body;	/* after its '{'; NULL: only declared here */
	bool is_kernel;
};

enum ptx_space { PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL };

struct ptx_index {
	const char *end; /* of the text */
	VECTOR(struct ptx_function) functions;
	struct map
		function_map; /* ptx_hash(0, name) to index. Of two with one name, the one that has a body. */
	struct map variables; /* from ptx_hash(0, name) to an enum ptx_space */
};

/* Reads the text, which must outlive the index. False: it is damaged, or not for 64-bit addresses. Free by
 * ptx_index_free() in both cases. */
bool ptx_index_read(struct ptx_index *index, const char *text, size_t size);
void ptx_index_free(struct ptx_index *index);

/* NULL: there is none. */
const struct ptx_function *ptx_index_function(const struct ptx_index *index, struct ptx_token name);

/* The space that a directive (".shared") declares variables in. False: none. */
bool ptx_space_of(struct ptx_token directive, enum ptx_space *space);

/* Calls take() for each name that the rest of a declaration of variables or parameters declares, in order. `until`: the
 * mark that ends it, ';' or ')'. False: the text is damaged. */
bool ptx_each_declared(struct ptx_tokens *tokens, char until,
		       void (*take)(void *context, struct ptx_token name), void *context);

#endif
