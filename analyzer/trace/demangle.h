/*
 * Demangles C++ names. The only file that calls libiberty. Names are untrusted: one that would need
 * too much time or stack counts as not mangled. Any thread.
 */
#ifndef STREAMTRACE_DEMANGLE_H
#define STREAMTRACE_DEMANGLE_H

#include <stdbool.h>

/* Returns the source form of a mangled name, which the caller must free(); NULL: not mangled. If
 * with_parameters is false, the parameters and the return type are left out. */
char *demangle(const char *name, bool with_parameters);

struct demangle_component; /* libiberty/demangle.h */

/* The name as libiberty's tree, with its parameters; NULL: not mangled. The tree lives in *memory
 * and points into name. The caller must free(*memory), also after NULL. */
struct demangle_component *demangle_tree(const char *name, void **memory);

/* Whether a node of such a tree is the builtin type of this name, such as "int". */
bool demangle_is_builtin(const struct demangle_component *type, const char *name);

#endif
