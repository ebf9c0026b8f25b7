/*
 * Whether a sample of a run (sample/sample.h) was large enough, and how wrong its answers can be.
 * One thread.
 */
#ifndef STREAMTRACE_SAMPLING_H
#define STREAMTRACE_SAMPLING_H

#include "findings/analysis.h"

enum sampling {
	SAMPLING_IS_ENOUGH, /* the ranges of savings now include its error */
	SAMPLING_GREW,	    /* its answers are too uncertain: the sample was enlarged */
	SAMPLING_FAILED	    /* the whole run must be analyzed */
};

/* Judges analysis->sample, which must not be NULL. */
enum sampling sampling_judge(struct analysis *analysis);

/* Widens the range of what the findings save together by the sampling error; without a sample, does
 * nothing. */
void sampling_widen(const struct analysis *analysis, const struct finding *const *findings,
		    size_t count, struct interval *saved);

#endif
