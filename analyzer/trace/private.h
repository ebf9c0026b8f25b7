/*
 * What the modules of this room share about a trace that is loaded.
 */
#ifndef STREAMTRACE_TRACE_PRIVATE_H
#define STREAMTRACE_TRACE_PRIVATE_H

#include "base/vector.h"
#include "trace/trace.h"

struct trace_private {
	struct arena arena; /* every text */
	/* Of all sites, one site after the other; of all sets of arguments likewise. */
	VECTOR(struct trace_frame) frames;
	VECTOR(struct trace_python_frame) python_frames;
	VECTOR(struct trace_argument) arguments;

	/* demangle.c: by the address of the mangled text, which the arena holds. */
	VECTOR(const char *) demangled;
	struct map demangled_map;
};

#endif
