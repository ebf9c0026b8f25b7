#include "findings/analysis.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/thresholds.h"
#include "findings/detect.h"
#include "findings/detector_table.h"
#include "findings/devices.h"
#include "findings/first_use_waits.h"
#include "findings/foreign.h"
#include "findings/headline.h"
#include "findings/idle.h"
#include "findings/interval_private.h"
#include "findings/not_seen.h"
#include "findings/sampling.h"
#include "findings/spread.h"
#include "findings/together.h"
#include "findings/whatif_run.h"
#include "model/model.h"
#include "model/tool_cost.h"
#include "replay/edits/bound.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"
#include "sample/sample.h"
#include "trace/site.h"

#include <stdlib.h>
#include <string.h>

static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->is_folded != y->is_folded)
		return x->is_folded ? 1 : -1;
	if (x->pass != y->pass)
		return x->pass - y->pass;
	if (x->replayed->estimate_ns != y->replayed->estimate_ns)
		return x->replayed->estimate_ns < y->replayed->estimate_ns ? 1 : -1;
	if (x->blocked_ns != y->blocked_ns)
		return x->blocked_ns < y->blocked_ns ? 1 : -1;
	return strcmp(x->id, y->id) ? strcmp(x->id, y->id) : site_compare(&x->site, &y->site);
}

static void rank_findings(struct analysis *analysis)
{
	if (analysis->findings.count)
		qsort(analysis->findings.items, analysis->findings.count,
		      sizeof(*analysis->findings.items), compare_findings);
	for (size_t i = 0; i < analysis->findings.count; i++) {
		const struct finding *finding = &analysis->findings.items[i];

		if (!finding->is_folded)
			continue;
		analysis->findings.folded_count++;
		analysis->findings.folded_ns +=
			min_ns(finding->replayed->estimate_ns,
			       analysis->headline.wall_ns - analysis->findings.folded_ns);
	}
}

/* All findings that are not folded, together. */
static struct interval *weigh_all(const struct analysis *analysis)
{
	size_t count;
	const struct finding **shown = whatif_shown(analysis, &count);
	struct interval *lost = memory_array(1, sizeof(*lost));

	*lost = whatif_saving(analysis, shown, count, whatif_bound(analysis, shown, count, false));
	free(shown);
	return lost;
}

/* Why the rate of pinned copies is not well known; malloc'ed, or NULL. */
static char *doubt_rate(const struct trace *trace, struct copy_rate rate)
{
	struct format link;

	if (rate.source == RATE_UNKNOWN)
		return memory_format("their rate on this machine is unknown, so low ends and "
				     "estimates keep the measured copy times: run "
				     "streamtrace report where the program ran, or record "
				     "with streamtrace run");
	if (rate.source != RATE_OF_LINK)
		return NULL;
	return memory_format("their rate was not measured: it is taken as %s of the PCI Express "
			     "link's %s/s. Run streamtrace report where the "
			     "program ran to measure it",
			     RATES_LINK_SHARES, format_bytes(&link, rates_link_bytes_per_s(trace)));
}

/* Notes a fix that pins memory where the rate of pinned copies is not well known. */
static void note_rates(struct analysis *analysis)
{
	const struct model *model = analysis->observed.model;
	struct edits *edits = whatif_edits(analysis);
	char *why = NULL;

	for (size_t i = 0; edits && !why && i < model->trace->operation_count; i++)
		if (edits->operations[i] & EDIT_PIN)
			why = doubt_rate(
				model->trace,
				model->pinned_copies[model->trace->operations[i].form->engine]);
	if (why)
		not_seen_add(&analysis->not_seen, memory_format("pinned copies"), why);
	if (edits)
		edits_free(edits);
}

/* Notes what tracing added and could not be taken out, where the calls are many. */
static void note_tool(struct analysis *analysis)
{
	const struct trace *trace = analysis->whole;
	bool is_old = trace->schema_version < TOOL_COSTS_SINCE;

	if (!analysis->check.has_estimates || analysis->check.has_untraced_cupti ||
	    (!is_old && !analysis->check.has_untraced) ||
	    (double)trace->call_count * TRACER_LEAST_CALL_NS <
		    TRACER_LEAST_SHARE * (double)analysis->headline.wall_ns)
		return;
	not_seen_add(&analysis->not_seen, memory_format("tracing overhead"),
		     analysis->check.has_untraced
			     ? memory_format("CUPTI's share is unknown, so the untraced time is "
					     "less than stated: run streamtrace report where "
					     "the program ran")
			     : memory_format("not recorded by this older version of the trace "
					     "format: times and savings are of the traced run"));
}

uint64_t analysis_least_bytes(const struct trace *trace)
{
	return (uint64_t)trace->call_count * MEMORY_OF_CALL_BYTES +
	       (uint64_t)trace->operation_count * MEMORY_OF_OPERATION_BYTES;
}

/* Of the run by itself, or by a sample of it: each stage makes its part of those before. */
static struct analysis *make_stages(const struct trace *whole, struct sample *sample,
				    const struct detector *const *with)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct model *model = model_build(sample ? sample_trace(sample) : whole);

	analysis->whole = whole;
	analysis->sample = sample;
	analysis->headline = headline_measure(whole);
	analysis->failed = failures_find(whole);
	analysis->observed = observed_build(model);
	analysis->idle = idle_build(&analysis->observed, &analysis->headline);
	analysis->check = self_check_run(&analysis->observed, sample, analysis->headline.wall_ns);
	analysis->devices = devices_measure(model, whole, analysis->headline.wall_ns);
	analysis->device_count = model->device_count;
	detect(analysis, with);
	rank_findings(analysis);
	analysis->findings.replayed = weigh_all(analysis);
	together_order(analysis);
	devices_weigh(analysis);
	analysis->first_uses = first_use_waits(&analysis->observed);
	note_rates(analysis);
	note_tool(analysis);
	not_seen_collect(&analysis->not_seen, whole, &analysis->failed);
	not_seen_reach(&analysis->not_seen, model, whole);
	foreign_collect(&analysis->not_seen, whole);
	return analysis;
}

/* The savings as they are shown, from their ranges, which are final. */
static struct analysis *state_savings(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->findings.count; i++)
		analysis->findings.items[i].lost =
			range_stated(analysis, analysis->findings.items[i].replayed);
	for (size_t i = 0; i < analysis->device_count; i++)
		analysis->devices[i].lost = range_stated(analysis, analysis->devices[i].replayed);
	analysis->findings.lost = range_stated(analysis, analysis->findings.replayed);
	return analysis;
}

struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with)
{
	return state_savings(make_stages(trace, NULL, with));
}

struct analysis *analysis_run(const struct trace *trace)
{
	return analysis_run_with(trace, detectors);
}

struct analysis *analysis_run_sampled(const struct trace *trace)
{
	struct sample *sample = sample_take(trace);

	while (sample) {
		struct analysis *analysis = make_stages(trace, sample, detectors);
		enum sampling answer = sampling_judge(analysis);

		if (answer == SAMPLING_IS_ENOUGH)
			return state_savings(analysis);
		analysis->sample = NULL; /* it grew, or is of no use */
		analysis_free(analysis);
		if (answer == SAMPLING_FAILED) {
			sample_free(sample);
			sample = NULL;
		}
	}
	return analysis_run(trace);
}

void analysis_free(struct analysis *analysis)
{
	not_seen_free(&analysis->not_seen);
	free(analysis->first_uses.items);
	detect_free(analysis);
	devices_free(analysis->devices, analysis->device_count);
	free(analysis->check.devices);
	idle_free(analysis->idle);
	observed_free(&analysis->observed);
	sample_free(analysis->sample);
	free(analysis);
}
