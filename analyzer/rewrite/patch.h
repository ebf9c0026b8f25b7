/*
 * Changes of one file, and the unified diff of them, as `patch -p1` and `git apply` read it. Any thread.
 */
#ifndef STREAMTRACE_PATCH_H
#define STREAMTRACE_PATCH_H

#include "base/vector.h"
#include "rewrite/code.h"

/* New text for a piece of the file. */
struct change {
	struct piece piece;
	char *text;
};

typedef VECTOR(struct change) patch;

/* Adds a change; the text is made like printf()'s. Of the same piece the first change stays,
 * as two lines of a finding can have one. */
void patch_add(patch *changes, struct piece piece, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a change that removes the lines of the piece. */
void patch_remove_lines(patch *changes, const struct code *code, struct piece piece);

/* Frees the changes. */
void patch_free(patch *changes);

/* Returns the file's text with the changes, which the caller must free(). NULL: they overlap. Sorts the changes. */
char *patch_apply(patch *changes, const char *text, size_t length);

/* Returns the diff from `before` to `after`, with three lines around each change, which the caller must
 * free(). name: of the file, without "a/". */
char *patch_diff(const char *name, const char *before, const char *after);

#endif
