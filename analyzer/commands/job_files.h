/*
 * Finds the files of a job among the operands of a command: folders, traces and summaries. One thread.
 */
#ifndef STREAMTRACE_JOB_FILES_H
#define STREAMTRACE_JOB_FILES_H

#include "job/merge.h"

struct job_files {
	char **paths; /* one for each process; if there is a trace and a summary of it, the summary */
	size_t count;
	struct job *left_out; /* a job without processes that lists the files left out, and why */
	/* The files belong together: two have different ranks, or two are of one run, or one is a summary. Of a
	 * folder also if one file is of a job of several ranks, or if none can be read. */
	bool is_job;
};

/* Sets *files from the count operands. False: a folder cannot be read; *files has the others. Free *files with
 * job_files_free() in any case. */
bool job_files_find(struct job_files *files, char *const *asked, size_t count);

void job_files_free(struct job_files *files);

#endif
