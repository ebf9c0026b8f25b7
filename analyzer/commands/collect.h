/*
 * Makes a job of the files of its processes: traces are analysed, summaries are read.
 *
 * Traces are analysed in worker processes, as many as there are processors. Each analyses one trace after the
 * other and sends the summaries back. A trace that crashes its worker, or needs more memory than there is, loses
 * only its own summary; the report names it. The memory taken is that of as many analyses as there are workers. One
 * thread: no other thread may run, for it forks.
 */
#ifndef STREAMTRACE_COLLECT_H
#define STREAMTRACE_COLLECT_H

#include "job/merge.h"

struct collect_options {
	bool is_exact; /* replay whole runs, not samples, however long they are */
	/* Also write the summaries of traces into this folder; "": beside each trace; NULL: do not write them. */
	const char *folder;
};

/* The job of the count files, which the caller frees with job_free(). Files that cannot be read are in job->unread. */
struct job *collect_job(const struct collect_options *options, const char *const *paths,
			size_t count);

/* Analyses one trace, in this process. The caller frees the result with summary_free(). NULL: *error says why in one
 * line, which the caller frees. */
struct summary *collect_summary(const char *path, bool is_exact, char **error);

#endif
