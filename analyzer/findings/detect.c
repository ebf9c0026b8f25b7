#include "findings/detect.h"

#include "base/parallel.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/detector.h"
#include "findings/finding.h"
#include "findings/gather.h"
#include "findings/interval_private.h"
#include "findings/joining.h"
#include "findings/later.h"
#include "findings/list_order.h"
#include "findings/not_seen.h"
#include "findings/together.h"
#include "findings/ways.h"
#include "findings/whatif_run.h"
#include "replay/edits/bound.h"
#include "replay/retiming/retimed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a detector found in a line, while it is weighed. */
struct gathering {
	struct finding finding;
	int64_t shortened_ns; /* as in struct pass */
	int64_t bound_ns;
};

/* One pass of all detectors: over the trace, or over the run with the fixes of all findings so
 * far. */
struct pass {
	const struct analysis *analysis;
	struct findings *findings;		 /* so far */
	struct not_seen_list *not_seen;		 /* NULL: over the run with the fixes */
	const struct detector *const *detectors; /* NULL ends them */
	const struct observed *observed;
	const struct retimed *retimed; /* NULL: over the trace */
	const struct edits *edits;     /* the fixes */
	int64_t most_least_ns;	       /* bound_most_least_time() of the model */
	int number;		       /* from 1 */
	int64_t shortened_ns; /* by how much the current detector shortens calls and operations */
	VECTOR(struct gathering) gathered; /* what the detectors found, by line */
	finding_vector found;		   /* in a later pass: what no finding so far is */
	bool is_extended;		   /* findings so far apply to more than was seen */
};

/* What the detector's fix changes for sorted instances. */
static struct edits *edits_of(const struct observed *observed, const struct detector *detector,
			      const struct instance *instances, size_t count)
{
	struct edits *edits = edits_create(observed->model);

	if (detector->apply)
		detector->apply(observed, instances, count, DOUBT_WEIGH, edits);
	return edits;
}

/* What the finding can save at most, in the run of the pass. */
static int64_t bound_of(const struct pass *pass, const struct finding *finding,
			int64_t shortened_ns)
{
	struct span *spans = memory_array(finding->instance_count, sizeof(*spans));
	struct bound_change change;
	struct edits *edits;
	int64_t bound_ns;

	for (size_t i = 0; i < finding->instance_count; i++)
		spans[i] = finding->instances[i].reach;
	bound_ns = bound_covered(pass->observed->model->trace, spans, finding->instance_count);
	if (!finding_is_short(pass->analysis, bound_ns + shortened_ns)) {
		edits = edits_of(pass->observed, finding->detector, finding->instances,
				 finding->instance_count);
		change = bound_change_of(pass->observed->model, edits);
		change.most_least_ns = pass->most_least_ns;
		bound_ns = bound_saving(pass->observed->model, spans, finding->instance_count,
					&change);
		edits_free(edits);
	}
	free(spans);
	return bound_ns;
}

/* Fills in the range and is_folded. What is short by its bound is not weighed further: thousands of lines
 * with a short wait each would take as many passes over the trace. */
static void weigh_finding(const struct analysis *analysis, struct finding *finding,
			  int64_t bound_ns)
{
	const struct finding *const alone[] = {finding};

	finding->is_folded = finding->is_bound = finding_is_short(analysis, bound_ns);
	*finding->replayed = finding->is_folded ? (struct interval){0, bound_ns, bound_ns}
						: whatif_saving(analysis, alone, 1, bound_ns);
	finding->is_folded |= finding_is_brief(finding);
}

static void take_group(void *context, const struct detector *detector, const struct gathered *group)
{
	struct pass *pass = context;
	struct gathering *gathering = vector_add(&pass->gathered);

	*gathering = (struct gathering){.finding = finding_make(pass->observed, detector, group,
								pass->analysis->headline.origin_ns),
					.shortened_ns = pass->shortened_ns};
	gathering->finding.pass = pass->number;
}

/* Lines do not need each other for that. */
static void weigh_gathering(void *context, size_t index)
{
	const struct pass *pass = context;
	struct gathering *gathering = &pass->gathered.items[index];

	gathering->bound_ns = bound_of(pass, &gathering->finding, gathering->shortened_ns);
	if (!pass->retimed)
		weigh_finding(pass->analysis, &gathering->finding, gathering->bound_ns);
}

/* In a later pass only what is worth showing is taken. */
static void keep_findings(struct pass *pass, const struct gathering *gathering)
{
	struct finding finding = gathering->finding;
	struct finding *same;

	if (!pass->retimed) {
		finding_add(pass->findings, finding);
		return;
	}
	if (finding_is_short(pass->analysis, gathering->bound_ns)) {
		finding_free(&finding);
		return;
	}
	finding_bring_back(&finding, pass->analysis->observed.model->trace, pass->retimed);
	finding.later_ns = gathering->bound_ns;
	same = finding_same(pass->findings, &finding);
	if (same) {
		finding_extend(same, &finding);
		finding_free(&finding);
		pass->is_extended = true;
		return;
	}
	*vector_add(&pass->found) = finding;
}

/* What could not be judged is said. */
static void note_needed(struct not_seen_list *not_seen, const struct detector *detector,
			const struct needed_waits *waits, const char *why)
{
	struct format count, time;
	size_t rounded = (size_t)llround(waits->count);
	const char *one = detector->needed[0] ? detector->needed[0] : "wait";
	const char *several = detector->needed[1] ? detector->needed[1] : "waits";

	if (waits->count > 0)
		not_seen_add(not_seen, memory_format("%s", detector->id),
			     memory_format("%s %s (%s) assumed necessary: %s",
					   format_count(&count, rounded),
					   rounded == 1 ? one : several,
					   format_time(&time, waits->ns), why));
}

static bool is_dropped(const struct pass *pass, const struct trace_operation *operation)
{
	const struct trace_operation *before = retimed_operation(pass->retimed, operation);

	return before &&
	       pass->edits->operations[before - pass->analysis->observed.model->trace->operations] &
		       EDIT_DROP;
}

/* What the fixes so far have settled: a call that waits no more can still end with an operation by
 * chance, and an operation that is dropped still has a time, of no length. */
static void leave_out_fixed(const struct pass *pass, struct instances *found)
{
	const struct trace *trace = pass->analysis->observed.model->trace;
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		const struct instance *instance = &found->items[i];
		const struct trace_call *call = retimed_call(pass->retimed, instance->call);

		if ((!call || !pass->edits->calls[call - trace->calls]) &&
		    !is_dropped(pass, instance->operation) && !is_dropped(pass, instance->cause))
			found->items[kept++] = *instance;
	}
	found->count = kept;
}

/* What a slice of a sample has only a part of. */
static void leave_out_cut(const struct trace *trace, const struct detector *detector,
			  struct instances *found)
{
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++)
		if (instance_is_in_slice(&found->items[i], detector->pointers, trace))
			found->items[kept++] = found->items[i];
	found->count = kept;
}

/* Beside the reach of instances: what all of the detector's fixes together take away. Something is
 * found. */
static int64_t shortened_by(const struct observed *observed, const struct detector *detector,
			    const struct instances *found)
{
	const struct model *model = observed->model;
	struct instance *sorted = memory_array(found->count, sizeof(*sorted));
	struct edits *edits;
	int64_t shortened_ns;

	memcpy(sorted, found->items, found->count * sizeof(*sorted));
	qsort(sorted, found->count, sizeof(*sorted), instance_compare_starts);
	edits = edits_of(observed, detector, sorted, found->count);
	shortened_ns = bound_change_shortened_ns(model, edits);
	for (size_t i = 0; i < found->count; i++)
		shortened_ns -= trace_weigh_ns(model->trace, instance_start_ns(&sorted[i]),
					       instance_gone_ns(&sorted[i], model, edits));
	edits_free(edits);
	free(sorted);
	return shortened_ns;
}

/* What one detector found in the run of a pass. */
struct search {
	const struct pass *pass;
	struct instances found;
	int64_t shortened_ns; /* as in struct pass */
};

/* A detector without a fix finds nothing new once other fixes are applied. */
static bool is_searched(const struct pass *pass, const struct detector *detector)
{
	return !pass->retimed || detector->apply;
}

static void search_with(void *context, size_t index)
{
	struct search *search = (struct search *)context + index;
	const struct pass *pass = search->pass;
	const struct detector *detector = pass->detectors[index];

	if (!is_searched(pass, detector))
		return;
	detector->find(pass->observed, &search->found);
	if (pass->observed->model->trace->is_sample)
		leave_out_cut(pass->observed->model->trace, detector, &search->found);
	if (pass->retimed)
		leave_out_fixed(pass, &search->found);
	if (search->found.count)
		search->shortened_ns = shortened_by(pass->observed, detector, &search->found);
}

static void run_detectors(struct pass *pass)
{
	struct search *searches;
	size_t count = 0;

	while (pass->detectors[count])
		count++;
	searches = memory_array(count, sizeof(*searches));
	for (size_t i = 0; i < count; i++)
		searches[i].pass = pass;
	parallel_run(count, search_with, searches);
	for (size_t i = 0; i < count; i++) {
		const struct detector *detector = pass->detectors[i];
		struct instances *found = &searches[i].found;

		if (!is_searched(pass, detector))
			continue;
		pass->shortened_ns = searches[i].shortened_ns;
		gather(pass->observed->model, detector, found, take_group, pass);
		if (!pass->retimed) {
			note_needed(pass->not_seen, detector, &found->doubtful, detector->doubt);
			note_needed(pass->not_seen, detector, &found->timed,
				    "the host reads a clock right behind");
		}
		free(found->items);
	}
	free(searches);
	parallel_run(pass->gathered.count, weigh_gathering, pass);
	for (size_t i = 0; i < pass->gathered.count; i++)
		keep_findings(pass, &pass->gathered.items[i]);
	vector_free(&pass->gathered);
}

/* Over the run with the fixes so far in; whether there is more to them than was known. */
static bool run_again(const struct analysis *analysis, struct findings *findings,
		      const struct detector *const *with, int number)
{
	struct pass pass = {
		.analysis = analysis, .findings = findings, .detectors = with, .number = number};
	struct edits *edits = whatif_edits(analysis, findings, DOUBT_WEIGH);
	struct retimed *retimed = edits ? retimed_build(analysis->observed.timeline, edits) : NULL;
	bool is_more = false;

	if (retimed) {
		pass.retimed = retimed;
		pass.edits = edits;
		pass.observed = retimed_observed(retimed);
		pass.most_least_ns = bound_most_least_time(pass.observed->model);
		run_detectors(&pass);
		retimed_free(retimed); /* its findings refer to the trace now */
		is_more = later_weigh(analysis, findings, &pass.found) || pass.is_extended;
		vector_free(&pass.found);
	}
	if (edits)
		edits_free(edits);
	return is_more;
}

/* What a later pass found of a finding of the first one counts, too. */
static void weigh_extended(void *context, size_t index)
{
	const struct pass *pass = context;
	struct finding *finding = &pass->findings->items[index];
	const struct finding *const alone[] = {finding};

	if (finding->pass == 1 && finding->later_ns && !finding->is_folded)
		*finding->replayed = whatif_weigh(pass->analysis, alone, 1);
}

struct findings detect(const struct analysis *analysis, const struct detector *const *with,
		       struct not_seen_list *not_seen)
{
	struct findings findings = {0};
	struct pass pass = {.analysis = analysis,
			    .findings = &findings,
			    .not_seen = not_seen,
			    .detectors = with,
			    .observed = &analysis->observed,
			    .most_least_ns = analysis->check.most_least_ns,
			    .number = 1};

	run_detectors(&pass);
	for (int number = 2; number <= DETECT_PASSES && analysis->check.has_estimates; number++)
		if (!run_again(analysis, &findings, with, number))
			break;
	if (analysis->check.has_estimates) {
		parallel_run(findings.count, weigh_extended, &pass);
		together_fold(analysis, &findings);
		joining_join(analysis, &findings);
	}
	list_order_sort(analysis, &findings);
	for (size_t i = 0; i < findings.count; i++) {
		finding_add_assumed(&findings.items[i]);
		finding_add_price(&findings.items[i], analysis->observed.model);
		ways_add(analysis, &findings.items[i]);
	}
	return findings;
}

void detect_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		finding_free(&findings->items[i]);
	free(findings->items);
	free(findings->replayed);
}
