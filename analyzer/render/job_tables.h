/* The tables of a job's report as text: its processes, and its findings by line. One thread. */
#ifndef STREAMTRACE_JOB_TABLES_H
#define STREAMTRACE_JOB_TABLES_H

#include "job/report.h"
#include "render/page.h"

/* A row a process; of many, unless all are asked for, those that lose most and least. False: out of memory. */
bool print_job_rows(const struct page *page, const struct job_report *report, bool all);

/* Whether it leaves out some of the processes. */
bool job_rows_are_cut(const struct job_report *report, bool all);

/* A row a group; folded ones are left out unless all are asked for. */
bool print_job_groups(const struct page *page, const struct job_report *report, bool all);

#endif
