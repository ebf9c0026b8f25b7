#include "findings/sampling.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
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

void sampling_widen_by(struct interval *saved, int64_t error_ns)
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
	sampling_widen_by(saved, llround(sample_error(analysis->sample, saved_ns)));
	free(saved_ns);
	free(before_ns);
}

/* What each finding saves by itself. */
struct measuring {
	const struct analysis *analysis;
	const struct findings *findings;
	const int64_t *before_ns; /* by window: the time of its replay without fixes */
	int64_t **saved_ns;	  /* by finding, then by window; NULL: it is folded */
};

static void measure_finding(void *context, size_t index)
{
	const struct measuring *measuring = context;
	const struct finding *finding = &measuring->findings->items[index];

	if (!finding->is_folded)
		measuring->saved_ns[index] =
			save_by_window(measuring->analysis, &finding, 1, measuring->before_ns);
}

/* Freed with free(). */
static int64_t *measure_errors(const struct analysis *analysis, const struct findings *findings,
			       const int64_t *before_ns)
{
	int64_t *errors_ns = memory_array(findings->count, sizeof(*errors_ns));
	struct measuring measuring = {analysis, findings, before_ns,
				      memory_array(findings->count, sizeof(int64_t *))};

	parallel_run(findings->count, measure_finding, &measuring);
	for (size_t i = 0; i < findings->count; i++) {
		if (measuring.saved_ns[i])
			errors_ns[i] =
				llround(sample_error(analysis->sample, measuring.saved_ns[i]));
		free(measuring.saved_ns[i]);
	}
	free(measuring.saved_ns);
	return errors_ns;
}

/* The error of what all fixes save together decides. */
struct sampling sampling_judge(const struct analysis *analysis, const struct findings *findings)
{
	double most = SAMPLE_MOST_ERROR * (double)analysis->headline.wall_ns, error;
	struct sampling sampling = {SAMPLING_FAILED, 0, NULL};
	const struct finding **shown;
	int64_t *before_ns, *saved_ns;
	size_t count;

	if (!analysis->check.has_estimates)
		return sampling;
	shown = whatif_shown(findings, &count);
	before_ns = replay_without(analysis);
	saved_ns = save_by_window(analysis, shown, count, before_ns);
	error = sample_error(analysis->sample, saved_ns);
	if (error <= most)
		sampling = (struct sampling){SAMPLING_IS_ENOUGH, llround(error),
					     measure_errors(analysis, findings, before_ns)};
	else if (sample_grow(analysis->sample, saved_ns, most))
		sampling.answer = SAMPLING_GREW;
	free(saved_ns);
	free(before_ns);
	free(shown);
	return sampling;
}
