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

/* The framework of a library or a Python source file, by the file's name or its package's.
 * FRAMEWORK_NONE: no framework that is known here. */
enum framework framework_of_path(const char *path);

/* The framework of a call site: that of the innermost library on the stack that belongs to one,
 * otherwise that of the innermost such Python frame. FRAMEWORK_NONE for NULL. */
enum framework framework_of(const struct trace_site *site);

/* The framework's own spelling; NULL for FRAMEWORK_NONE. Static. */
const char *framework_name(enum framework framework);

#endif
