#include "findings/whatif_run.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
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

/* What findings save with others, and what those save without. */
struct beside {
	const struct analysis *analysis;
	const struct finding *const *with, *const *findings;
	size_t with_count;
	struct interval before, *both;
};

static void weigh_with(void *context, size_t index)
{
	struct beside *beside = context;
	const struct finding **with = memory_array(beside->with_count + 1, sizeof(*with));
	size_t count = beside->with_count;

	for (size_t i = 0; i < count; i++)
		with[i] = beside->with[i];
	if (index > 0) {
		with[count] = beside->findings[index - 1];
		beside->both[index - 1] = whatif_weigh(beside->analysis, with, count + 1);
	} else if (count) {
		beside->before = whatif_weigh(beside->analysis, with, count);
	}
	free(with);
}

static struct interval added_to(struct interval before, struct interval both)
{
	both.estimate_ns -= before.estimate_ns;
	both.high_ns = max_ns(both.estimate_ns, both.high_ns - before.high_ns);
	both.low_ns = max_ns(0, min_ns(both.estimate_ns, both.low_ns - before.low_ns));
	return both;
}

void whatif_beside(const struct analysis *analysis, const struct finding *const *with,
		   size_t with_count, const struct finding *const *findings, size_t count,
		   struct interval *saved)
{
	struct beside beside = {.analysis = analysis,
				.with = with,
				.with_count = with_count,
				.findings = findings,
				.both = saved};

	parallel_run(count + 1, weigh_with, &beside);
	for (size_t i = 0; i < count; i++)
		saved[i] = added_to(beside.before, saved[i]);
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
