/*
 * Texts about each pitfall for `streamtrace explain`. explained/explained.cmake makes the table
 * from the comments with which the detectors open and from explained/NAME.txt. A newline in a text
 * means a space, except in code.
 */
#ifndef STREAMTRACE_EXPLAINED_H
#define STREAMTRACE_EXPLAINED_H

struct explained {
	const char *id; /* the detector's id */
	const char *what, *evidence, *cost, *false_positives;
	const char *why;	/* why it costs time */
	const char *c, *python; /* code: with the pitfall, and fixed */
	const char *samples;	/* names of samples that have it, separated by blanks; "": none */
};

/* In the order of detectors[] (findings/detector_table.h); ends with an item whose id is NULL.
 * Texts are static. Any thread. */
extern const struct explained explained[];

#endif
