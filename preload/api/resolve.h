/* Where the real functions are. */
#ifndef STREAMTRACE_RESOLVE_H
#define STREAMTRACE_RESOLVE_H

/* The function that a reference to cudart's symbol with that version would bind to without us:
 * another interposer that comes after us, else cudart's own function of the version: from the
 * global scope, else from any libcudart that is loaded (one that came through an RTLD_LOCAL dlopen
 * is not in the global scope). A cudart without versions serves them all. NULL: there is none. The
 * library found stays loaded until the program ends, for its caller keeps the address. Leaves errno
 * alone. */
void *resolve_function(const char *name, const char *version);

#endif
