/*
 * The processes of a job from their files: traces are analysed, as many at a time as there are processors, and
 * summaries are read.
 *
 * Traces are analysed in processes of their own, one after the other in each, which hand the summaries over: what is
 * damaged so that it ends the process, or needs more memory than there is, is the only one without, and
 * becomes a line of the report. Memory is that of as many analyses as run at a time. One thread, and no others may
 * run (it forks).
 */
#ifndef STREAMTRACE_COLLECT_H
#define STREAMTRACE_COLLECT_H

#include "job/merge.h"

struct collect_options {
	bool is_exact; /* of whole runs, however long they are */
	/* Where the summaries of traces are written, too: a folder, or "" for beside each; NULL: nowhere. */
	const char *folder;
};

/* It never fails: out of memory ends the program. */
struct job *collect_job(const struct collect_options *options, const char *const *paths,
			size_t count);

/* The summary of the trace, in this process. NULL: *error, as trace_load() gives it. */
struct summary *collect_summary(const char *path, bool is_exact, char **error);

#endif
