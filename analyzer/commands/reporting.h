/*
 * Reports on traces, for the commands that print them. One thread.
 */
#ifndef STREAMTRACE_REPORTING_H
#define STREAMTRACE_REPORTING_H

#include "findings/selection.h"
#include "render/output_formats.h"

struct reporting {
	const struct output_format *format; /* one with a report */
	struct selection selection;
	bool all;      /* folded findings too */
	bool measures; /* this machine, where that helps (measure.h) */
	bool is_exact; /* of the whole run, however long it is */
};

/* Writes the reports on the traces. The exit status; what is wrong was printed. *is_made: whether there is any. */
int reporting_traces(const struct reporting *reporting, FILE *out, const char *const *paths,
		     size_t count, bool *is_made);

/* The same of the processes of a run, together where they are of one job, into a file beside the first trace,
 * named after it, which is said. An earlier report there is replaced; another file stays, and the report's name
 * gets a number. Text goes to standard output. */
int reporting_beside(const struct reporting *reporting, char *const *paths, size_t count);

#endif
