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
#include "findings/source_edits.h"
#include "findings/sources.h"
#include "findings/spread.h"
#include "findings/steady.h"
#include "findings/together.h"
#include "findings/whatif_run.h"
#include "incident/incident.h"
#include "model/model.h"
#include "model/tool_cost.h"
#include "replay/edits/bound.h"
#include "replay/observed/evidence.h"
#include "replay/timeline.h"
#include "sample/sample.h"
#include "trace/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the fixes of all findings that are not folded save together; freed with free(). */
static struct interval *weigh_all(const struct analysis *analysis, const struct findings *findings)
{
	size_t count;
	const struct finding **shown = whatif_shown(findings, &count);
	struct interval *lost = memory_array(1, sizeof(*lost));

	*lost = whatif_weigh(analysis, shown, count);
	free(shown);
	return lost;
}

/* Whether the fix pins memory of copies whose rate is then unknown. */
static bool is_open(const struct model *model, const struct finding *finding)
{
	for (size_t k = 0; k < finding_part_count(finding); k++) {
		const struct finding *part = finding_part(finding, k);

		for (size_t i = 0; i < part->instance_count; i++) {
			const struct trace_operation *operation = part->instances[i].operation;

			if (part->detector->pins && operation && rates_is_pageable(operation) &&
			    model->pinned_copies[operation->form->engine].source == RATE_UNKNOWN)
				return true;
		}
	}
	return false;
}

/* Takes over what detect() returned, and states the savings. sampling: NULL: not a sample. */
static struct findings price_findings(const struct analysis *analysis, struct findings findings,
				      const struct sampling *sampling)
{
	findings.replayed = weigh_all(analysis, &findings);
	if (sampling) {
		findings.sample_error_ns = sampling->error_ns;
		sampling_widen_by(findings.replayed, sampling->error_ns);
	}
	findings.lost = range_stated(analysis, findings.replayed);
	for (size_t i = 0; i < findings.count; i++) {
		struct finding *finding = &findings.items[i];

		if (sampling)
			sampling_widen_by(finding->replayed, sampling->errors_ns[i]);
		finding->lost = range_stated(analysis, finding->replayed);
		finding->is_open = !finding->is_bound &&
				   finding->lost.high_ns > finding->lost.estimate_ns &&
				   is_open(analysis->observed.model, finding);
		findings.is_open |= finding->is_open && !finding->is_folded;
	}
	return findings;
}

/* Why the rate of pinned copies is not well known; malloc'ed, or NULL. */
static char *doubt_rate(const struct trace *trace, struct copy_rate rate)
{
	struct format link;

	if (rate.source == RATE_UNKNOWN)
		return memory_format("their rate on this machine is unknown, so low ends and "
				     "estimates keep the measured copy times: run "
				     "streamtrace report where the program ran%s",
				     trace_metadata(trace, "traced_by")
					     ? ""
					     : ", or record with streamtrace run");
	if (rate.source != RATE_OF_LINK)
		return NULL;
	return memory_format("their rate was not measured: it is taken as %s of the PCI Express "
			     "link's %s/s. Run streamtrace report where the "
			     "program ran to measure it",
			     RATES_LINK_SHARES, format_bytes(&link, rates_link_bytes_per_s(trace)));
}

/* Notes a fix that pins memory where the rate of pinned copies is not well known. */
static void note_rates(const struct analysis *analysis, struct not_seen_list *not_seen)
{
	const struct model *model = analysis->observed.model;
	struct edits *edits = whatif_edits(analysis, &analysis->findings, DOUBT_WEIGH);
	char *why = NULL;

	for (size_t i = 0; edits && !why && i < model->trace->operation_count; i++)
		if (edits->operations[i] & EDIT_PIN)
			why = doubt_rate(
				model->trace,
				model->pinned_copies[model->trace->operations[i].form->engine]);
	if (why)
		not_seen_add(not_seen, memory_format("pinned copies"), why);
	if (edits)
		edits_free(edits);
}

/* Notes what tracing added and could not be taken out, where the calls are many. */
static void note_tool(const struct analysis *analysis, struct not_seen_list *not_seen)
{
	const struct trace *trace = analysis->whole;
	bool is_old = trace->schema_version < TOOL_COSTS_SINCE;

	if (!analysis->check.has_estimates || analysis->check.has_untraced_cupti ||
	    (!is_old && !analysis->check.has_untraced) ||
	    (double)trace->call_count * TRACER_LEAST_CALL_NS <
		    TRACER_LEAST_SHARE * (double)analysis->headline.wall_ns)
		return;
	not_seen_add(not_seen, memory_format("tracing overhead"),
		     analysis->check.has_untraced
			     ? memory_format("CUPTI's share is taken from other machines: run "
					     "streamtrace report where the program ran")
			     : memory_format("not recorded by this older version of the trace "
					     "format: times and savings are of the traced run"));
}

static size_t times_of(size_t count, double times)
{
	return (size_t)llround(times * (double)count);
}

/* Of a sample, the launches of the whole run are stated. */
static void note_graphs(const struct analysis *analysis, struct not_seen_list *not_seen)
{
	const struct races *races = &analysis->races;
	const size_t seen = analysis->observed.model->trace->operation_count;
	const double times = (double)analysis->whole->operation_count / (double)(seen ? seen : 1);
	struct format some, all;

	if (races->graphs_unjudged)
		not_seen_add(not_seen, memory_format("graphs"),
			     memory_format(
				     "%s of %s launches not judged for races: %s",
				     format_count(&some, times_of(races->unjudged_launches, times)),
				     format_count(&all, times_of(races->graph_launches, times)),
				     races->graphs_unjudged));
}

uint64_t analysis_least_bytes(const struct trace *trace)
{
	return (uint64_t)trace->call_count * MEMORY_OF_CALL_BYTES +
	       (uint64_t)trace->operation_count * MEMORY_OF_OPERATION_BYTES;
}

/* The parts of an analysis that need only the observed run, each the size of a pass over it. */
enum observing_part { SELF_CHECK, IDLE, SPREAD, OBSERVING_PARTS };

static void observe_part(void *context, size_t part)
{
	struct analysis *analysis = context;
	const struct observed *observed = &analysis->observed;

	switch ((enum observing_part)part) {
	case SELF_CHECK:
		analysis->check =
			self_check_run(observed, analysis->sample, analysis->headline.wall_ns);
		break;
	case IDLE:
		analysis->idle = idle_build(observed, &analysis->headline);
		break;
	case SPREAD:
		analysis->spread_order =
			spread_order_create(observed->model->trace, observed->evidence);
		break;
	case OBSERVING_PARTS:
		break;
	}
}

/* What is known of the whole run, whatever is analyzed of it. */
struct whole {
	const struct trace *trace;
	bool is_measured; /* the rest is known */
	struct headline headline;
	struct failed_calls failed;
};

/* Where an analysis begins. */
struct beginning {
	struct whole *whole;
	struct analysis *analysis;
};

enum beginning_part { MODEL, WHOLE, BEGINNING_PARTS };

static void begin_part(void *context, size_t part)
{
	const struct beginning *beginning = context;
	struct whole *whole = beginning->whole;
	const struct sample *sample = beginning->analysis->sample;

	switch ((enum beginning_part)part) {
	case MODEL:
		beginning->analysis->observed =
			observed_build(model_build(sample ? sample_trace(sample) : whole->trace));
		break;
	case WHOLE:
		if (whole->is_measured)
			break;
		whole->headline = headline_measure(whole->trace);
		whole->failed = failures_find(whole->trace);
		whole->is_measured = true;
		break;
	case BEGINNING_PARTS:
		break;
	}
}

/* What is known without findings: of the run by itself, or by a sample of it. */
static struct analysis *observe_run(struct whole *whole, struct sample *sample)
{
	struct analysis *analysis = memory_array(1, sizeof(*analysis));
	struct beginning beginning = {whole, analysis};

	analysis->whole = whole->trace;
	analysis->sample = sample;
	parallel_run(BEGINNING_PARTS, begin_part, &beginning);
	analysis->headline = whole->headline;
	analysis->failed = whole->failed;
	parallel_run(OBSERVING_PARTS, observe_part, analysis);
	return analysis;
}

/* What comes of the findings. */
struct adding {
	struct analysis *analysis;
	struct findings findings;	 /* which are taken over */
	const struct sampling *sampling; /* as for price_findings() */
};

enum adding_part { PRICES, RACES, ADDING_PARTS };

static void add_part(void *context, size_t part)
{
	const struct adding *adding = context;
	struct analysis *analysis = adding->analysis;

	switch ((enum adding_part)part) {
	case PRICES:
		analysis->findings = price_findings(analysis, adding->findings, adding->sampling);
		analysis->in_order = together_order(analysis);
		analysis->devices = devices_measure(analysis);
		analysis->device_count = analysis->observed.model->device_count;
		break;
	case RACES:
		analysis->first_uses = first_use_waits(&analysis->observed);
		analysis->races = races_find(&analysis->observed);
		break;
	case ADDING_PARTS:
		break;
	}
}

/* sampling: as for price_findings(). */
static struct analysis *add_findings(struct analysis *analysis, struct findings findings,
				     const struct sampling *sampling)
{
	struct adding adding = {analysis, findings, sampling};

	parallel_run(ADDING_PARTS, add_part, &adding);
	note_rates(analysis, &analysis->not_seen);
	note_tool(analysis, &analysis->not_seen);
	note_graphs(analysis, &analysis->not_seen);
	not_seen_collect(&analysis->not_seen, analysis->whole, &analysis->failed);
	not_seen_reach(&analysis->not_seen, analysis->observed.model, analysis->whole);
	foreign_collect(&analysis->not_seen, analysis->whole);
	return analysis;
}

static struct analysis *run_whole(struct whole *whole, const struct detector *const *with)
{
	struct analysis *analysis = observe_run(whole, NULL);

	return add_findings(analysis, detect(analysis, with, &analysis->not_seen), NULL);
}

struct analysis *analysis_run_with(const struct trace *trace, const struct detector *const *with)
{
	struct whole whole = {.trace = trace};

	return run_whole(&whole, with);
}

struct analysis *analysis_run(const struct trace *trace)
{
	return analysis_run_with(trace, detectors);
}

struct analysis *analysis_run_sampled(const struct trace *trace)
{
	struct whole whole = {.trace = trace};
	struct sample *sample = sample_take(trace);

	while (sample) {
		struct analysis *analysis = observe_run(&whole, sample);
		struct findings findings = detect(analysis, detectors, &analysis->not_seen);
		struct sampling sampling = sampling_judge(analysis, &findings);

		if (sampling.answer == SAMPLING_IS_ENOUGH) {
			add_findings(analysis, findings, &sampling);
			free(sampling.errors_ns);
			return analysis;
		}
		analysis->sample = NULL; /* it grew, or is of no use */
		detect_free(&findings);
		analysis_free(analysis);
		if (sampling.answer == SAMPLING_FAILED) {
			sample_free(sample);
			sample = NULL;
		}
	}
	return run_whole(&whole, detectors);
}

void analysis_free(struct analysis *analysis)
{
	steady_free(analysis->steady);
	incident_free(analysis->incident);
	sources_free(analysis->sources);
	source_edits_free(analysis->edits);
	free(analysis->selected.are_hidden);
	free(analysis->selected.unmatched);
	not_seen_free(&analysis->not_seen);
	free(analysis->first_uses.items);
	races_free(&analysis->races);
	free(analysis->devices);
	free(analysis->in_order);
	detect_free(&analysis->findings);
	spread_order_free(analysis->spread_order);
	free(analysis->check.devices);
	idle_free(analysis->idle);
	observed_free(&analysis->observed);
	sample_free(analysis->sample);
	free(analysis);
}
