/* Prints the tables of a job's report as text: its processes, and its findings by line. Failures to write show in
 * ferror(page->out). One thread. */
#ifndef STREAMTRACE_JOB_TABLES_H
#define STREAMTRACE_JOB_TABLES_H

#include "job/job_report.h"
#include "render/page.h"

/* Prints a row for each process. If job_rows_are_cut(), it prints only the 10 processes that lose most and the 4
 * that lose least. False: memory ran out, and nothing is printed. */
bool print_job_rows(const struct page *page, const struct job_report *report, bool all);

/* Whether print_job_rows() leaves out some of the processes: all is false, and there are more than 16. */
bool job_rows_are_cut(const struct job_report *report, bool all);

/* Prints a row for each group; all: for folded groups, too. False: memory ran out, and nothing is printed. */
bool print_job_groups(const struct page *page, const struct job_report *report, bool all);

#endif
