/*
 * Computes what the fixes of some findings save, by replays of the run with these fixes. The report
 * weighs each finding so, and all of them together. (whatif_replay.h shows the run with any choice
 * of fixes.) Findings are of the analysis, or of detect() for it, in any order, each once. Of the
 * analysis, what comes before its findings must be set. Savings are in ns. Any thread, while nobody
 * changes the analysis.
 */
#ifndef STREAMTRACE_WHATIF_RUN_H
#define STREAMTRACE_WHATIF_RUN_H

#include "detectors/doubt.h"
#include "findings/analysis.h"
#include "findings/whatif_range.h"

struct timeline_times;

/* The findings that are not folded, hidden or not, in the order of the list. The caller frees the
 * array of *count by free(). */
const struct finding **whatif_shown(const struct findings *findings, size_t *count);

/* The edits of the fixes of whatif_shown(). The caller frees them by edits_free(). NULL: there are
 * no such findings. */
struct edits *whatif_edits(const struct analysis *analysis, const struct findings *findings,
			   enum doubt doubt);

/* The most that the fixes save together (replay/edits/bound.h). fills_tails: see struct
 * bound_change (replay/edits/bound_change.h). */
int64_t whatif_bound(const struct analysis *analysis, const struct finding *const *findings,
		     size_t count, bool fills_tails);

/* The estimate of what the finding's fix saves beside the fixes of the count findings in `with`, by
 * one replay; can be negative. before_ns: whatif_estimate() of these findings. The array `with`
 * must have room for one more, which is overwritten. */
int64_t whatif_estimate_beside(const struct analysis *analysis, const struct finding **with,
			       size_t count, int64_t before_ns, const struct finding *finding);

/* saved[i]: what the fix of findings[i] saves beside the fixes of the with_count findings in `with`, with both
 * ends. All are weighed at the same time. */
void whatif_beside(const struct analysis *analysis, const struct finding *const *with,
		   size_t with_count, const struct finding *const *findings, size_t count,
		   struct interval *saved);

/* The estimate of what the findings' fixes save together, by one replay. times: NULL, or receives
 * the times of the replay, which the caller frees by timeline_times_free(). */
int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times);

/* Whether the finding's estimate is only a lower limit: no replay can show its fix, or the rate of
 * pinned copies is unknown. */
bool whatif_is_open(const struct analysis *analysis, const struct finding *finding);

#endif
