/* Prints the report of a job, for several commands. EXIT_FINE and the like: command.h. One thread. */
#ifndef STREAMTRACE_JOB_REPORTING_H
#define STREAMTRACE_JOB_REPORTING_H

#include "commands/job_files.h"
#include "render/job.h"

#include <stdio.h>

struct job_reporting {
	job_printer print;
	bool all;      /* print every row and the folded groups, too */
	bool is_exact; /* replay whole runs, not samples */
};

/* Prints the report of the job to out, and frees the job. The result and *is_made are those of
 * job_reporting_files(). */
int job_reporting_print(const struct job_reporting *reporting, FILE *out, struct job *job,
			bool *is_made);

/* Analyses the files (collect.h) and prints the report of their job to out. Takes files->left_out over and sets it
 * to NULL; the caller still frees *files. Returns EXIT_FINE if all files could be read, EXIT_EMPTY if nothing was
 * recorded in any of them, else EXIT_UNREADABLE, and the reason was printed. *is_made: whether a report was printed; it may lack files that could not be read. */
int job_reporting_files(const struct job_reporting *reporting, FILE *out, struct job_files *files,
			bool *is_made);

#endif
