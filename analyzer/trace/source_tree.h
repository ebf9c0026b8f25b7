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

/* Finds the tree. Its root is the folder that contains both arguments. If many projects share that
 * folder (/usr, /home/user), the root is the source's folder instead (of PROJECT/src: PROJECT). If
 * one argument is NULL, the other alone gives the root; a relative path alone, or a root of "/",
 * gives none. folder: where the compiler ran; source: the file compiled, absolute or relative to
 * folder. Either or both may be NULL. Copies the texts; free the result by source_tree_free(). */
struct source_tree source_tree_of(const char *folder, const char *source);

/* Frees the tree's texts; the tree is then unknown. */
void source_tree_free(struct source_tree *tree);

/* Whether the file is a header, by its name; a name without an ending is one (<vector>). */
bool source_is_header(const char *file);

/* Whether the file belongs to a library. program: the tree of the unit with main(); unit: the tree
 * of the unit that has the code. No pointer may be NULL; either tree may be unknown. If the file is
 * in neither tree, its name decides: headers, copies of other projects and installed files belong
 * to a library. But a relative path, or one that leaves unit->folder by "..", is the program's
 * unless it is a copy or installed. */
bool source_is_library(const char *file, const struct source_tree *program,
		       const struct source_tree *unit);

#endif
