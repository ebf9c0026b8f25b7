/* Computes a saving with both ends, by replays and bounds that run at the same time. Any thread. */
#ifndef STREAMTRACE_WHATIF_RANGE_H
#define STREAMTRACE_WHATIF_RANGE_H

#include "findings/analysis.h"

/* What the fixes of the findings save together. bound_ns: whatif_bound(analysis, findings, count,
 * false) of whatif_run.h, the bound without fills_tails (struct bound_change, bound_change.h).
 *
 * Low end: a replay with all doubtful dependences kept. High end: a replay with all dropped. If it
 * can matter, a second replay also decides everything open for the better (edits.is_best_case), and
 * the larger saving counts. Both ends are widened by the spread of operations' durations. The
 * estimate is at most bound_ns. The high end is at most the bound with fills_tails, or what the
 * replay saves if that is more. The result is {0, bound_ns, bound_ns} if the analysis has no
 * estimates or bound_ns is not positive.
 *
 * Uses all processors; inside a job of base/parallel.h only the job's thread. */
struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count,
			      int64_t bound_ns);

/* The same, with that bound found beside the replays. */
struct interval whatif_weigh(const struct analysis *analysis, const struct finding *const *findings,
			     size_t count);

#endif
