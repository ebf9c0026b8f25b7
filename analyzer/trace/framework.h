/*
 * Which framework of Python made a call: its fix is a word of that framework, not a CUDA call.
 */
#ifndef STREAMTRACE_FRAMEWORK_H
#define STREAMTRACE_FRAMEWORK_H

enum framework {
	FRAMEWORK_NONE, /* the program itself, or a library that is none of these */
	FRAMEWORK_PYTORCH,
	FRAMEWORK_CUPY,
	FRAMEWORK_JAX,
	FRAMEWORK_COUNT
};

struct trace_site;

/* Whose library or source file of Python the path is: by its name, or its package's. */
enum framework framework_of_path(const char *path);

/* By the libraries in the call's stack, the innermost first, or else by its Python frames. */
enum framework framework_of(const struct trace_site *site);

/* As it calls itself; NULL of FRAMEWORK_NONE. */
const char *framework_name(enum framework framework);

#endif
