/* Where the real functions are. */
#ifndef STREAMTRACE_RESOLVE_H
#define STREAMTRACE_RESOLVE_H

/* The next definition of a cudart symbol after ours, or NULL: from the global scope, else from any
 * libcudart that is loaded (one that came through an RTLD_LOCAL dlopen is not in the global scope).
 * Leaves errno alone. */
void *resolve_function(const char *name);

#endif
