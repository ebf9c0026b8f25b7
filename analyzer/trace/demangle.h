/*
 * C++ names. The only file that calls libiberty.
 */
#ifndef STREAMTRACE_DEMANGLE_H
#define STREAMTRACE_DEMANGLE_H

#include <stdbool.h>

/* The name with its parameters, or without them and without the return type. NULL where name is
 * not mangled; else malloc'ed. */
char *demangle(const char *name, bool with_parameters);

#endif
