/* Computes a saving with both ends, by replays and bounds that run at the same time. */
#ifndef STREAMTRACE_WHATIF_RANGE_H
#define STREAMTRACE_WHATIF_RANGE_H

#include "findings/analysis.h"

/* What the fixes of the findings save together. Low end: a replay with all doubtful dependences
 * kept. High end: a replay with all dropped; if it can matter, also one with everything open
 * decided for the better (edits.is_best_case), and the larger result counts. Both ends are widened
 * by the spread of operations' durations. The estimate is at most bound_ns, the bound without
 * fills_tails; the high end at most the bound with it, or what the replay saves if that is more.
 * Without estimates: {0, bound, bound}. Uses all processors; inside a job (base/parallel.h) only
 * its thread. */
struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count,
			      int64_t bound_ns);

#endif
