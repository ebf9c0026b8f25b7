/*
 * Names of operations, calls and lines in the files of other tools. One thread. Out of memory ends the program.
 */
#ifndef STREAMTRACE_EVENT_NAMES_H
#define STREAMTRACE_EVENT_NAMES_H

#include "trace/site.h"

#define NAME_BYTES 96

/* Returns the operation's name. A kernel's name is that of its source. A copy's or a set's name is that of other
 * readers of CUPTI: "Memcpy HtoD (Pageable -> Device)". text: an array of NAME_BYTES. The result is in text, or is
 * valid as long as the trace. */
const char *export_operation_name(const struct trace *trace,
				  const struct trace_operation *operation, char *text);

/* Returns the name of the called function, valid as long as the trace; "cudaLaunchKernel" for nvcc's
 * __cudaLaunchKernel. */
const char *export_call_name(const struct trace_call *call);

/* Returns "compute", "H2D", "D2H" or "peer", a constant. */
const char *export_engine_name(enum engine engine);

/* The lines of calls. A cache, so that a line is looked up once and not for each of its calls. */
struct export_sites {
	const struct trace *trace;
	struct export_site *items; /* items[i] is of trace.sites[i] */
};

/* Initializes *sites. The trace must outlive *sites. The caller calls export_sites_end(). */
void export_sites_begin(struct export_sites *sites, const struct trace *trace);

/* Frees what *sites holds. */
void export_sites_end(struct export_sites *sites);

/* Returns the line that made the call; NULL: the trace has no stack of the call. Valid until the next
 * export_site_of(). */
const struct site *export_site_of(struct export_sites *sites, const struct trace_call *call);

#endif
