/*
 * A finding in the traces of two sides: whether it is new, worse, the same, less or gone. Arithmetic
 * alone. Any thread.
 *
 * Calls and bytes of the place hardly vary from run to run, and one trace a side tells. How often and
 * for how long a call waits varies, and in some programs by twice from one run to the next: times are
 * compared where each side has COMPARE_RUNS traces. That all of head are then above all of base by
 * chance has a probability of 1 in 3432, whatever the times' distribution; of five traces a side it
 * would be 1 in 252, and some programs have a fast and a slow mode.
 */
#ifndef STREAMTRACE_GATE_COMPARE_H
#define STREAMTRACE_GATE_COMPARE_H

#include "gate/gate.h"

/* Traces that each side must have for times to be compared. */
#define COMPARE_RUNS 7

/* What is less than this share of the run is not listed, nor is such a change. */
#define COMPARE_SHARE 0.005

/* The finding in a trace; zeros where it is not, but for its place's
 * calls, bytes and streams. Of counts, bytes and
 * times those that a run of base's length would have. */
struct compare_run {
	bool is_present, is_shown; /* found; and listed by the report */
	int pass;
	double calls, call_bytes; /* of its place, of the kinds that it happens in */
	double count, bytes;	  /* of those, in which it was found */
	double streams;		  /* that each of its kinds uses, on average, summed up */
	double saved_ns, low_ns, high_ns;
	double run_ns;
};

struct compare_side {
	const struct compare_run *runs;
	size_t count; /* at least 1 */
};

/* What a verdict is for. */
enum compare_by { COMPARE_CALLS, COMPARE_BYTES, COMPARE_STREAMS, COMPARE_TIME, COMPARE_LISTED };

/* GATE_NONE: the report lists it on neither side. *by: what tells. */
enum gate_verdict compare_sides(const struct compare_side *base, const struct compare_side *head,
				enum compare_by *by);

/* Whether times are compared. */
bool compare_has_times(const struct compare_side *base, const struct compare_side *head);

/* The median of a member of the runs. */
double compare_median(const struct compare_side *side, size_t member_offset);
#define COMPARE_MEDIAN(side, member) compare_median(side, offsetof(struct compare_run, member))

#endif
