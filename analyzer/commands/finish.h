/*
 * What is done with the traces of a run once the program has ended: call sites get their source
 * lines, copy rates are measured, and the user is told what was written. One thread.
 */
#ifndef STREAMTRACE_FINISH_H
#define STREAMTRACE_FINISH_H

#include "base/vector.h"
#include "commands/measure.h"

#include <time.h>

/* What the traces of a run share. */
struct finishing {
	struct timespec since; /* by the clock that stamps files, when the run began */
	const char *run;       /* STREAMTRACE_RUN of the program */
	struct measuring measuring;
	bool reports;	/* what is next need not be said */
	bool is_folder; /* set by finish_traces(): the output is one, of which one line is said */
	char *other; /* a trace under this run's names that is not of it, or NULL; finish_free() */
	VECTOR(char *) paths; /* of the traces that can be reported on; finish_free() */
};

/* output: the name with its fields, or a folder, which ends with a slash; program: for the message that there is no trace. */
void finish_traces(const char *output, const char *program, struct finishing *finishing);
void finish_free(struct finishing *finishing);

#endif
