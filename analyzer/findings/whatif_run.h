/*
 * Computes the run with the fixes of some findings applied. By it the report weighs each finding,
 * and all of them together (whatif_replay.h shows the run with any choice). The analysis must be
 * from analysis_run(). Findings may be given in any order, each once. One thread.
 */
#ifndef STREAMTRACE_WHATIF_RUN_H
#define STREAMTRACE_WHATIF_RUN_H

#include "detectors/doubt.h"
#include "findings/analysis.h"
#include "findings/whatif_range.h"

struct timeline_times;

/* The findings that the report shows, to be freed by free(). */
const struct finding **whatif_shown(const struct analysis *analysis, size_t *count);

/* The edits of their fixes, to be freed by edits_free(). NULL: no findings are shown. */
struct edits *whatif_edits(const struct analysis *analysis);

/* Like whatif_edits(), with this treatment of doubtful dependences. */
struct edits *whatif_edits_with(const struct analysis *analysis, enum doubt doubt);

/* The most that the fixes save together (bound.h). */
int64_t whatif_bound(const struct analysis *analysis, const struct finding *const *findings,
		     size_t count, bool fills_tails);

/* Only the estimate of whatif_beside(), by one replay. before_ns: whatif_estimate() of the findings
 * in `with`. */
int64_t whatif_estimate_beside(const struct analysis *analysis, const struct finding **with,
			       size_t count, int64_t before_ns, const struct finding *finding);

/* What the finding's fix saves beside those of the count findings in `with`, which together save
 * `before`. The array `with` must have room for one more. The high end is at most most_ns, or the
 * estimate if that is larger. */
struct interval whatif_beside(const struct analysis *analysis, const struct finding **with,
			      size_t count, struct interval before, const struct finding *finding,
			      int64_t most_ns);

/* Only the estimate of what the findings' fixes save together. times: receives the times of its
 * replay (timeline.h); or NULL. */
int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times);

/* Whether the finding's estimate is only a lower limit: no replay can show its fix, or the rate of
 * pinned copies is unknown. */
bool whatif_is_open(const struct analysis *analysis, const struct finding *finding);

#endif
