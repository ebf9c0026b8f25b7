/*
 * Makes a job of the files of its processes: traces are analysed, summaries are read.
 *
 * Traces are analysed in worker processes: one for each processor, at most 64. Each worker analyses one trace after
 * the other and sends the summaries back. The memory taken is that of one analysis for each worker. A trace that
 * crashes its worker is analysed again at the end, when one worker runs alone, and so is a trace for which there was
 * no memory. If that fails, too, only the trace's own summary is lost, and the report names the trace. One thread: no
 * other thread may run during collect_job(), because it forks.
 */
#ifndef STREAMTRACE_COLLECT_H
#define STREAMTRACE_COLLECT_H

#include "job/merge.h"

struct collect_options {
	bool is_exact; /* replay whole runs, not samples, however long they are */
	/* The folder that the summaries of traces are also written into. "": beside each trace. NULL: they are not
	 * written. */
	const char *folder;
};

/* Makes a job of the files at the count paths; the caller frees it with job_free(). job->unread names the files that
 * could not be read or analysed. Never NULL. */
struct job *collect_job(const struct collect_options *options, const char *const *paths,
			size_t count);

/* Analyses the trace at path in this process. is_exact: as in collect_options. The caller frees the result with
 * summary_free(). NULL: the trace cannot be read; *error says why in one line, which the caller frees. */
struct summary *collect_summary(const char *path, bool is_exact, char **error);

#endif
