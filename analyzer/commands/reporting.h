/*
 * Makes reports on traces, for several commands. One thread.
 */
#ifndef STREAMTRACE_REPORTING_H
#define STREAMTRACE_REPORTING_H

#include "findings/selection.h"
#include "render/output_formats.h"

struct reporting {
	const struct output_format *format; /* its report must not be NULL */
	struct selection selection;
	bool all;      /* print folded findings, too */
	bool measures; /* measure this machine, if that helps (measure.h) */
	bool is_exact; /* replay the whole run, not a sample, however long it is */
};

/* Writes a report on each of the count traces. Returns the exit status: EXIT_FINE if all could be read. What is
 * wrong was printed. *is_made: whether any report was written as a whole. */
int reporting_traces(const struct reporting *reporting, FILE *out, const char *const *paths,
		     size_t count, bool *is_made);

/* Writes the report on the processes of a run: one report, if they are of one job and the format has one; else a
 * report each. It goes into a file beside the first trace, app.json for app.db, which is printed. An earlier report of
 * that name is replaced; any other file stays, and the new name gets a number. A format without openings
 * (output_formats.def) goes to standard output instead. Returns the exit status. */
int reporting_beside(const struct reporting *reporting, char *const *paths, size_t count);

#endif
