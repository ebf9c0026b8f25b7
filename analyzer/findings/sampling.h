/*
 * Whether a sample of a run (sample/sample.h) was large enough, and how far its answers can be off.
 */
#ifndef STREAMTRACE_SAMPLING_H
#define STREAMTRACE_SAMPLING_H

#include "findings/analysis.h"

enum sampling {
	SAMPLING_IS_ENOUGH, /* the ranges of savings are wider by its error */
	SAMPLING_GREW,	    /* what it answered is too unsure: the sample is a larger one now */
	SAMPLING_FAILED	    /* only the whole run tells */
};

/* analysis->sample is not NULL. */
enum sampling sampling_judge(struct analysis *analysis);

/* Where the analysis is of a sample: the range of what the findings save together, by its error. */
void sampling_widen(const struct analysis *analysis, const struct finding *const *findings,
		    size_t count, struct interval *saved);

#endif
