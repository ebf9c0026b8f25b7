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

#endif
