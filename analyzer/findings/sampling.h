/*
 * Whether a sample of a run (sample/sample.h) was large enough, and how wrong its answers can be.
 * One thread.
 */
#ifndef STREAMTRACE_SAMPLING_H
#define STREAMTRACE_SAMPLING_H

#include "findings/analysis.h"

enum sampling {
	SAMPLING_IS_ENOUGH, /* the ranges of savings now include the sampling error */
	SAMPLING_GREW,	    /* the error was too large: the sample was enlarged, analyze it again */
	SAMPLING_FAILED	    /* the whole run must be analyzed */
};

/* Judges analysis->sample, which must not be NULL. Call after devices_weigh(). */
enum sampling sampling_judge(struct analysis *analysis);

/* Widens *saved, the range of what the findings save together, by the sampling error. Does nothing
 * if analysis->sample is NULL. */
void sampling_widen(const struct analysis *analysis, const struct finding *const *findings,
		    size_t count, struct interval *saved);

#endif
