/*
 * The most that a fix can save, found without a replay. One thread.
 *
 * Two bounds; the smaller one counts. First: removing a constraint saves at most the time from when
 * it first delayed something until it ended, because each operation starts at most that much
 * earlier. (Nearly: an operation that comes earlier can change the order in which an engine takes
 * others. Of 2,472 simulated programs with random streams, 39 gained more, by up to 13 % of the
 * run.) Second: no schedule of the same operations is shorter than the busiest engine's work. This
 * work cannot begin before the first operation that leads to it has run, nor before the host's own
 * work between its calls up to there is done, nor end before the last operation that follows from
 * it. Nor is any schedule shorter than the longest chain of operations that need each other.
 *
 * Operations count with their traced durations, each with its share of the engine (occupancy.h);
 * with fills_tails, kernels also use the room that other kernels' last waves leave.
 */
#ifndef STREAMTRACE_BOUND_H
#define STREAMTRACE_BOUND_H

#include "replay/edits/bound_change.h"

/* The time covered by at least one of the spans, weighted like trace_recorded_ns(). */
int64_t bound_covered(const struct trace *trace, const struct span *spans, size_t count);

/* The least time that the operations inside the window could take. Pinned copies take what others
 * do (rates.h), or no time if that is unknown. */
int64_t bound_least_time(const struct model *model, struct span window,
			 const struct bound_change *change);

/* An upper limit of bound_least_time() of the whole run, for any change that makes no operation
 * longer. */
int64_t bound_most_least_time(const struct model *model);

/* How much longer the whole run takes than the least that it could. */
int64_t bound_spare(const struct model *model, const struct bound_change *change);

/* True: bound_saving() is at least saved_ns, as far as the first bound goes. False: unknown. */
bool bound_reaches(const struct model *model, const struct span *spans, size_t count,
		   const struct bound_change *change, int64_t saved_ns);

/* The smaller bound for these spans and for what the edits shorten; 0 or more. */
int64_t bound_saving(const struct model *model, const struct span *spans, size_t count,
		     const struct bound_change *change);

#endif
