/*
 * Names of operations, calls and lines in the files of other tools. One thread.
 */
#ifndef STREAMTRACE_EVENT_NAMES_H
#define STREAMTRACE_EVENT_NAMES_H

#include "trace/site.h"

#define NAME_BYTES 96

/* The operation's name: a kernel's as its source spells it, a copy's and a set's as other readers of CUPTI do,
 * "Memcpy HtoD (Pageable -> Device)". text: an array of NAME_BYTES. The result is in text, or belongs to the trace. */
const char *export_operation_name(const struct trace *trace,
				  const struct trace_operation *operation, char *text);

/* The name of the called function; "cudaLaunchKernel" for nvcc's __cudaLaunchKernel. */
const char *export_call_name(const struct trace_call *call);

/* "compute", "H2D", "D2H" or "peer". */
const char *export_engine_name(enum engine engine);

/* The lines of calls. A cache, so that a line is looked up once and not for each of its calls. */
struct export_sites {
	const struct trace *trace;
	struct export_site *items; /* items[i] is of trace.sites[i] */
};

/* Initializes sites; the trace must outlive it. export_sites_end() frees what it holds. */
void export_sites_begin(struct export_sites *sites, const struct trace *trace);
void export_sites_end(struct export_sites *sites);

/* The line that made the call; NULL: the trace has no stack of it. Valid until the next export_site_of(). */
const struct site *export_site_of(struct export_sites *sites, const struct trace_call *call);

#endif
