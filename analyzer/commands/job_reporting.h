/* The report of a job, for the commands that print it. One thread. */
#ifndef STREAMTRACE_JOB_REPORTING_H
#define STREAMTRACE_JOB_REPORTING_H

#include "commands/job_files.h"
#include "render/job.h"

#include <stdio.h>

struct job_reporting {
	job_printer print;
	bool all, is_exact;
};

/* Prints the job's, and frees it. The exit status and *is_made, as below. */
int job_reporting_print(const struct job_reporting *reporting, FILE *out, struct job *job,
			bool *is_made);

/* Prints that of the files. The exit status: fine where all could be read; what is wrong was printed.
 * *is_made: whether there is anything in the report. */
int job_reporting_files(const struct job_reporting *reporting, FILE *out, struct job_files *files,
			bool *is_made);

#endif
