/*
 * C++ names. The only file that calls libiberty. Names are untrusted: one that would take it for ever, or
 * more stack than a thread has, counts as not mangled. Any thread.
 */
#ifndef STREAMTRACE_DEMANGLE_H
#define STREAMTRACE_DEMANGLE_H

#include <stdbool.h>

/* The name with its parameters, or without them and without the return type. NULL where name is
 * not mangled; else malloc'ed. */
char *demangle(const char *name, bool with_parameters);

struct demangle_component; /* libiberty/demangle.h */

/* The name with its parameters, as libiberty's tree; NULL where name is not mangled. The tree lives until
 * free(*memory), which the caller calls either way. */
struct demangle_component *demangle_tree(const char *name, void **memory);

#endif
