/*
 * What operations, calls and lines are called in other tools' files. One thread.
 */
#ifndef STREAMTRACE_EXPORT_NAMES_H
#define STREAMTRACE_EXPORT_NAMES_H

#include "trace/site.h"

#define NAME_BYTES 96

/* The kernel's name as its source spells it; or as CUPTI's readers name copies and sets: "Memcpy HtoD
 * (Pageable -> Device)". The trace's, or in text[NAME_BYTES]. */
const char *export_operation_name(const struct trace *trace,
				  const struct trace_operation *operation, char *text);

/* The call's name: nvcc's __cudaLaunchKernel is the runtime's cudaLaunchKernel. */
const char *export_call_name(const struct trace_call *call);

/* "compute", "H2D", ... */
const char *export_engine_name(enum engine engine);

/* The lines of calls, each described once. */
struct export_sites {
	const struct trace *trace;
	struct export_site *items; /* by index in trace.sites */
};

void export_sites_begin(struct export_sites *sites, const struct trace *trace);
void export_sites_end(struct export_sites *sites);

/* NULL: the trace has no stack of the call. Valid until the next one. */
const struct site *export_site_of(struct export_sites *sites, const struct trace_call *call);

#endif
