/*
 * Sentences and numbers that the reports of several formats share. The caller frees each text. A text is NULL only
 * where its comment says so. Any thread.
 */
#ifndef STREAMTRACE_FIGURES_H
#define STREAMTRACE_FIGURES_H

#include "findings/analysis.h"
#include "trace/trace.h"

/* The program's name: "pageable_copy"; "train.py" if an interpreter ran it; "unknown program". */
char *figures_program(const struct trace *trace);

/* The process's name: "train.py 4242"; "rank 3: train.py 4242" if a launcher gave it a rank. */
char *figures_process(const struct trace *trace);

/* How long was recorded: "1.12 s recorded in 2 windows, about 720 ms untraced". The untraced time is left out if
 * tracing took less than 2 % of the run. */
char *figures_recorded(const struct trace *trace, const struct analysis *analysis);

/* How much of the run was replayed: "Estimated from 7 of 115 slices (within 37.6 ms); --exact uses all."
 * NULL: the analysis is of the whole run, not of a sample. */
char *figures_sample(const struct analysis *analysis);

/* What a step of the run takes, if its steps repeat: "49 steps of 26.1 ms (median; NVTX range "step"): 17.9 ms a step can
 * be won back, GPU idle 19.1 ms a step. Start-up 254 ms, once." NULL: no steps are known. */
char *figures_steps(const struct trace *trace, const struct analysis *analysis);

/* What the finding's fix saves a step: "17.9 ms a step", "none in the steps". NULL: no steps are known, or the analysis
 * has no estimates. */
char *figures_step_saving(const struct analysis *analysis, const struct finding *finding);

/* The result of the self-check, with the replay's error: "replay error 0.0 %", "self-check failed". NULL: the trace
 * has no GPU operations to replay. */
char *figures_self_check(const struct trace *trace, const struct analysis *analysis);

/* The range of a saving, "156..363 ms". NULL: both ends print like the estimate, or the analysis has no
 * estimates. */
char *figures_range(const struct analysis *analysis, const struct stated *lost);

/* A saving, its share of the untraced run and its range: "363 ms (20.1 %, range 350..364 ms)". Without a range: "363
 * ms (20.1 %)". Without estimates: "at most 350 ms (35.0 %)". */
char *figures_interval(const struct analysis *analysis, const struct stated *lost);

/* What all findings save together: the estimate; if one of them is open (struct finding), the high end. */
int64_t figures_won_back_ns(const struct analysis *analysis);

/* The report's answer, a sentence without a full stop: "898 ms (58.5 %) can be won back by overlap", "no lost
 * overlap found", or why the lost overlap is unknown. */
char *figures_answer(const struct trace *trace, const struct analysis *analysis);

/* Whether tracing slowed the run down by enough for the report to say so: 0.5 %. */
bool figures_has_untraced(const struct analysis *analysis);

#endif
