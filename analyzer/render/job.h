/*
 * Prints the report of a job: many processes as one answer. output_formats.def lists the formats.
 *
 * Texts come from traces and summaries, whose readers made them safe for a terminal; each printer escapes what its
 * format would take for syntax. A printer returns false if memory runs out; what was printed is then incomplete.
 * Failures to write show in ferror(out) alone. Equal jobs give equal bytes. One thread.
 */
#ifndef STREAMTRACE_RENDER_JOB_H
#define STREAMTRACE_RENDER_JOB_H

#include "job/job_report.h"

#include <stdio.h>

/* Prints the report to out. all: print every row, and folded groups, too. */
typedef bool (*job_printer)(FILE *out, const struct job_report *report, bool all);

#define FORMAT(name, meaning, of_report, of_job, ...)                                              \
	of_job(bool print_job_##name(FILE *out, const struct job_report *report, bool all);)
#include "render/output_formats.def"
#undef FORMAT

/* The JSON Schema of print_job_json(), as text. */
extern const char job_schema[];

#endif
