/*
 * Demangles C++ names. The only file that calls libiberty. Names are untrusted: one that would need
 * too much time or stack counts as not mangled. Any thread.
 */
#ifndef STREAMTRACE_DEMANGLE_H
#define STREAMTRACE_DEMANGLE_H

#include <stdbool.h>

/* The source form of a mangled name, to be freed; NULL: not mangled. Without parameters the return
 * type is left out, too. */
char *demangle(const char *name, bool with_parameters);

struct demangle_component; /* libiberty/demangle.h */

/* The name as libiberty's tree, with its parameters; NULL: not mangled. The tree lives in *memory,
 * which the caller must free() in both cases. */
struct demangle_component *demangle_tree(const char *name, void **memory);

#endif
