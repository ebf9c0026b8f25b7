#include "findings/sampling.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "findings/interval_private.h"
#include "findings/whatif_edits.h"
#include "findings/whatif_run.h"
#include "model/model.h"
#include "replay/timeline.h"
#include "sample/sample.h"

#include <math.h>
#include <stdlib.h>

/* What each window takes in a replay, without the tracer; freed with free(). */
static int64_t *replay_windows(const struct analysis *analysis, const struct edits *edits)
{
	struct timeline_times times;
	int64_t *by_window;

	timeline_replay_times(analysis->observed.timeline, edits, &times);
	by_window = times.windows;
	times.windows = NULL;
	timeline_times_free(&times);
	return by_window;
}

static int64_t *replay_without(const struct analysis *analysis)
{
	struct edits *none = edits_create(analysis->observed.model);
	int64_t *by_window = replay_windows(analysis, none);

	edits_free(none);
	return by_window;
}

/* What the fixes save in each window; freed with free(). before_ns: what they take without. */
static int64_t *save_by_window(const struct analysis *analysis,
			       const struct finding *const *findings, size_t count,
			       const int64_t *before_ns)
{
	struct edits *edits = whatif_make_edits(analysis, findings, count, DOUBT_WEIGH);
	int64_t *saved_ns = replay_windows(analysis, edits);

	for (size_t i = 0; i < analysis->observed.model->trace->window_count; i++)
		saved_ns[i] = before_ns[i] - saved_ns[i];
	edits_free(edits);
	return saved_ns;
}

static void widen_interval(struct interval *saved, int64_t error_ns)
{
	saved->low_ns = max_ns(0, saved->low_ns - error_ns);
	saved->high_ns += error_ns;
}

void sampling_widen(const struct analysis *analysis, const struct finding *const *findings,
		    size_t count, struct interval *saved)
{
	int64_t *before_ns, *saved_ns;

	if (!analysis->sample)
		return;
	before_ns = replay_without(analysis);
	saved_ns = save_by_window(analysis, findings, count, before_ns);
	widen_interval(saved, llround(sample_error(analysis->sample, saved_ns)));
	free(saved_ns);
	free(before_ns);
}

static void widen_each(struct analysis *analysis, const struct sample *sample,
		       const struct finding *const *shown, size_t count, const int64_t *before_ns)
{
	for (size_t i = 0; i < count; i++) {
		int64_t *saved_ns = save_by_window(analysis, &shown[i], 1, before_ns);
		struct finding *finding =
			&analysis->findings.items[shown[i] - analysis->findings.items];

		widen_interval(finding->replayed, llround(sample_error(sample, saved_ns)));
		free(saved_ns);
	}
}

/* The error of what all fixes save together decides. */
enum sampling sampling_judge(struct analysis *analysis)
{
	struct sample *sample = analysis->sample;
	enum sampling answer = SAMPLING_IS_ENOUGH;
	const struct finding **shown;
	int64_t *before_ns, *saved_ns;
	size_t count;
	double error;

	if (!analysis->check.has_estimates)
		return SAMPLING_FAILED;
	shown = whatif_shown(analysis, &count);
	before_ns = replay_without(analysis);
	saved_ns = save_by_window(analysis, shown, count, before_ns);
	error = sample_error(sample, saved_ns);
	if (error > SAMPLE_MOST_ERROR * (double)analysis->headline.wall_ns) {
		answer = sample_grow(sample, saved_ns,
				     SAMPLE_MOST_ERROR * (double)analysis->headline.wall_ns)
				 ? SAMPLING_GREW
				 : SAMPLING_FAILED;
	} else {
		analysis->findings.sample_error_ns = llround(error);
		widen_interval(analysis->findings.replayed, analysis->findings.sample_error_ns);
		widen_each(analysis, sample, shown, count, before_ns);
		for (size_t i = 0; i < analysis->device_count; i++)
			widen_interval(analysis->devices[i].replayed,
				       analysis->findings.sample_error_ns);
	}
	free(saved_ns);
	free(before_ns);
	free(shown);
	return answer;
}
