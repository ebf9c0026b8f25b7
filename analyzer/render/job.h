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

#define FORMAT(name, meaning, of_report, of_job, ...)                                              \
	of_job(bool print_job_##name(FILE *out, const struct job_report *report, bool all);)
#include "render/output_formats.def"
#undef FORMAT

/* The JSON Schema of print_job_json(), as text. */
extern const char job_schema[];

#endif
