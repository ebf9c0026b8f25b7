/*
 * Whose source file a line is in, by where the file lies and of what kind it is.
 *
 * A library of headers is compiled into the program: the address is in the program's own module,
 * the line is the library's. What is below the program's source tree is its own, but for copies of
 * other projects that lie there (third_party/, _deps/). Outside of it a header is a library's.
 */
#ifndef STREAMTRACE_SOURCE_TREE_H
#define STREAMTRACE_SOURCE_TREE_H

#include <stdbool.h>

/* The tree that a compile unit belongs to. Zeroed: nothing is known. */
struct source_tree {
	char *root;   /* absolute, without . and ..; NULL: not known */
	char *folder; /* where the compiler ran; NULL: not known */
};

/* folder: where the compiler ran; source: what it compiled, absolute or relative to that. The root
 * is the folder that contains both, or else the source's. Either may be NULL. */
struct source_tree source_tree_of(const char *folder, const char *source);
void source_tree_free(struct source_tree *tree);

/* The kind of file: a header, not one that is compiled by itself. */
bool source_is_header(const char *file);

/* Whether file is a library's. program is the tree of the unit with main(), unit that of the
 * unit with the code; either may be zeroed. */
bool source_is_library(const char *file, const struct source_tree *program,
		       const struct source_tree *unit);

#endif
