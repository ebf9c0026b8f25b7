/* A saving with both its ends: replays and bounds that run at the same time. */
#ifndef STREAMTRACE_WHATIF_RANGE_H
#define STREAMTRACE_WHATIF_RANGE_H

#include "findings/analysis.h"

/* What the fixes of the findings save together. Each end is a replay, too: the low one with all
 * doubtful dependences kept, the high one with all dropped, which is repeated with all else that the
 * trace leaves open for the better (edits.is_best_case) where that can matter; the larger counts. Both
 * by the spread of operations' times wider. No estimate passes bound_ns, their bound without
 * fills_tails; no high end the bound with it, or what the replay saves where that is more. {0, bound,
 * bound} without estimates. On all processors; in a job (base/parallel.h) in its thread. */
struct interval whatif_saving(const struct analysis *analysis,
			      const struct finding *const *findings, size_t count,
			      int64_t bound_ns);

#endif
