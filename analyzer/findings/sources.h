/*
 * The source around the findings' lines, from files of this machine. Only on request: a trace names any file that it
 * likes, and reports are passed on. One thread.
 */
#ifndef STREAMTRACE_SOURCES_H
#define STREAMTRACE_SOURCES_H

#include "findings/analysis.h"

#define SOURCE_LINES 3

/* Lines around a finding's line. Texts belong to struct sources and are safe to print. */
struct source_lines {
	const char *file; /* the path that was read, or is missing; NULL: no line is known */
	const char *lines[SOURCE_LINES]; /* without the indentation that they share */
	size_t count;	  /* of lines; 0: there is no such file, or no such line in it */
	int first;	  /* the number of lines[0] */
	bool knows_age;	  /* the trace says what the file was, or when it began */
	bool has_changed; /* the file is another one, or was written after that */
};

struct sources {
	struct source_lines *items; /* by index in findings.items */
	struct arena arena;
};

/* Reads the lines around each finding's first line. Relative paths are below the traced program's working directory,
 * or else below the current folder. Free the result by sources_free(); of analysis->sources, analysis_free() does
 * so. */
struct sources *sources_read(const struct trace *trace, const struct analysis *analysis);

/* sources may be NULL. */
void sources_free(struct sources *sources);

#endif
