/*
 * Makes reports on traces, for several commands. EXIT_FINE and the like: command.h. One thread.
 */
#ifndef STREAMTRACE_REPORTING_H
#define STREAMTRACE_REPORTING_H

#include "findings/selection.h"
#include "render/output_formats.h"

struct reporting {
	const struct output_format *format; /* its report must not be NULL */
	struct selection selection;
	const char *
		step; /* what begins a step of the run (findings/step_begins.h); NULL: what is found */
	bool all;     /* print folded findings, too */
	bool measures; /* measure this machine, if a trace lacks numbers (measure.h) */
	bool shows_host; /* lines of the host instead of findings: the format's host must not be NULL */
	bool shows_source; /* lines of the source from this machine (findings/sources.h) */
	bool shows_edits;  /* fixes as changes of the source (rewrite/rewrite.h) */
	const char *
		source_folders; /* of both: only files below these (trace->source_folders); NULL: any */
	bool is_exact;		/* replay the whole run, not a sample, however long it is */
};

/* Writes a report on each of the count traces to out. Returns EXIT_FINE if all traces were reported on, EXIT_EMPTY if
 * none of them has a call, else EXIT_UNREADABLE, and the reason was printed. *is_made: whether out has at least one whole report. */
int reporting_traces(const struct reporting *reporting, FILE *out, const char *const *paths,
		     size_t count, bool *is_made);

/* Writes the report on the processes of a run, whose traces are at the count paths. If the processes are of one job
 * and the format has a report of jobs, the function writes that report; else it writes a report on each process. The
 * output is a file beside the first trace: app.json for app.db. The file's name is printed. An earlier report of
 * that name is replaced. Any other file of that name stays, and the new name gets a number: app.2.json. If the
 * format has no openings (output_formats.def), the output is standard output. Returns EXIT_FINE, or EXIT_UNREADABLE
 * if a trace could not be read or the file not be written, which was printed. */
int reporting_beside(const struct reporting *reporting, char *const *paths, size_t count);

#endif
