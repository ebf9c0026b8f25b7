/*
 * The report of a job: of many processes as one answer.
 *
 * Texts come from traces and summaries, which made them safe to print. False: out of memory. What is printed
 * may not reach its file: ask ferror(). The same job gives the same bytes. One thread.
 */
#ifndef STREAMTRACE_RENDER_JOB_H
#define STREAMTRACE_RENDER_JOB_H

#include "job/report.h"

#include <stdio.h>

/* all: every row and the folded groups, too. */
typedef bool (*job_printer)(FILE *out, const struct job_report *report, bool all);

/* The printer of that format of reports; NULL: a job has none in it. */
job_printer job_find_printer(const char *format);

bool print_job_text(FILE *out, const struct job_report *report, bool all);
bool print_job_json(FILE *out, const struct job_report *report, bool all);
bool print_job_md(FILE *out, const struct job_report *report, bool all);
bool print_job_csv(FILE *out, const struct job_report *report, bool all);

/* The JSON Schema of print_job_json(), as text. */
extern const char job_schema[];

#endif
