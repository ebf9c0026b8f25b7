#include "findings/detect.h"

#include "detectors/detector.h"
#include "findings/gather.h"
#include "base/memory.h"
#include "findings/not_seen.h"
#include "replay/bound.h"
#include "replay/retimed.h"
#include "trace/site.h"
#include "findings/whatif.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_ROWS 3

/* A finding that costs less than this share of the run is folded into one line . */
#define FOLD_SHARE 0.005

/* Looks at the trace and at replays of it: a fix rarely uncovers more than the next one. */
#define LOOKS 3

/* What a later look finds rests on a replay, and is shown only where it is more than those err. */
#define LATER_SHARE 0.01

/* Findings that are not in the analysis yet. */
struct findings {
	struct finding *items;
	size_t count, capacity;
};

/* One look: at the trace, or at the run with the fixes of all findings so far. */
struct looking {
	struct analysis *analysis;
	const struct model *model;
	const struct retimed *retimed; /* NULL: at the trace */
	const struct edits *edits;     /* the fixes */
	int number;		       /* from 1 */
	int64_t shortened_ns;  /* by what the detector at hand makes calls and operations shorter */
	struct findings found; /* in a later look: what no finding so far is */
	bool is_extended;      /* findings so far apply to more than was seen */
};

/* In the trace, whichever look found them. */
static int64_t start_of(const struct instance *instance)
{
	return instance->call	     ? instance->call->start_ns
	       : instance->operation ? instance->operation->start_ns
				     : instance->span.start_ns;
}

static int compare_starts(const void *a, const void *b)
{
	int64_t x_ns = start_of(a), y_ns = start_of(b);

	return (x_ns > y_ns) - (x_ns < y_ns);
}

static void add_evidence(const struct looking *looking, struct finding *finding,
			 const struct gathered *group)
{
	size_t count = finding->count < EVIDENCE_ROWS ? finding->count : EVIDENCE_ROWS;
	int64_t origin_ns = looking->analysis->origin_ns;
	char text[512];

	finding->evidence = memory_array(count, sizeof(*finding->evidence));
	finding->evidence_count = count;
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group->instances[i];

		finding->detector->describe(looking->model, instance, text, sizeof(text));
		finding->evidence[i] = (struct evidence){
			.start_ns = instance->span.start_ns - origin_ns,
			.end_ns = instance->span.end_ns - origin_ns,
			.text = memory_format("%s", text),
		};
	}
}

/* Whether the waits come to less than what is worth showing. Such a finding gets no second look:
 * thousands of lines with a short wait each would take as many passes over the trace. */
static bool is_short(const struct analysis *analysis, int64_t waits_ns)
{
	return (double)waits_ns < FOLD_SHARE * (double)analysis->wall_ns;
}

/* What the detector's fix changes for sorted instances. */
static struct edits *edits_of(const struct model *model, const struct detector *detector,
			      const struct instance *instances, size_t count)
{
	struct edits *edits = edits_create(model);

	detector->apply(model, instances, count, DOUBT_WEIGH, edits);
	return edits;
}

/* What the waits held back at most, where the look was. */
static int64_t bound_of(const struct looking *looking, const struct finding *finding)
{
	struct span *spans = memory_array(finding->instance_count, sizeof(*spans));
	struct bound_change change;
	struct edits *edits;
	int64_t bound_ns;

	for (size_t i = 0; i < finding->instance_count; i++)
		spans[i] = finding->instances[i].reach;
	bound_ns = bound_covered(spans, finding->instance_count);
	if (!is_short(looking->analysis, bound_ns + looking->shortened_ns)) {
		edits = edits_of(looking->model, finding->detector, finding->instances,
				 finding->instance_count);
		change = bound_change_of(looking->model, edits);
		bound_ns = bound_saving(looking->model, spans, finding->instance_count, &change);
		edits_free(edits);
	}
	free(spans);
	return bound_ns;
}

/* Fills in lost and is_folded. */
static void weigh(const struct analysis *analysis, struct finding *finding, int64_t bound_ns)
{
	const struct finding *const alone[] = {finding};

	finding->is_folded = is_short(analysis, bound_ns);
	finding->lost = finding->is_folded ? (struct interval){0, bound_ns, bound_ns}
					   : whatif_saving(analysis, alone, 1, bound_ns);
}

/* One finding from the instances of one place. */
static struct finding make_finding(const struct looking *looking, const struct detector *detector,
				   const struct gathered *group)
{
	size_t count = group->count;
	struct finding finding = {.id = detector->id,
				  .title = detector->title,
				  .fix = detector->fix,
				  .site = group->site,
				  .count = count,
				  .instance_count = count,
				  .look = looking->number,
				  .detector = detector};
	size_t reusing = 0;

	finding.instances = memory_array(count, sizeof(*finding.instances));
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &group->instances[i];

		finding.instances[i] = *instance;
		finding.blocked_ns += instance->span.end_ns - instance->span.start_ns;
		reusing += instance->reuses_buffer;
	}
	qsort(finding.instances, count, sizeof(*finding.instances), compare_starts);
	if (detector->fix_shared_buffer && reusing * 2 > count)
		finding.fix = detector->fix_shared_buffer;
	add_evidence(looking, &finding, group);
	return finding;
}

static void add_finding(struct analysis *analysis, struct finding finding)
{
	size_t capacity = analysis->finding_count; /* grows by one: findings are few */

	finding.order = analysis->finding_count;
	analysis->findings = memory_grow(analysis->findings, analysis->finding_count, &capacity,
					 sizeof(*analysis->findings));
	analysis->findings[analysis->finding_count++] = finding;
}

static void free_finding(struct finding *finding)
{
	for (size_t i = 0; i < finding->evidence_count; i++)
		free(finding->evidence[i].text);
	free(finding->evidence);
	free(finding->instances);
}

/* From the replayed run back to the trace, but for the times. */
static void bring_back(const struct retimed *retimed, struct finding *finding)
{
	for (size_t i = 0; i < finding->instance_count; i++) {
		struct instance *instance = &finding->instances[i];

		instance->site_call = retimed_call(retimed, instance->site_call);
		instance->call = retimed_call(retimed, instance->call);
		instance->operation = retimed_operation(retimed, instance->operation);
		instance->cause = retimed_operation(retimed, instance->cause);
		instance->needed = retimed_operation(retimed, instance->needed);
		instance->last_needed = retimed_operation(retimed, instance->last_needed);
		instance->host_function = retimed_host_function(retimed, instance->host_function);
		instance->is_later = true;
	}
	qsort(finding->instances, finding->instance_count, sizeof(*finding->instances),
	      compare_starts);
}

/* What is shown, of the same kind and place. */
static struct finding *find_same(struct analysis *analysis, const struct finding *finding)
{
	for (size_t i = 0; i < analysis->finding_count; i++) {
		struct finding *same = &analysis->findings[i];

		if (!same->is_folded && same->detector == finding->detector &&
		    !site_compare(&same->site, &finding->site))
			return same;
	}
	return NULL;
}

/* The fix of one place is a fix for all that happens there. */
static void extend(struct finding *finding, const struct finding *by)
{
	size_t count = finding->instance_count + by->instance_count;
	struct instance *instances = memory_array(count, sizeof(*instances));

	memcpy(instances, finding->instances, finding->instance_count * sizeof(*instances));
	memcpy(instances + finding->instance_count, by->instances,
	       by->instance_count * sizeof(*instances));
	qsort(instances, count, sizeof(*instances), compare_starts);
	free(finding->instances);
	finding->instances = instances;
	finding->instance_count = count;
	finding->later_ns += by->later_ns;
}

/* In a later look only what is worth showing is taken. */
static void take(void *context, const struct detector *detector, const struct gathered *group)
{
	struct looking *looking = context;
	struct finding finding = make_finding(looking, detector, group);
	int64_t bound_ns = bound_of(looking, &finding);
	struct finding *same;

	if (!looking->retimed) {
		weigh(looking->analysis, &finding, bound_ns);
		add_finding(looking->analysis, finding);
		return;
	}
	if (is_short(looking->analysis, bound_ns)) {
		free_finding(&finding);
		return;
	}
	bring_back(looking->retimed, &finding);
	finding.later_ns = bound_ns;
	same = find_same(looking->analysis, &finding);
	if (same) {
		extend(same, &finding);
		free_finding(&finding);
		looking->is_extended = true;
		return;
	}
	looking->found.items = memory_grow(looking->found.items, looking->found.count,
					   &looking->found.capacity, sizeof(finding));
	looking->found.items[looking->found.count++] = finding;
}

/* What was looked at and could not be judged is said. */
static void note_doubt(struct analysis *analysis, const struct detector *detector,
		       const struct instances *found)
{
	struct format count, time;

	not_seen_add(analysis, memory_format("%s", detector->id),
		     memory_format("%s wait%s of %s in all count%s as needed: %s",
				   format_count(&count, found->doubtful_count),
				   found->doubtful_count == 1 ? "" : "s",
				   format_time(&time, found->doubtful_ns),
				   found->doubtful_count == 1 ? "s" : "", detector->doubt));
}

/* A call that waits no more can still end with an operation by chance. */
static void leave_out_fixed(const struct looking *looking, struct instances *found)
{
	const struct trace *trace = looking->analysis->model->trace;
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++) {
		const struct trace_call *call =
			retimed_call(looking->retimed, found->items[i].call);

		if (!call || !looking->edits->calls[call - trace->calls])
			found->items[kept++] = found->items[i];
	}
	found->count = kept;
}

/* Beside the spans of instances: what all of the detector's fixes together take away. */
static int64_t shortened_by(const struct model *model, const struct detector *detector,
			    const struct instances *found)
{
	struct instance *sorted = memory_array(found->count, sizeof(*sorted));
	struct edits *edits;
	int64_t shortened_ns;

	if (found->count) {
		memcpy(sorted, found->items, found->count * sizeof(*sorted));
		qsort(sorted, found->count, sizeof(*sorted), compare_starts);
	}
	edits = edits_of(model, detector, sorted, found->count);
	shortened_ns = bound_shortened_ns(model, edits);
	edits_free(edits);
	free(sorted);
	return shortened_ns;
}

static void run_detectors(struct looking *looking)
{
	for (size_t i = 0; detectors[i]; i++) {
		struct instances found = {0};

		detectors[i]->find(looking->model, &found);
		if (looking->retimed)
			leave_out_fixed(looking, &found);
		looking->shortened_ns = shortened_by(looking->model, detectors[i], &found);
		gather(looking->model, detectors[i], &found, take, looking);
		if (found.doubtful_count && !looking->retimed)
			note_doubt(looking->analysis, detectors[i], &found);
		free(found.items);
	}
}

/* What the fix saves beside those of the count findings in `with`, which save `before` and have
 * room for one more. */
static struct interval saving_beside(const struct analysis *analysis, const struct finding **with,
				     size_t count, struct interval before,
				     const struct finding *finding)
{
	struct interval both;

	with[count] = finding;
	both = whatif_saving(analysis, with, count + 1,
			     whatif_bound(analysis, with, count + 1, false));
	both.estimate_ns -= before.estimate_ns;
	both.high_ns = finding->later_ns > both.estimate_ns ? finding->later_ns : both.estimate_ns;
	both.low_ns -= before.low_ns;
	if (both.low_ns > both.estimate_ns)
		both.low_ns = both.estimate_ns;
	if (both.low_ns < 0)
		both.low_ns = 0;
	return both;
}

/* What is worth it becomes a finding; whether any did. */
static bool weigh_later(struct looking *looking)
{
	struct analysis *analysis = looking->analysis;
	const struct finding **shown =
		memory_array(analysis->finding_count + looking->found.count + 1, sizeof(*shown));
	struct interval before = {0};
	size_t count = 0, taken = 0;

	for (size_t i = 0; i < analysis->finding_count; i++)
		if (!analysis->findings[i].is_folded)
			shown[count++] = &analysis->findings[i];
	if (looking->found.count)
		before = whatif_saving(analysis, shown, count,
				       whatif_bound(analysis, shown, count, false));
	for (size_t i = 0; i < looking->found.count; i++) {
		struct finding *finding = &looking->found.items[i];

		finding->order = analysis->finding_count + i;
		finding->lost = saving_beside(analysis, shown, count, before, finding);
	}
	free(shown);
	for (size_t i = 0; i < looking->found.count; i++) {
		struct finding *finding = &looking->found.items[i];

		if ((double)finding->lost.estimate_ns < LATER_SHARE * (double)analysis->wall_ns) {
			free_finding(finding);
			continue;
		}
		add_finding(analysis, *finding);
		taken++;
	}
	free(looking->found.items);
	return taken > 0;
}

/* At the run with the fixes so far in; whether there is more to them than was known. */
static bool look_again(struct analysis *analysis, int number)
{
	struct looking looking = {.analysis = analysis, .number = number};
	struct edits *edits = whatif_edits(analysis);
	struct retimed *retimed = edits ? retimed_build(analysis->timeline, edits) : NULL;
	bool is_more = false;

	if (retimed) {
		looking.retimed = retimed;
		looking.edits = edits;
		looking.model = retimed_model(retimed);
		run_detectors(&looking);
		retimed_free(retimed); /* its findings are of the trace by now */
		is_more = weigh_later(&looking) || looking.is_extended;
	}
	if (edits)
		edits_free(edits);
	return is_more;
}

void detect(struct analysis *analysis)
{
	struct looking looking = {.analysis = analysis, .model = analysis->model, .number = 1};

	run_detectors(&looking);
	for (int number = 2; number <= LOOKS && analysis->has_estimates; number++)
		if (!look_again(analysis, number))
			break;
}

void detect_free(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->finding_count; i++)
		free_finding(&analysis->findings[i]);
	free(analysis->findings);
}
