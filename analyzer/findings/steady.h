/*
 * The steady state: what a step of the run takes, where its steps repeat. Times are of recorded time, in ns. One thread.
 */
#ifndef STREAMTRACE_STEADY_H
#define STREAMTRACE_STEADY_H

#include "findings/analysis.h"
#include "findings/step_begins.h"

struct steady {
	struct step_begins steps;
	int64_t median_ns; /* from the first work of a step to that of the next one */
	int64_t idle_ns;   /* of a step, the median: no engine was busy */
	int64_t startup_ns; /* from the run's begin to the first step's work; -1: the begin was not recorded */
	struct site site; /* of steps.call, if there is one */
};

/* wanted: step_begins.h. trace: the whole run. NULL: there are no such steps. Free by steady_free(), which takes NULL,
 * too. */
struct steady *steady_find(const struct trace *trace, const char *wanted);
void steady_free(struct steady *steady);

/* What the fix of the finding saves a step: its part of the saving, by the time that it lost between the first step's begin
 * and the last one's end, over the number of steps. Zeros: nothing is lost there. */
struct stated steady_saving(const struct analysis *analysis, const struct finding *finding);

/* The same of all findings together. */
struct stated steady_saving_of_all(const struct analysis *analysis);

#endif
