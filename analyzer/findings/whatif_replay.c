#include "findings/whatif_replay.h"

#include "findings/headline.h"
#include "findings/interval_private.h"
#include "findings/sampling.h"
#include "findings/whatif_edits.h"
#include "findings/whatif_range.h"
#include "findings/whatif_run.h"
#include "replay/timeline.h"

#include <math.h>

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
	struct interval saved = whatif_saving(analysis, findings, count, bound_ns);
	struct whatif whatif = {0};

	sampling_widen(analysis, findings, count, &saved);
	whatif.saved = range_stated(analysis, &saved);
	whatif.headline = headline_measure_spans(trace, times.operations,
						 replayed_ns + analysis->check.outside_ns);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		if (whatif.headline.busy_ns[engine] > whatif.headline.busy_ns[whatif.busiest])
			whatif.busiest = (enum engine)engine;
	find_waiter(&whatif, trace, &times);
	timeline_times_free(&times);
	edits_free(edits);
	return whatif;
}
