/*
 * Whether a sample of a run (sample/sample.h) was large enough, and how wrong its answers can be.
 * One thread.
 */
#ifndef STREAMTRACE_SAMPLING_H
#define STREAMTRACE_SAMPLING_H

#include "findings/analysis.h"

enum sampling_answer {
	SAMPLING_IS_ENOUGH,
	SAMPLING_GREW,	/* the error was too large: the sample was enlarged, analyze it again */
	SAMPLING_FAILED /* the whole run must be analyzed */
};

struct sampling {
	enum sampling_answer answer;
	/* If the sample is enough: the error of what the findings save together, and of each by its
	 * index; of folded ones 0. The caller frees the array by free(). */
	int64_t error_ns, *errors_ns;
};

/* Judges analysis->sample, which must not be NULL, by the analysis's findings from detect(). */
struct sampling sampling_judge(const struct analysis *analysis, const struct findings *findings);

/* Widens both ends of *saved by error_ns; the low end stays 0 or more. */
void sampling_widen_by(struct interval *saved, int64_t error_ns);

/* Widens *saved, the range of what the findings save together, by the sampling error. Does nothing
 * if analysis->sample is NULL. */
void sampling_widen(const struct analysis *analysis, const struct finding *const *findings,
		    size_t count, struct interval *saved);

#endif
