/*
 * The run with the fixes of some findings applied. The report weighs each finding with it, and all
 * of them together (whatif_replay.h shows the run with any choice).
 *
 * The analysis is one of analysis_run(); findings may come in any order, each once.
 */
#ifndef STREAMTRACE_WHATIF_H
#define STREAMTRACE_WHATIF_H

#include "detectors/doubt.h"
#include "findings/analysis.h"
#include "findings/whatif_range.h"

struct timeline_times;

/* The findings that the report shows; freed with free(). */
const struct finding **whatif_shown(const struct analysis *analysis, size_t *count);

/* Their fixes; freed with edits_free(). NULL: there are none. */
struct edits *whatif_edits(const struct analysis *analysis);

/* The same with this treatment of doubtful dependences. */
struct edits *whatif_edits_with(const struct analysis *analysis, enum doubt doubt);

/* The most that the fixes save together (bound.h). */
int64_t whatif_bound(const struct analysis *analysis, const struct finding *const *findings,
		     size_t count, bool fills_tails);

/* The estimate of whatif_beside() alone, in one replay. before_ns: whatif_estimate() of the others. */
int64_t whatif_estimate_beside(const struct analysis *analysis, const struct finding **with,
			       size_t count, int64_t before_ns, const struct finding *finding);

/* What the finding's fix saves beside those of the count findings in `with`, which save `before` and
 * have room for one more: at its high end no more than that, or the estimate. */
struct interval whatif_beside(const struct analysis *analysis, const struct finding **with,
			      size_t count, struct interval before, const struct finding *finding,
			      int64_t most_ns);

/* The estimate alone. times: NULL, or where the times of its replay go (timeline.h). */
int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times);

/* Whether its estimate is a floor: no replay shows its fix, or what pinned copies take is not
 * known. */
bool whatif_is_open(const struct analysis *analysis, const struct finding *finding);

#endif
