/*
 * Finishes the traces of a run after the program has ended: looks up source lines, measures copy rates, and
 * tells the user what was written. One thread.
 */
#ifndef STREAMTRACE_FINISH_H
#define STREAMTRACE_FINISH_H

#include "base/vector.h"
#include "commands/measure.h"

#include <time.h>

/* A run. The caller sets since, run, measuring and reports, and zeros the rest. Free it with finish_free(). */
struct finishing {
	struct timespec
		since;	 /* when the run began, by CLOCK_REALTIME_COARSE, which stamps files */
	const char *run; /* STREAMTRACE_RUN of the program */
	struct measuring measuring;
	bool reports;	      /* a report follows: do not tell the user to make one */
	bool is_folder;	      /* the output is a folder: one line is printed for all traces */
	char *other;	      /* a trace under this run's name that is of another run, or NULL */
	VECTOR(char *) paths; /* the traces that can be reported on */
};

/* Finishes each trace that the run wrote, and prints what was written, or why there is no trace. Sets is_folder,
 * other and paths. output: the file's name with its fields (%p), or a folder's, which ends with a slash. program: as
 * the user named it. If reports is set, the first trace is kept for the next command_load(). */
void finish_traces(const char *output, const char *program, struct finishing *finishing);
void finish_free(struct finishing *finishing);

#endif
