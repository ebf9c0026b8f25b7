#include "findings/whatif.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "detectors/detector.h"
#include "findings/headline.h"
#include "findings/whatif_edits.h"
#include "replay/timeline.h"

#include <math.h>
#include <stdlib.h>

const struct finding **whatif_shown(const struct analysis *analysis, size_t *count)
{
	const struct finding **shown = memory_array(analysis->finding_count, sizeof(*shown));

	*count = 0;
	for (size_t i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			shown[(*count)++] = &analysis->findings[i];
	return shown;
}

struct edits *whatif_edits_with(const struct analysis *analysis, enum doubt doubt)
{
	size_t count;
	const struct finding **shown = whatif_shown(analysis, &count);
	struct edits *edits = count ? whatif_make_edits(analysis, shown, count, doubt) : NULL;

	free(shown);
	return edits;
}

struct edits *whatif_edits(const struct analysis *analysis)
{
	return whatif_edits_with(analysis, DOUBT_WEIGH);
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
	both = whatif_saving(analysis, with, count + 1,
			     whatif_bound(analysis, with, count + 1, false));
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

/* Of a sample: when its window begins in the run that it stands for. */
static int64_t window_since_ns(const struct trace *trace, const struct timeline_times *times,
			       size_t call)
{
	size_t window = trace_window_with(trace, (uint32_t)call);
	double since_ns = 0;

	for (size_t i = 0; i < window; i++)
		since_ns += trace->windows[i].weight * (double)times->windows[i];
	return llround(since_ns);
}

static void find_waiter(struct whatif *whatif, const struct trace *trace,
			const struct timeline_times *times)
{
	for (size_t i = 0; i < trace->call_count; i++) {
		if (times->waited_ns[i] <= whatif->waits_ns)
			continue;
		whatif->waiter = &trace->calls[i];
		whatif->waits_ns = times->waited_ns[i];
		whatif->waits_since_ns = times->calls[i].start_ns;
	}
	if (trace->is_sample && whatif->waiter)
		whatif->waits_since_ns =
			window_since_ns(trace, times, (size_t)(whatif->waiter - trace->calls));
}

struct whatif whatif_replay(const struct analysis *analysis, const struct finding *const *findings,
			    size_t count)
{
	const struct trace *trace = analysis->observed.model->trace;
	int64_t bound_ns = whatif_bound(analysis, findings, count, false);
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	struct timeline_times times;
	int64_t replayed_ns = timeline_replay_times(analysis->observed.timeline, edits, &times);
	struct whatif whatif = {.saved = whatif_saving(analysis, findings, count, bound_ns)};

	headline_measure_spans(&whatif.headline, trace, times.operations,
			       replayed_ns + analysis->outside_ns);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		if (whatif.headline.busy_ns[engine] > whatif.headline.busy_ns[whatif.busiest])
			whatif.busiest = (enum engine)engine;
	find_waiter(&whatif, trace, &times);
	timeline_times_free(&times);
	edits_free(edits);
	return whatif;
}
