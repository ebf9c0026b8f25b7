/*
 * Compares one finding in the traces of two sides, base and head: whether it is new, worse, the
 * same, less or gone. Pure arithmetic: any thread.
 *
 * The calls and bytes of a place hardly vary from run to run, so one trace a side is enough to
 * compare them. How often and how long a call waits varies, in some programs by a factor of two
 * from run to run. Times are therefore compared only if each side has COMPARE_RUNS traces. If all
 * traces come from one distribution, all of head lie above all of base with a probability of 1 in
 * 3432 for seven traces a side, whatever the distribution. For five traces a side it is 1 in 252,
 * which is too often for programs with a fast and a slow mode.
 */
#ifndef STREAMTRACE_GATE_COMPARE_H
#define STREAMTRACE_GATE_COMPARE_H

#include "gate/gate.h"

/* Traces that each side must have for times to be compared. */
#define COMPARE_RUNS 7

/* Findings, and changes of a saving, below this share of the run are not listed. */
#define COMPARE_SHARE 0.005

/* The finding in one trace. If the trace does not have the finding, only run_ns and the members
 * about its place (calls, call_bytes, streams) are set, and all others are 0. Counts, bytes and
 * times are scaled to the work that base does. */
struct compare_run {
	bool is_present, is_shown; /* the trace has the finding; the trace's report lists it */
	int pass;		   /* the pass that found it: from 2 on only with other fixes in */
	double calls, call_bytes;  /* all calls of its place, of the kinds with the finding */
	double count, bytes;	   /* the calls and copies with the finding */
	double streams; /* the sum over these kinds of calls of how many streams a kind uses */
	double saved_ns, low_ns, high_ns; /* what the fix saves: estimate and ends */
	double run_ns;			  /* the untraced run */
};

struct compare_side {
	const struct compare_run *runs;
	size_t count; /* at least 1 */
};

/* Which comparison decided a verdict; COMPARE_LISTED: only whether the reports list the finding. */
enum compare_by { COMPARE_CALLS, COMPARE_BYTES, COMPARE_STREAMS, COMPARE_TIME, COMPARE_LISTED };

/* The verdict on head. *by: which comparison decided the verdict. GATE_NONE: no report of either
 * side lists the finding. */
enum gate_verdict compare_sides(const struct compare_side *base, const struct compare_side *head,
				enum compare_by *by);

/* Whether both sides have enough traces to compare times. */
bool compare_has_times(const struct compare_side *base, const struct compare_side *head);

/* The median over the side's runs of a member of struct compare_run. The member is a double at
 * member_offset. */
double compare_median(const struct compare_side *side, size_t member_offset);
#define COMPARE_MEDIAN(side, member) compare_median(side, offsetof(struct compare_run, member))

#endif
