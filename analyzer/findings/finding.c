#include "findings/finding.h"

#include "base/memory.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "findings/advice.h"
#include "findings/interval_private.h"
#include "replay/retiming/retimed.h"
#include "trace/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVIDENCE_ROWS = 3 };

static const char *kernel_name(const struct model *model, const struct trace_operation *operation)
{
	return operation && operation->form->name
		       ? trace_demangle(model->trace, operation->form->name)
		       : NULL;
}

static void add_evidence(struct finding *finding, const struct observed *observed,
			 const struct gathered *group, int64_t origin_ns)
{
	const struct model *model = observed->model;
	size_t count = group->count < EVIDENCE_ROWS ? group->count : EVIDENCE_ROWS;
	char text[512];

	finding->evidence = memory_array(count, sizeof(*finding->evidence));
	finding->evidence_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group->instances[i];

		finding->detector->describe(observed, instance, text, sizeof(text));
		finding->evidence[i] = (struct evidence_row){
			.start_ns = instance->span.start_ns - origin_ns,
			.end_ns = instance->span.end_ns - origin_ns,
			.text = memory_format("%s", text),
			.kernel = kernel_name(model, instance->operation),
			.cause_kernel = kernel_name(model, instance->cause),
			.call = instance_call(instance),
			.range = trace_range_of(model->trace, instance_call(instance)),
		};
	}
}

/* The text of its own that more than half of the instances name, or NULL. */
static const char *fix_of_most(const struct instance *instances, size_t count)
{
	const char *fix = NULL;
	size_t lead = 0, named = 0;

	for (size_t i = 0; i < count; i++) {
		if (!lead)
			fix = instances[i].fix;
		if (instances[i].fix == fix)
			lead++;
		else
			lead--;
	}
	for (size_t i = 0; i < count; i++)
		named += instances[i].fix == fix;
	return named * 2 > count ? fix : NULL;
}

static int64_t blocked_by(const struct instance *instance, const struct trace *trace)
{
	struct span span = instance->span;

	return trace->is_sample ? llround(instance_weight(instance, trace) *
					  (double)(span.end_ns - span.start_ns))
				: trace_recorded_between(trace, span.start_ns, span.end_ns);
}

static int compare_blocked(const void *a, const void *b)
{
	const struct finding_site *x = a, *y = b;

	if (x->blocked_ns != y->blocked_ns)
		return x->blocked_ns < y->blocked_ns ? 1 : -1;
	return site_compare(&x->site, &y->site);
}

/* An instance's line and part of it. */
struct placed {
	uint32_t line;
	double weight;
	int64_t blocked_ns;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

/* Sorted ones; returns how many lines there are. sites: NULL, or room for them. */
static size_t sum_up(const struct placed *placed, size_t count, const struct finding_site *by_line,
		     struct finding_site *sites)
{
	size_t lines = 0, i;

	for (size_t first = 0; first < count; first = i, lines++) {
		struct finding_site line = by_line[placed[first].line];
		double weight = 0;

		for (i = first; i < count && placed[i].line == placed[first].line; i++) {
			weight += placed[i].weight;
			line.blocked_ns += placed[i].blocked_ns;
		}
		line.count = (size_t)llround(weight);
		if (sites)
			sites[lines] = line;
	}
	return lines;
}

/* The kind is one for most of them at least. */
static const char *shared_by(const struct detector *detector, const struct model *model,
			     const struct gathered *group)
{
	struct cause cause = {CAUSE_NONE, 0, 0};

	for (size_t i = 0; i < group->count && cause.kind == CAUSE_NONE; i++)
		cause = detector->cause(model, &group->instances[i]);
	return cause_word(cause.kind);
}

static void add_sites(struct finding *finding, const struct model *model,
		      const struct gathered *group)
{
	struct placed *placed = memory_array(group->count, sizeof(*placed));

	for (size_t i = 0; i < group->count; i++)
		placed[i] = (struct placed){group->lines[i],
					    instance_weight(&group->instances[i], model->trace),
					    blocked_by(&group->instances[i], model->trace)};
	qsort(placed, group->count, sizeof(*placed), compare_placed);
	finding->site_count = sum_up(placed, group->count, group->sites, NULL);
	finding->sites = memory_array(finding->site_count, sizeof(*finding->sites));
	sum_up(placed, group->count, group->sites, finding->sites);
	qsort(finding->sites, finding->site_count, sizeof(*finding->sites), compare_blocked);
	finding->site = finding->sites[0].site;
	finding->copies = finding->sites[0].copies;
	if (finding->site_count > 1)
		finding->shared = shared_by(finding->detector, model, group);
	free(placed);
}

struct finding finding_make(const struct observed *observed, const struct detector *detector,
			    const struct gathered *group, int64_t origin_ns)
{
	const struct model *model = observed->model;
	size_t count = group->count;
	struct finding finding = {.id = detector->id,
				  .title = detector->title,
				  .cost = detector->cost,
				  .low_end = detector->low_end,
				  .fix = detector->fix,
				  .instance_count = count,
				  .detector = detector,
				  .replayed = memory_array(1, sizeof(struct interval))};
	double weight = 0;
	size_t others = 0;

	finding.instances = memory_array(count, sizeof(*finding.instances));
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group->instances[i];

		finding.instances[i] = *instance;
		finding.blocked_ns += blocked_by(instance, model->trace);
		if (detector->released_ns)
			finding.released_ns +=
				trace_weigh_ns(model->trace, instance_start_ns(instance),
					       detector->released_ns(instance));
		weight += instance_weight(instance, model->trace);
		others += instance->takes_other_fix;
	}
	finding.count = (size_t)llround(weight);
	qsort(finding.instances, count, sizeof(*finding.instances), instance_compare_starts);
	if (detector->other_fix && others * 2 > count)
		finding.fix = detector->other_fix;
	if (fix_of_most(finding.instances, count))
		finding.fix = fix_of_most(finding.instances, count);
	add_sites(&finding, model, group);
	advice_give(&finding);
	add_evidence(&finding, observed, group, origin_ns);
	return finding;
}

bool finding_is_short(const struct analysis *analysis, int64_t saved_ns)
{
	return (double)saved_ns < FOLD_SHARE * (double)analysis->check.untraced_ns;
}

void finding_add(struct findings *findings, struct finding finding)
{
	size_t capacity = findings->count; /* grows by one: findings are few */

	finding.order = findings->count;
	findings->items =
		memory_grow(findings->items, findings->count, &capacity, sizeof(*findings->items));
	findings->items[findings->count++] = finding;
}

bool finding_is_brief(const struct finding *finding)
{
	int64_t least_ns = (int64_t)finding->count * BRIEF_NS;

	return finding->detector->is_of_waits && finding->blocked_ns < least_ns &&
	       finding->replayed->estimate_ns < least_ns;
}

bool finding_is_wait(const struct finding *finding)
{
	return finding->cost && !strcmp(finding->cost, "blocked");
}

void finding_free(struct finding *finding)
{
	for (size_t i = 0; i < finding->evidence_count; i++)
		free(finding->evidence[i].text);
	for (size_t i = 0; i < finding->joined_count; i++)
		finding_free(&finding->joined[i]);
	free(finding->joined);
	free(finding->evidence);
	free(finding->instances);
	free(finding->sites);
	free(finding->measured_price);
	free(finding->assumed_fix);
	free(finding->replayed);
}

void finding_add_assumed(struct finding *finding)
{
	char text[256];

	if (!finding->detector->assume)
		return;
	finding->detector->assume(finding->instances, finding->instance_count, text, sizeof(text));
	if (!text[0])
		return;
	finding->assumed_fix = memory_format("%s The saving is that %s.", finding->fix, text);
	finding->fix = finding->assumed_fix;
}

void finding_add_price(struct finding *finding, const struct model *model)
{
	char text[512];

	if (finding->detector->price && !finding->is_other_advice &&
	    finding->detector->price(model, finding->instances, finding->instance_count,
				     finding->replayed->estimate_ns, text, sizeof(text)))
		finding->measured_price = memory_format("%s", text);
}

void finding_bring_back(struct finding *finding, const struct trace *trace,
			const struct retimed *retimed)
{
	for (size_t i = 0; i < finding->evidence_count; i++) {
		struct evidence_row *row = &finding->evidence[i];

		row->call = retimed_call(retimed, row->call);
		row->range = trace_range_of(trace, row->call);
	}
	for (size_t i = 0; i < finding->instance_count; i++)
		instance_bring_back(&finding->instances[i], finding->detector->pointers, retimed);
	qsort(finding->instances, finding->instance_count, sizeof(*finding->instances),
	      instance_compare_starts);
}

struct finding *finding_same(struct findings *findings, const struct finding *finding)
{
	for (size_t i = 0; i < findings->count; i++) {
		struct finding *same = &findings->items[i];

		if (!same->is_folded && finding_has_line(same, finding))
			return same;
	}
	return NULL;
}

/* The finding's line at the site, or NULL. */
static const struct finding_site *find_line(const struct finding *finding, const struct site *site)
{
	for (size_t i = 0; i < finding->site_count; i++)
		if (!site_compare(&finding->sites[i].site, site))
			return &finding->sites[i];
	return NULL;
}

static bool is_small(const struct finding *finding)
{
	for (size_t i = 0; i < finding->instance_count; i++)
		if (!gather_is_small(&finding->instances[i]))
			return false;
	return true;
}

bool finding_has_line(const struct finding *finding, const struct finding *other)
{
	const struct finding_site *line = find_line(finding, &other->site);

	return finding->detector == other->detector && line &&
	       (line->copies == COPIES_ALL || (line->copies == COPIES_SMALL) == is_small(other));
}

/* Its own stay first. */
static void extend_sites(struct finding *finding, const struct finding *by)
{
	size_t count = finding->site_count;
	struct finding_site *sites = memory_array(count + by->site_count, sizeof(*sites));

	memcpy(sites, finding->sites, count * sizeof(*sites));
	for (size_t i = 0; i < by->site_count; i++)
		if (!find_line(finding, &by->sites[i].site))
			sites[count++] = by->sites[i];
	free(finding->sites);
	finding->sites = sites;
	finding->site_count = count;
	if (!finding->shared)
		finding->shared = by->shared;
}

void finding_extend(struct finding *finding, const struct finding *by)
{
	size_t count = finding->instance_count + by->instance_count;
	struct instance *instances = memory_array(count, sizeof(*instances));

	memcpy(instances, finding->instances, finding->instance_count * sizeof(*instances));
	memcpy(instances + finding->instance_count, by->instances,
	       by->instance_count * sizeof(*instances));
	qsort(instances, count, sizeof(*instances), instance_compare_starts);
	free(finding->instances);
	finding->instances = instances;
	finding->instance_count = count;
	extend_sites(finding, by);
	finding->later_ns += by->later_ns;
}
