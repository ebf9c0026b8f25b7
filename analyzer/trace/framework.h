/*
 * Tells which Python framework made a call: the fix is then written in that framework's terms, not
 * as a CUDA call. Any thread.
 */
#ifndef STREAMTRACE_FRAMEWORK_H
#define STREAMTRACE_FRAMEWORK_H

enum framework {
	FRAMEWORK_NONE, /* the program itself, or another library */
	FRAMEWORK_PYTORCH,
	FRAMEWORK_CUPY,
	FRAMEWORK_JAX,
	FRAMEWORK_COUNT
};

struct trace_site;

/* The framework that a library or a Python source file belongs to, by its name or its package's. */
enum framework framework_of_path(const char *path);

/* The framework of a call site: by the libraries on its stack, innermost first, then by its Python
 * frames. */
enum framework framework_of(const struct trace_site *site);

/* The framework's own spelling; NULL for FRAMEWORK_NONE. Static. */
const char *framework_name(enum framework framework);

#endif
