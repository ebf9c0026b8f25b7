/*
 * Tells whether a source file belongs to the program or a library, by where it lies and its kind.
 * Any thread.
 *
 * A header library is compiled into the program: the address is in the program's module, the line
 * is the library's. Files below the program's source tree are the program's own, except for copies
 * of other projects (third_party/, _deps/). Outside of the tree, headers belong to libraries.
 */
#ifndef STREAMTRACE_SOURCE_TREE_H
#define STREAMTRACE_SOURCE_TREE_H

#include <stdbool.h>

/* The source tree of a compile unit. Both NULL: unknown. */
struct source_tree {
	char *root;   /* absolute, without . and ..; NULL: unknown */
	char *folder; /* where the compiler ran; NULL: unknown */
};

/* Finds the tree. Its root is the folder that contains both arguments, or the source's folder if
 * that one would be a folder that many projects share. folder: where the compiler ran; source: the
 * file compiled, absolute or relative to folder. Either or both may be NULL. Copies the texts; free
 * the result by source_tree_free(). */
struct source_tree source_tree_of(const char *folder, const char *source);

/* Frees the tree's texts; the tree is then unknown. */
void source_tree_free(struct source_tree *tree);

/* Whether the file is a header, by its name; a name without an ending is one (<vector>). */
bool source_is_header(const char *file);

/* Whether the file belongs to a library. program: the tree of the unit with main(); unit: the tree
 * of the unit that has the code. Neither pointer may be NULL; either tree may be unknown. */
bool source_is_library(const char *file, const struct source_tree *program,
		       const struct source_tree *unit);

#endif
