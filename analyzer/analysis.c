#include "analysis.h"

#include "detect.h"
#include "detectors/detector.h"
#include "evidence.h"
#include "headline.h"
#include "memory.h"
#include "model.h"
#include "not_seen.h"
#include "replay/timeline.h"
#include "site.h"
#include "whatif.h"

#include <stdlib.h>
#include <string.h>

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->look != y->look)
		return x->look - y->look;
	if (x->lost.estimate_ns != y->lost.estimate_ns)
		return x->lost.estimate_ns < y->lost.estimate_ns ? 1 : -1;
	if (x->blocked_ns != y->blocked_ns)
		return x->blocked_ns < y->blocked_ns ? 1 : -1;
	return strcmp(x->id, y->id) ? strcmp(x->id, y->id) : site_compare(&x->site, &y->site);
}

static void rank(struct analysis *analysis)
{
	if (analysis->finding_count)
		qsort(analysis->findings, analysis->finding_count, sizeof(*analysis->findings),
		      compare_findings);
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];

		if (!finding->is_folded)
			continue;
		analysis->folded_count++;
		if (finding->lost.estimate_ns > analysis->folded_lost_ns)
			analysis->folded_lost_ns = finding->lost.estimate_ns;
	}
}

/* A replay that misses the measured time by more than this says nothing about another timeline. */
#define SELF_CHECK_SHARE 0.02

static void check_replay(struct analysis *analysis)
{
	int64_t error_ns;

	analysis->replayed_ns = timeline_replay(analysis->timeline, NULL);
	error_ns = llabs(analysis->replayed_ns - analysis->wall_ns);
	analysis->has_estimates = analysis->replayed_ns >= 0 &&
				  (double)error_ns <= SELF_CHECK_SHARE * (double)analysis->wall_ns;
}

/* All findings that are not folded, together. */
static struct interval weigh_all(const struct analysis *analysis)
{
	size_t count;
	const struct finding **shown = whatif_shown(analysis, &count);
	struct interval lost =
		whatif_saving(analysis, shown, count, whatif_bound(analysis, shown, count, false));
	free(shown);
	return lost;
}

/* A fix that pins memory, without a word about what that makes of the copies. */
static void note_rates(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];

		if (finding->is_folded || !finding->detector->edit.pins_copies)
			continue;
		for (size_t k = 0; k < finding->instance_count; k++) {
			const struct trace_operation *operation = finding->instances[k].operation;

			if (!operation ||
			    analysis->model->pinned_copies[operation->engine].bytes_per_ns > 0)
				continue;
			not_seen_add(analysis, memory_format("pinned copies"),
				     memory_format("what they take here is not known, so the low "
						   "ends and estimates leave the copies as slow "
						   "as they were: record with streamtrace run"));
			return;
		}
	}
}

struct analysis *analysis_run(const struct trace *trace)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct model *model = model_build(trace);

	headline_measure(analysis, trace);
	analysis->model = model;
	analysis->timeline = timeline_build(analysis->model);
	analysis->evidence = evidence_build(analysis->timeline);
	model->evidence = analysis->evidence;
	check_replay(analysis);
	detect(analysis);
	rank(analysis);
	analysis->lost = weigh_all(analysis);
	note_rates(analysis);
	not_seen_collect(analysis, trace);
	not_seen_reach(analysis, model);
	return analysis;
}

void analysis_free(struct analysis *analysis)
{
	detect_free(analysis);
	for (size_t i = 0; i < analysis->not_seen_count; i++) {
		free(analysis->not_seen[i].what);
		free(analysis->not_seen[i].why);
	}
	free(analysis->not_seen);
	evidence_free(analysis->evidence);
	timeline_free(analysis->timeline);
	model_free(analysis->model);
	free(analysis);
}
