/*
 * What is done with the traces of a run once the program has ended: call sites get their source
 * lines, copy rates are measured, and the user is told what was written. One thread.
 */
#ifndef STREAMTRACE_FINISH_H
#define STREAMTRACE_FINISH_H

#include "commands/measure.h"

#include <time.h>

/* What the traces of a run share. */
struct finishing {
	struct timespec since; /* by the clock that stamps files, when the run began */
	struct measuring measuring;
};

/* output: the name with its fields; program: for the message that there is no trace. */
void finish_traces(const char *output, const char *program, struct finishing *finishing);

#endif
