/*
 * Runs the program of a trial, untouched and with the fixes in alternation (trial/trial_pairs.h). One thread.
 *
 * The runs' output is discarded, but for the first one if it is to be shown. Standard input is read again from where it was
 * in each run, if it is a file; else it is empty.
 */
#ifndef STREAMTRACE_TRIAL_RUN_H
#define STREAMTRACE_TRIAL_RUN_H

#include "commands/launch.h"
#include "commands/recording.h"
#include "trial/trial.h"

struct trial_program {
	char **argv;
	const char *
		library; /* the path of libstrace_try.so, and of libstrace_touch.so if the plan needs it */
	bool needs_asan; /* as in struct reach */
	bool has_run;	 /* before, as it is: trial->status is known, and its output was shown */
	int64_t took_ns; /* how long that run took */
	enum launch_output output_to; /* where the first run's output goes, if it has not run */
	int64_t input_at;	      /* where standard input was at first; -1: it is no file */
};

/* Runs the trial of trial->plan within trial->limits, and sets what was run: all members of *trial behind limits. The
 * caller frees trial->counts. */
void trial_run(const struct trial_program *program, struct trial *trial);

/* Records one more run, with the fixes. Returns its exit status, or the untouched program's if it was not made; what could not be
 * done was printed. */
int trial_record(const struct trial_program *program, const struct trial *trial,
		 const struct destination *output);

#endif
