/* From what a client gives a tool to the command line behind it. One thread. */
#ifndef STREAMTRACE_MCP_TOOL_WORDS_H
#define STREAMTRACE_MCP_TOOL_WORDS_H

#include "base/vector.h"
#include "mcp/roots.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct tool;

typedef VECTOR(char *) word_vector;

/* Zero-initialize it; tool_words_free() it. */
struct tool_words {
	word_vector words;  /* the program's name first; ends with NULL */
	char *directory;    /* where it starts, a real path */
	char *folder;	    /* that was made for traces; NULL: none */
	const char *cursor; /* of the arguments; NULL: none */
	bool has_json;	    /* the command prints JSON */
	int64_t timeout_ms; /* 0: none */
};

/* Makes the command line. arguments: an object, or NULL; it must live as long as *words. False: an argument is wrong,
 * and *why says so in one line, malloc'ed. */
bool tool_words_make(struct tool_words *words, const struct tool *tool, json_t *arguments,
		     const struct roots *roots, char **why);

/* Frees all. A folder that was made stays. */
void tool_words_free(struct tool_words *words);

#endif
