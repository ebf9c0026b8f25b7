/*
 * The most that a fix can save, without a replay.
 *
 * There are two bounds. Taking a constraint away cannot save more than the time from when it
 * delayed something until it fell: every operation starts later by at most that much before it.
 * (Nearly: an operation that comes earlier can change the order in which an engine takes the
 * others. Of 2,472 simulated programs with random streams, 39 gained more, by up to 13 % of the
 * run.) And no schedule of the same operations beats the busiest engine: it cannot begin before the
 * first operation that leads to it has run, nor before the host's own work between its calls up to
 * there is done, nor end before the last operation that follows from it. The smaller is the bound
 * of what a fix saves. Nor does any beat the longest chain of operations that need each other.
 * Operations count with the times that they took, each with its share of the engine (occupancy.h);
 * with fills_tails kernels also use the room that the last waves of others leave.
 */
#ifndef STREAMTRACE_BOUND_H
#define STREAMTRACE_BOUND_H

#include "replay/edits/bound_change.h"

/* The time covered by at least one of the spans, as the trace counts it. */
int64_t bound_covered(const struct trace *trace, const struct span *spans, size_t count);

/* The least time that the operations inside the window could take: pinned copies run as others do
 * (rates.h), or in no time where that is not known. */
int64_t bound_least_time(const struct model *model, struct span window,
			 const struct bound_change *change);

/* No less than the least time of the whole run with any change that makes no operation longer. */
int64_t bound_most_least_time(const struct model *model);

/* The time of the whole run beyond the least that it could take. */
int64_t bound_spare(const struct model *model, const struct bound_change *change);

/* Whether bound_saving() is surely at least so much, without the least time: false says nothing. */
bool bound_reaches(const struct model *model, const struct span *spans, size_t count,
		   const struct bound_change *change, int64_t saved_ns);

/* The smaller of both for these spans and what the edits shorten: at least 0. */
int64_t bound_saving(const struct model *model, const struct span *spans, size_t count,
		     const struct bound_change *change);

#endif
