/* Prints the tables of a job's report as text: its processes, and its findings by line. One thread. */
#ifndef STREAMTRACE_JOB_TABLES_H
#define STREAMTRACE_JOB_TABLES_H

#include "job/job_report.h"
#include "render/page.h"

/* Prints a row for each process. If there are many and all is false, it prints those that lose most and least.
 * False: out of memory, and nothing is printed. */
bool print_job_rows(const struct page *page, const struct job_report *report, bool all);

/* Whether print_job_rows() leaves out some of the processes. */
bool job_rows_are_cut(const struct job_report *report, bool all);

/* Prints a row for each group; all: for folded ones, too. False: out of memory, and nothing is printed. */
bool print_job_groups(const struct page *page, const struct job_report *report, bool all);

#endif
