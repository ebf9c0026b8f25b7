/*
 * Which frame of a call stack is the application's own.
 *
 * Between a kernel launch in the source and the traced call stand functions that nobody wrote:
 * nvcc's stubs, CUDA's inline wrappers, and with a static runtime the runtime itself. Where a
 * library made the call its frames stand there too, and under Python the interpreter's.
 */
#ifndef STREAMTRACE_SITE_H
#define STREAMTRACE_SITE_H

#include "trace/framework.h"
#include "trace/trace.h"

/* The application's own frame of a call. */
struct site {
	const char *file;     /* NULL without debug information */
	int line;	      /* 0 without debug information */
	const char *function; /* demangled, NULL without a symbol */
	const char *module;   /* path, NULL where no module held the address */
	uint64_t offset;      /* in the module: tells sites apart where there is no line */
	const char *through;  /* path of the library that made the call; NULL: the program itself */
	/* What the line called of a library of headers, mangled, where that made the call; or NULL.
	 */
	const char *through_function;
	bool is_python; /* file and line are Python's */
	/* Which made the call, where the line is Python's, or no line and Python runs. */
	enum framework framework;
};

/* Remembers, on the way from the innermost frame outwards, which kernel is being launched: the
 * stub that nvcc puts around a launch has the kernel's own name, and its line is the kernel's.
 * Start with {.kernel = its mangled name, or NULL where that is not known}. */
struct frame_filter {
	const char *kernel;
	char stub_kernel[1024]; /* the kernel that a __device_stub__ frame named; longer: cut */
};

/* Whether frame is application code. Call it for each frame in order of depth. */
bool frame_filter_accepts(struct frame_filter *filter, const struct trace_frame *frame);

/* Whether the module at path is the program, given the metadata's name of that. */
bool site_is_program(const char *path, const char *program);

/* Whether the module at path is nobody's own code: by its folder, its name, or for being Python.
 * program is the path of the program's own module, or NULL: that is never a library, nor is what
 * lies beside it. */
bool site_is_library(const char *path, const char *program);

/* Whether the source file is the toolkit's own wrapper, or what nvcc generated. */
bool site_is_cuda_source(const char *path);

/* The first application frame of a call site, or else the first that is not CUDA's. kernel is the
 * mangled name of the kernel that the call launched, or NULL. NULL where site is NULL or all its
 * frames are CUDA's. */
const struct trace_frame *site_application_frame(const struct trace_site *site, const char *kernel);

/* The line to report: a Python frame where there are any, unless native code of the application's,
 * with a known line, was called by them. Innermost first: the application's, else a library's, else
 * CUDA's. All fields are empty for a site that is NULL or has no frames. Texts belong to the
 * trace, as kernel does. Any thread. */
struct site site_describe(const struct trace *trace, const struct trace_site *site,
			  const char *kernel);

/* The same without a look at what was described before (described.c). */
struct site site_describe_anew(const struct trace *trace, const struct trace_site *site,
			       const char *kernel);

/* Forgets what was described: frames say more now. One thread. */
void site_forget_described(struct trace *trace);

/* As strcmp(). One line can hold several calls, and be reached through several functions: that is
 * one site. */
int site_compare(const struct site *a, const struct site *b);

#endif
