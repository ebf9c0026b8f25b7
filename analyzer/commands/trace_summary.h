/* The summary of a trace, and its file beside. One thread. */
#ifndef STREAMTRACE_TRACE_SUMMARY_H
#define STREAMTRACE_TRACE_SUMMARY_H

#include "job/summary.h"

/* Analyses the trace, which has its source lines. */
struct summary *trace_summary_make(struct trace *trace, bool is_exact);

/* "folder/app.summary.db" for "app.db"; of the folder "": beside the trace of that path. malloc'ed. */
char *trace_summary_name(const char *folder, const char *path);

/* Writes it there; where the folder is NULL, nowhere. False: *error says why, malloc'ed. */
bool trace_summary_write(const struct summary *summary, const char *folder, const char *path,
			 char **error);

#endif
