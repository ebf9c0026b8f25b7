/*
 * The formats of reports and gates as a table, made from output_formats.def. The table is constant: any
 * thread may read it.
 */
#ifndef STREAMTRACE_OUTPUT_FORMATS_H
#define STREAMTRACE_OUTPUT_FORMATS_H

#include "render/gate_report.h"
#include "render/job.h"
#include "render/render.h"

#define OUTPUT_FORMAT_OPENINGS 3

/* A row of output_formats.def. A printer is NULL if the row does not have PRINTED for it. */
struct output_format {
	const char *name;
	const struct renderer *report;
	job_printer job; /* NULL, and report is not: report prints each process of a job */
	gate_printer gate;
	whatif_printer whatif;
	const struct renderer *host;
	const char *openings[OUTPUT_FORMAT_OPENINGS]; /* without white space; the rest is NULL */
};

/* Returns the row of the format called name; NULL: there is none. */
const struct output_format *output_format_find(const char *name);

/* How many bytes of a file output_format_opens() must see. */
#define OUTPUT_FORMAT_OPENING_BYTES 512

/* Whether a file is a report in the format: it begins with one of the format's openings, white space aside. bytes:
 * the file's first size bytes; size is OUTPUT_FORMAT_OPENING_BYTES, or the size of a smaller file. */
bool output_format_opens(const struct output_format *format, const char *bytes, size_t size);

#endif
