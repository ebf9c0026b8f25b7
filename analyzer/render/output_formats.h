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

/* A row of output_formats.def. A printer is NULL where the row has none. */
struct output_format {
	const char *name;
	const struct renderer *report;
	job_printer job; /* NULL beside a report: each process of a job is reported on */
	gate_printer gate;
	whatif_printer whatif;
	const char *openings[OUTPUT_FORMAT_OPENINGS]; /* from the first NULL on there are no more */
};

/* The row of that name; NULL: there is none. */
const struct output_format *output_format_find(const char *name);

/* How many bytes of a file output_format_opens() must see. */
#define OUTPUT_FORMAT_OPENING_BYTES 512

/* Whether a file is a report in the format. bytes: the file's first OUTPUT_FORMAT_OPENING_BYTES, or the whole of
 * a smaller file. */
bool output_format_opens(const struct output_format *format, const char *bytes, size_t size);

#endif
