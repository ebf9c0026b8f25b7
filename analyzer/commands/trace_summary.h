/* Makes the summary of a trace, and its file. One thread. */
#ifndef STREAMTRACE_TRACE_SUMMARY_H
#define STREAMTRACE_TRACE_SUMMARY_H

#include "job/summary.h"

/* Analyses the trace and makes its summary, which the caller frees with summary_free(). Call after
 * trace_resolve_sites(). is_exact: replay the whole run, not a sample. */
struct summary *trace_summary_make(struct trace *trace, bool is_exact);

/* The name of the summary's file: "folder/app.summary.db" for "app.db"; for the folder "" beside the trace at path.
 * The caller frees it. */
char *trace_summary_name(const char *folder, const char *path);

/* Writes the summary to that file; folder NULL: writes nothing. False: *error says why in one line, which the caller
 * frees. */
bool trace_summary_write(const struct summary *summary, const char *folder, const char *path,
			 char **error);

#endif
