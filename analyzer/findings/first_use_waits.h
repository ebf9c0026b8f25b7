/* The waits of each line, judged by when the host first used their results. */
#ifndef STREAMTRACE_FIRST_USE_WAITS_H
#define STREAMTRACE_FIRST_USE_WAITS_H

#include "detectors/evidence/first_use.h"
#include "findings/analysis.h"

struct first_use_line {
	struct site site;
	const char *function;	     /* the call's */
	size_t counts[JUDGED_COUNT]; /* waits, by enum first_use_judgement */
	int64_t movable_ns;	     /* the least of those that are movable */
	int64_t needed_ns; /* the longest time to the first touch of those that are needed */
};

/* Fills in analysis->first_use_lines: synchronizes and copies to the host that blocked their
 * thread, after which it enqueued more. None where the trace has no first uses. When the evidence
 * is there. */
void first_use_waits(struct analysis *analysis);

#endif
