/*
 * Runs a program and records it, for several commands. One thread.
 */
#ifndef STREAMTRACE_RECORDING_H
#define STREAMTRACE_RECORDING_H

#include "commands/command.h"
#include "commands/destination.h"
#include "commands/finish.h"
#include "commands/launch.h"

/* The words of the program, which ends with NULL: the operands, behind a Python interpreter where the program is a script
 * that needs one. The caller frees the array, not the words. */
char **recording_words(const struct arguments *arguments);

/* How a run is recorded. launch: without what recording_run() sets: is_for_asan, output, tell, run and since. Its libraries are
 * put before libstrace.so; NULL: none. */
struct recording {
	const struct destination *output;
	struct launch launch;
	bool measures;	   /* measure this machine for what the trace lacks (measure.h) */
	bool watches;	   /* in watch mode: there are traces of incidents alone */
	bool reports;	   /* the traces are read next: the first one is kept for command_load() */
	bool is_temporary; /* the traces are removed in the end: say nothing of where they are */
};

/* Runs the program argv[0], and finishes its traces: sets *finishing, which the caller frees with finish_free(), also on
 * failure. If finishing->is_asked, the caller should end soon. Returns the program's exit status as a shell has it; EXIT_EMPTY where that is 0 and no call was recorded,
 * unless MPI or Slurm started this process; what could not be done was printed. */
int recording_run(char **argv, const struct recording *recording, struct finishing *finishing);

#endif
