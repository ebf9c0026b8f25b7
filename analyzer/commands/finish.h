/*
 * Finishes the traces of a run after the program has ended: looks up source lines, measures copy rates, and
 * tells the user what was written. One thread.
 */
#ifndef STREAMTRACE_FINISH_H
#define STREAMTRACE_FINISH_H

#include "base/vector.h"
#include "commands/measure.h"
#include "commands/untraced.h"

#include <time.h>

/* A run. The caller sets since, run, measuring, watches, reports, is_temporary and untraced, and zeros the rest. finish_free() frees what the struct
 * holds, measuring included: the caller must not call measure_free(). */
struct finishing {
	struct timespec
		since;	 /* when the run began, by CLOCK_REALTIME_COARSE, which stamps files */
	const char *run; /* STREAMTRACE_RUN of the program */
	struct measuring measuring;
	bool watches;	   /* the program ran in watch mode, and its traces are incidents */
	bool reports;	   /* a report follows: do not tell the user to make one */
	bool is_temporary; /* the traces are removed in the end: say nothing of where they are */
	const struct untraced *untraced; /* what is known of why there may be no trace */
	int64_t took_ns;		 /* the run */
	bool is_asked;			 /* the run was asked to end (struct signals_news) */
	bool has_calls;	      /* a trace has calls, cannot be read, or is of another run */
	bool is_folder;	      /* the output is a folder: one line is printed for all traces */
	char *other;	      /* a trace with the output's name, of another run; NULL: none */
	VECTOR(char *) paths; /* the traces of this run that could be read */
};

/* Finishes each trace that the run wrote. Prints what was written, or why there is no trace; failures are printed,
 * too. Sets has_calls, is_folder, other and paths. output: the file's name with its fields (%p), or the name of a folder, which
 * ends with a slash. program: the name that the user gave. If reports is set, the first trace goes to
 * command_keep(); the next command_load() must then be for paths.items[0]. A trace that its process still writes is
 * not kept. */
void finish_traces(const char *output, const char *program, struct finishing *finishing);

/* Frees other, paths and measuring. */
void finish_free(struct finishing *finishing);

#endif
