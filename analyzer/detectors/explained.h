/*
 * What each pitfall is, for `streamtrace explain`: explained/explained.cmake makes the table from the
 * comments that the detectors open with, and from explained/NAME.txt. A newline in a text is a space,
 * but in code.
 */
#ifndef STREAMTRACE_EXPLAINED_H
#define STREAMTRACE_EXPLAINED_H

struct explained {
	const char *id; /* of the detector */
	const char *what, *evidence, *cost, *false_positives;
	const char *why;	/* why it costs time */
	const char *c, *python; /* code: with the pitfall, and instead */
	const char *samples;	/* that have it, apart by blanks; "": none */
};

/* In the order of detectors[]; the last has no id. */
extern const struct explained explained[];

#endif
