/*
 * Which frame of a call stack is the application's own.
 *
 * Between a kernel launch in the source and the traced call stand functions that nobody wrote:
 * nvcc's stubs, CUDA's inline wrappers, and with a static runtime the runtime itself.
 */
#ifndef STREAMTRACE_SITE_H
#define STREAMTRACE_SITE_H

#include "analysis.h"

/* Remembers, on the way from the innermost frame outwards, which kernel is being launched: the
 * stub that nvcc puts around a launch has the kernel's own name, and its line is the kernel's.
 * Start with {.kernel = its mangled name, or NULL where that is not known}. */
struct frame_filter {
	const char *kernel;
	char stub_kernel[1024]; /* the kernel that a __device_stub__ frame named; longer: cut */
};

/* Whether frame is application code. Call it for each frame in order of depth. */
bool frame_filter_accepts(struct frame_filter *filter, const struct trace_frame *frame);

/* The first application frame of a call site. kernel is the mangled name of the kernel that the
 * call launched, or NULL. NULL where site is NULL or all its frames are CUDA's. */
const struct trace_frame *site_application_frame(const struct trace_site *site, const char *kernel);

/* The same as a struct site; where no frame is the application's, the innermost one. All fields
 * are empty for a site that is NULL or has no frames. Texts belong to the trace. */
struct site site_describe(const struct trace *trace, const struct trace_site *site,
			  const char *kernel);

#endif
