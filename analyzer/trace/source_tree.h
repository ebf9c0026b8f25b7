/*
 * Tells whether a source file belongs to the program or a library, by where it lies and its kind.
 * Any thread.
 *
 * A header library is compiled into the program: the address is in the program's module, the line
 * is the library's. Files below the program's source tree are its own, except for copies of other
 * projects (third_party/, _deps/). Outside of it, headers belong to libraries.
 */
#ifndef STREAMTRACE_SOURCE_TREE_H
#define STREAMTRACE_SOURCE_TREE_H

#include <stdbool.h>

/* The source tree of a compile unit. Zeroed: unknown. */
struct source_tree {
	char *root;   /* absolute, without . and ..; NULL: unknown */
	char *folder; /* where the compiler ran; NULL: unknown */
};

/* Finds the tree: its root is the folder that contains both folder and source, otherwise the
 * source's folder. folder: where the compiler ran; source: what it compiled, absolute or relative
 * to folder. Either may be NULL. Free it by source_tree_free(). */
struct source_tree source_tree_of(const char *folder, const char *source);
void source_tree_free(struct source_tree *tree);

/* Whether the file is a header, by its name. */
bool source_is_header(const char *file);

/* Whether the file belongs to a library. program: tree of the unit with main(); unit: tree of the
 * unit with the code. Either may be zeroed. */
bool source_is_library(const char *file, const struct source_tree *program,
		       const struct source_tree *unit);

#endif
