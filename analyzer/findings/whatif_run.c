#include "findings/whatif_run.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "findings/interval_private.h"
#include "findings/whatif_edits.h"
#include "replay/timeline.h"

#include <stdlib.h>

const struct finding **whatif_shown(const struct findings *findings, size_t *count)
{
	const struct finding **shown = memory_array(findings->count, sizeof(*shown));

	*count = 0;
	for (size_t i = 0; i < findings->count; i++)
		if (!findings->items[i].is_folded && !findings->items[i].costs_ns)
			shown[(*count)++] = &findings->items[i];
	return shown;
}

struct edits *whatif_edits(const struct analysis *analysis, const struct findings *findings,
			   enum doubt doubt)
{
	size_t count;
	const struct finding **shown = whatif_shown(findings, &count);
	struct edits *edits = count ? whatif_make_edits(analysis, shown, count, doubt) : NULL;

	free(shown);
	return edits;
}

int64_t whatif_bound(const struct analysis *analysis, const struct finding *const *findings,
		     size_t count, bool fills_tails)
{
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	int64_t bound_ns = whatif_bound_with(analysis, findings, count, edits, fills_tails);

	edits_free(edits);
	return bound_ns;
}

int64_t whatif_estimate(const struct analysis *analysis, const struct finding *const *findings,
			size_t count, struct timeline_times *times)
{
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	int64_t replayed_ns =
		times ? timeline_replay_times(analysis->observed.timeline, edits, times)
		      : timeline_replay(analysis->observed.timeline, edits);
	int64_t saved_ns =
		replayed_ns < 0 ? 0 : max_ns(0, whatif_unedited_ns(analysis) - replayed_ns);

	if (!whatif_bound_reaches(analysis, findings, count, edits, saved_ns))
		saved_ns = min_ns(saved_ns,
				  whatif_bound_with(analysis, findings, count, edits, false));
	edits_free(edits);
	return saved_ns;
}

int64_t whatif_estimate_beside(const struct analysis *analysis, const struct finding **with,
			       size_t count, int64_t before_ns, const struct finding *finding)
{
	with[count] = finding;
	return whatif_estimate(analysis, with, count + 1, NULL) - before_ns;
}

struct interval whatif_beside(const struct analysis *analysis, const struct finding **with,
			      size_t count, struct interval before, const struct finding *finding,
			      int64_t most_ns)
{
	struct interval both;

	with[count] = finding;
	both = whatif_weigh(analysis, with, count + 1);
	both.estimate_ns -= before.estimate_ns;
	both.high_ns = max_ns(both.estimate_ns, min_ns(both.high_ns - before.high_ns, most_ns));
	both.low_ns -= before.low_ns;
	if (both.low_ns > both.estimate_ns)
		both.low_ns = both.estimate_ns;
	if (both.low_ns < 0)
		both.low_ns = 0;
	return both;
}

bool whatif_is_open(const struct analysis *analysis, const struct finding *finding)
{
	const struct model *model = analysis->observed.model;
	struct edits *edits;
	bool is_open = !finding->detector->apply;

	if (is_open)
		return true;
	edits = whatif_make_edits(analysis, &finding, 1, DOUBT_WEIGH);
	for (size_t i = 0; !is_open && i < model->trace->operation_count; i++)
		is_open = edits->operations[i] & EDIT_PIN &&
			  model->pinned_copies[model->trace->operations[i].form->engine]
					  .bytes_per_ns <= 0;
	edits_free(edits);
	return is_open;
}
