/*
 * What a gate keeps of some traces (gate_run.h), in a file: JSON for a repository, a finding, a kind of calls or a
 * kernel a line, sorted, so that git shows and merges changes. The same runs give the same bytes. Names are those of
 * the columns of a summary (job/summary.sql) where both have the same. One thread.
 *
 * The file is as untrusted as a trace. What was read has texts that are safe to print, and numbers in their ranges.
 */
#ifndef STREAMTRACE_GATE_SAVED_RUNS_H
#define STREAMTRACE_GATE_SAVED_RUNS_H

#include "gate/gate_run.h"

#include <stdio.h>

/* What is larger is not ours: a trace of many thousand places takes 1 MB. */
#define SAVED_RUNS_MOST_BYTES (16 << 20)

struct saved_runs {
	struct gate_run **runs;
	size_t count; /* at least 1 after saved_runs_read() */
};

/* Writes the runs. Of findings it leaves out what only `check` prints of its own traces: their longest wait, where
 * their other lines are. False: out of memory. Failures to write show in ferror(out). */
bool saved_runs_write(FILE *out, const struct gate_run *const *runs, size_t count);

/* Sets *saved to the runs in the text of `size` bytes. name: what their paths begin with, "NAME (app.db)". Findings of
 * detectors that this version does not have are left out. The caller frees *saved by saved_runs_free(), also after
 * failure. False: it has no runs; *error is one line that says why, which the caller frees. */
bool saved_runs_read(struct saved_runs *saved, const char *name, const char *text, size_t size,
		     char **error);

void saved_runs_free(struct saved_runs *saved);

#endif
