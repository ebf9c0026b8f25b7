/*
 * The files of a job that a command is called with: folders, traces and summaries. One thread.
 */
#ifndef STREAMTRACE_JOB_FILES_H
#define STREAMTRACE_JOB_FILES_H

#include "job/merge.h"

struct job_files {
	char **paths; /* of a process that has a trace and a summary: the summary */
	size_t count;
	struct job *left_out; /* nobody, but what is left out and why */
	/* They are of one job: a launcher gave two of them ranks, or two are of one run; or one is a summary. In a
	 * folder, too, where one is of a job of several ranks, or nothing can be read. */
	bool is_job;
};

/* False: a folder cannot be read. */
bool job_files_find(struct job_files *files, char *const *asked, size_t count);

void job_files_free(struct job_files *files);

#endif
