/*
 * The most that a fix can save, found without a replay. Times are ns. One thread.
 *
 * Of two bounds the smaller one counts. First: removing a constraint saves at most the time from
 * when the constraint first delayed something until it ended, because each operation starts at most
 * that much earlier. (Nearly: an operation that comes earlier can change the order in which an
 * engine takes others. Of 2,472 simulated programs with random streams, 39 gained more, by up to 13
 * % of the run.) Second: no schedule of the same operations is shorter than the busiest engine's
 * work. This work cannot begin before the operations that lead to it have run, nor before the
 * host's own work between its calls up to there is done. Nor can the run end before the operations
 * that follow from the work have run. No schedule is shorter than the longest chain of operations
 * that need each other, either.
 *
 * Operations count with their traced durations, each with its share of the engine (occupancy.h);
 * with bound_change.fills_tails, kernels also use the room that other kernels' last waves leave.
 */
#ifndef STREAMTRACE_BOUND_H
#define STREAMTRACE_BOUND_H

#include "replay/edits/bound_change.h"

/* The time covered by at least one of the spans, weighted like trace_recorded_ns(). */
int64_t bound_covered(const struct trace *trace, const struct span *spans, size_t count);

/* The least time that the operations inside the window could take. Copies that the change pins take
 * the fastest time of pinned copies (rates.h), or no time if that is unknown. */
int64_t bound_least_time(const struct model *model, struct span window,
			 const struct bound_change *change);

/* A time that bound_least_time() of the whole run does not exceed, for any change that makes no
 * operation longer. */
int64_t bound_most_least_time(const struct model *model);

/* How much longer the whole run takes than the least that it could take with the change. */
int64_t bound_spare(const struct model *model, const struct bound_change *change);

/* True: bound_saving() with the same arguments is at least saved_ns. False: it may be less, which
 * only bound_saving() tells, at a higher cost. */
bool bound_reaches(const struct model *model, const struct span *spans, size_t count,
		   const struct bound_change *change, int64_t saved_ns);

/* The smaller of the two bounds; 0 or more. spans: when the constraints that the fix removes
 * delayed something (may be NULL if count is 0); change: what its edits change. */
int64_t bound_saving(const struct model *model, const struct span *spans, size_t count,
		     const struct bound_change *change);

#endif
