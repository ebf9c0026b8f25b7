/*
 * What a program's steps usually take, and which of them is slow.
 *
 * Slow is a step that takes more than `percent` of the median of the last USUAL_STEPS, and USUAL_MARGIN_NS more than
 * that, and a quarter more than what an eighth of them takes, if these are spread over them. The first steps load and
 * compile, and are not judged. Slow steps in sequence are one event: only the first is news, until three steps were
 * normal again; where eight were not, what they take is usual from then on.
 *
 * Calculates only.
 */
#ifndef STREAMTRACE_WATCH_USUAL_H
#define STREAMTRACE_WATCH_USUAL_H

#include <stdint.h>

#define USUAL_STEPS 64
#define USUAL_FIRST 3  /* steps that are not counted: they load and compile */
#define USUAL_LEAST 16 /* steps that must be known before one is judged */
#define USUAL_MARGIN_NS                                                                            \
	10000000 /* what a thread may lose to others that ran for their slice, two or three times */

enum step_kind { STEP_UNJUDGED, STEP_NORMAL, STEP_SLOW_NEWS, STEP_SLOW_AGAIN };

/* All 0: no step yet. */
struct usual {
	int64_t recent[USUAL_STEPS]; /* in turn */
	int64_t sorted[USUAL_STEPS];
	uint64_t seen; /* steps, without the first ones */
	int count;     /* of the two arrays */
	int skipped;   /* of the first ones */
	int slow_run,
		normal_run; /* slow ones since the last news; normal ones since the last slow one */
};

/* Judges a step that has ended, and counts it. */
enum step_kind usual_judge(struct usual *usual, int64_t took_ns, long percent);

/* The median; 0: not known yet. */
int64_t usual_median_ns(const struct usual *usual);

/* What a step must exceed to be slow; 0: none is judged yet. */
int64_t usual_limit_ns(const struct usual *usual, long percent);

#endif
