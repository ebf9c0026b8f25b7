#include "findings/range.h"

#include "base/minmax.h"
#include "base/thresholds.h"
#include "findings/analysis.h"
#include "findings/idle.h"
#include "findings/interval_private.h"

#include <math.h>

/* By how much estimates of other programs were wrong. */
static int64_t missed_ns(const struct analysis *analysis, int64_t estimate_ns)
{
	int64_t idle_ns = idle_between_operations_ns(&analysis->idle->all);

	return min_ns(llround(RANGE_MISSED_SHARE * (double)max_ns(estimate_ns, idle_ns)),
		      (int64_t)(RANGE_MOST_SHARE * (double)estimate_ns));
}

/* The time between the operations: no fix shortens the rest of the run. */
static int64_t most_ns(const struct analysis *analysis)
{
	const struct idle_table *all = &analysis->idle->all;

	return analysis->check.untraced_ns - (all->idle_ns - idle_between_operations_ns(all));
}

struct stated range_stated(const struct analysis *analysis, const struct interval *saved)
{
	struct stated stated = {saved->low_ns, saved->estimate_ns, saved->high_ns};
	int64_t off_ns;

	if (!analysis->check.has_estimates || !analysis->idle || saved->estimate_ns <= 0)
		return stated;
	off_ns = missed_ns(analysis, saved->estimate_ns);
	stated.low_ns = min_ns(saved->low_ns, saved->estimate_ns - off_ns);
	stated.high_ns =
		max_ns(saved->high_ns, min_ns(saved->estimate_ns + off_ns, most_ns(analysis)));
	return stated;
}

struct saving_terms range_terms(const struct finding *finding)
{
	int64_t own_ns = min_ns(finding->lost.estimate_ns, finding->blocked_ns);

	int64_t released_ns = min_ns(finding->lost.estimate_ns - own_ns, finding->released_ns);

	return (struct saving_terms){own_ns, released_ns,
				     finding->lost.estimate_ns - own_ns - released_ns};
}

const char *range_doubt(const struct finding *finding)
{
	const struct stated *lost = &finding->lost;

	if (lost->estimate_ns <= 0 || lost->high_ns <= RANGE_WIDE_TIMES * lost->low_ns)
		return NULL;
	return finding->low_end ? finding->low_end
				: "such calls and operations take different times each";
}

struct range_ends range_compared(const struct finding *finding)
{
	return (struct range_ends){finding->replayed->low_ns, finding->replayed->high_ns};
}
