/*
 * What reports say of numbers, for every format. Each text is malloc'ed.
 */
#ifndef STREAMTRACE_FIGURES_H
#define STREAMTRACE_FIGURES_H

#include "findings/analysis.h"
#include "trace/trace.h"

/* "pageable_copy", or "train.py" where an interpreter ran it; "unknown program". */
char *figures_program(const struct trace *trace);

/* "train.py 4242", "rank 3: train.py 4242" where a launcher gave it one. */
char *figures_process(const struct trace *trace);

/* "1.12 s recorded in 2 windows, about 720 ms untraced". */
char *figures_recorded(const struct trace *trace, const struct analysis *analysis);

/* "From 7 of 115 slices of the run, give or take 37.6 ms: --exact replays all."; NULL: from all. */
char *figures_sample(const struct analysis *analysis);

/* "self-check 0.0 %", "self-check failed"; NULL: nothing was replayed. */
char *figures_self_check(const struct trace *trace, const struct analysis *analysis);

/* "156..363 ms"; NULL: both ends are like the estimate, or there is none. */
char *figures_range(const struct analysis *analysis, const struct interval *lost);

/* Both: "363 ms (20.1 %, range 350..364 ms)". */
char *figures_interval(const struct analysis *analysis, const struct interval *lost);

/* The answer of a report in a sentence without a stop: "898 ms (58.5 %) can be won back by
 * overlap", "no lost overlap found", or why that is not known. */
char *figures_answer(const struct trace *trace, const struct analysis *analysis);

/* Whether tracing made the run so much slower that it is said. */
bool figures_has_untraced(const struct analysis *analysis);

#endif
