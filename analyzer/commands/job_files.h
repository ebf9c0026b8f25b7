/*
 * Finds the files of a job among the operands of a command: folders, traces and summaries. One thread.
 */
#ifndef STREAMTRACE_JOB_FILES_H
#define STREAMTRACE_JOB_FILES_H

#include "job/merge.h"

struct job_files {
	char **paths; /* a file for each process: its summary, or its trace if it has no summary */
	size_t count;
	struct job *left_out; /* a job without processes that lists the files left out, and why */
	/* The files belong together: two have different ranks, two are of one run, or one is a summary. The first
	 * two reasons do not count for files that were named if one of those files is of another run. A folder gives
	 * two more reasons: a file of it is of a job of several ranks, or no file of it can be read. */
	bool is_job;
};

/* Sets *files from the count operands. False: a folder cannot be read, which is not printed; *files has the files of
 * the other operands. The caller frees *files with job_files_free(), also after false. */
bool job_files_find(struct job_files *files, char *const *asked, size_t count);

/* Frees the paths and left_out, and empties *files. */
void job_files_free(struct job_files *files);

#endif
