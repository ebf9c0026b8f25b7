/*
 * The folders that the server may read below. Names come from a stranger: each is resolved through its links, and what
 * is not below a root is refused like what is not there. One thread.
 *
 * A name is checked before it is used: who may write below a root can put a link into its place meanwhile.
 */
#ifndef STREAMTRACE_MCP_ROOTS_H
#define STREAMTRACE_MCP_ROOTS_H

#include "base/vector.h"

#include <stdbool.h>

/* Real paths of folders. Zero-initialize it; roots_free() it. */
struct roots {
	VECTOR(char *) folders;
};

/* Adds the folder at path, unless it is below a root already. False: there is no such folder. */
bool roots_add(struct roots *roots, const char *path);

/* Adds the folder of a "file:" URI, as roots_add() does. */
bool roots_add_uri(struct roots *roots, const char *uri);

/* Leaves of *roots what is also below `outer`. */
void roots_narrow(struct roots *roots, const struct roots *outer);

/* Whether the path, a real one, is a root or below one. */
bool roots_have(const struct roots *roots, const char *path);

/* Returns the real path, malloc'ed, of the file or folder with that name; a relative name is below the first root.
 * NULL: it is not there, or not below the roots, or it is a folder with a trace (*.db) that a link leads to from outside
 * of them. *why then says so in one line, malloc'ed. */
char *roots_find(const struct roots *roots, const char *name, char **why);

/* Like roots_find(), for a name that is not there yet, in a folder that is. */
char *roots_find_new(const struct roots *roots, const char *name, char **why);

/* Returns the path that a URI's percent signs stand for, malloc'ed; NULL: it is none. */
char *roots_decode(const char *text);

void roots_free(struct roots *roots);

#endif
