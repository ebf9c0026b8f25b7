/* Makes the summary of a trace, and its file. One thread. */
#ifndef STREAMTRACE_TRACE_SUMMARY_H
#define STREAMTRACE_TRACE_SUMMARY_H

#include "job/summary.h"

/* Analyses the trace and makes its summary, which the caller frees with summary_free(). Call after
 * trace_resolve_sites() (trace/trace.h). May add numbers of the cache (measure.h) to the trace's metadata in memory.
 * is_exact: replay the whole run, not a sample. */
struct summary *trace_summary_make(struct trace *trace, bool is_exact);

/* Returns the name of the summary's file for the trace at path: "folder/app.summary.db" for "app.db". folder "": the
 * name is beside the trace. The caller frees the text. */
char *trace_summary_name(const char *folder, const char *path);

/* Writes the summary to the file of trace_summary_name(). folder NULL: writes nothing, and returns true. False:
 * *error says why in one line, which the caller frees. */
bool trace_summary_write(const struct summary *summary, const char *folder, const char *path,
			 char **error);

#endif
