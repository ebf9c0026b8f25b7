/*
 * WHAT: a thread asks cudaEventQuery or cudaStreamQuery again and again until work is done, while
 *   other threads launch. Queries take locks of the driver that their calls need, too.
 * EVIDENCE: at least eight queries of one event or stream in a row, with less time between them than
 *   in them, at least one of which found work pending (a spin). Launches of other threads during such spins took
 *   at least one and a half times as long as the same calls at other times, on the average of at
 *   least 32 calls each.
 * COST: the time of the spins. The fix gives the launches the time that they take otherwise; the low
 *   end shortens only those that took longer than nine in ten of the others. The thread still waits
 *   until the work is done.
 * FALSE POSITIVES: launches that take long for another reason at the same times, such as kernels
 *   whose launches are larger. A spin beside which no one is slower is not reported: it costs a
 *   core, and reacts the fastest.
 */
#include "detectors/detector.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/vector.h"
#include "detectors/spins.h"
#include "replay/evidence.h"

#include <stdio.h>
#include <stdlib.h>

#define LEAST_CALLS  32
#define SLOWER_TIMES 1.5

/* Of the calls of one function that no spin of another thread was beside. */
struct quiet {
	int64_t mean_ns, most_ns; /* most_ns: nine in ten took no longer */
	bool is_slowed;		  /* beside spins they take longer */
};

struct finding_polls {
	const struct model *model;
	struct spins spins;
	uint32_t *beside;     /* by index in trace.calls: the spin, plus one; 0: none */
	struct quiet *quiets; /* by index in trace.functions */
};

static bool is_judged(const struct model *model, const struct trace_call *call)
{
	enum function_class class = call->form->function->class;

	return (class == CLASS_LAUNCH || class == CLASS_EVENT_RECORD ||
		(class == CLASS_COPY && call->form->has_stream)) &&
	       !evidence_of(model->evidence, call).cause;
}

/* The mean of the sorted times without the longest in a hundred: those were interrupted. */
static int64_t mean_of(const int64_t *times, size_t count)
{
	size_t most = count - count / 100;
	double sum = 0;

	for (size_t i = 0; i < most; i++)
		sum += (double)times[i];
	return (int64_t)(sum / (double)most);
}

/* calls: indexes in trace.calls, `all` of them. */
static void measure(const struct finding_polls *finding, const uint32_t *calls, size_t all,
		    int64_t *times, struct quiet *quiet)
{
	const struct trace *trace = finding->model->trace;
	size_t count = 0, beside_count = 0;
	double beside_ns = 0;

	for (size_t i = 0; i < all; i++) {
		const struct trace_call *call = &trace->calls[calls[i]];

		if (finding->beside[calls[i]]) {
			beside_ns += (double)(call->end_ns - call->start_ns);
			beside_count++;
		} else {
			times[count++] = call->end_ns - call->start_ns;
		}
	}
	if (count < LEAST_CALLS || beside_count < LEAST_CALLS)
		return;
	sort_ns(times, count);
	quiet->mean_ns = mean_of(times, count);
	quiet->most_ns = max_ns(quiet->mean_ns, times[count * 9 / 10]);
	quiet->is_slowed =
		beside_ns / (double)beside_count >= SLOWER_TIMES * (double)quiet->mean_ns;
}

/* The calls that are judged, function by function, into order; ends: by function, behind its last one
 * there. A trace can have many functions: no pass over the calls for each. */
static void group_calls(const struct model *model, uint32_t *order, uint32_t *ends)
{
	const struct trace *trace = model->trace;
	uint32_t begin = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		ends[trace->calls[i].form->function - trace->functions] +=
			is_judged(model, &trace->calls[i]);
	for (size_t i = 0; i < trace->function_count; i++) {
		uint32_t count = ends[i];

		ends[i] = begin;
		begin += count;
	}
	for (size_t i = 0; i < trace->call_count; i++)
		if (is_judged(model, &trace->calls[i]))
			order[ends[trace->calls[i].form->function - trace->functions]++] =
				(uint32_t)i;
}

static void measure_all(struct finding_polls *finding)
{
	const struct trace *trace = finding->model->trace;
	int64_t *times = memory_array(trace->call_count, sizeof(*times));
	uint32_t *order = memory_array(trace->call_count, sizeof(*order));
	uint32_t *ends = memory_array(trace->function_count, sizeof(*ends));

	group_calls(finding->model, order, ends);
	for (size_t i = 0; i < trace->function_count; i++) {
		uint32_t begin = i ? ends[i - 1] : 0;

		measure(finding, &order[begin], ends[i] - begin, times, &finding->quiets[i]);
	}
	free(ends);
	free(order);
	free(times);
}

static struct finding_polls find_polls(const struct model *model)
{
	const struct trace *trace = model->trace;
	struct finding_polls finding = {.model = model, .spins = spins_find(trace)};

	if (!finding.spins.count)
		return finding;
	finding.beside = spins_beside(&finding.spins, trace);
	finding.quiets = memory_array(trace->function_count, sizeof(*finding.quiets));
	measure_all(&finding);
	return finding;
}

static void free_polls(struct finding_polls *finding)
{
	free(finding->quiets);
	free(finding->beside);
	spins_free(&finding->spins);
}

/* Of a call that a spin slowed; NULL: it is none. */
static const struct quiet *quiet_of(const struct finding_polls *finding, size_t call)
{
	const struct trace *trace = finding->model->trace;
	const struct quiet *quiet =
		&finding->quiets[trace->calls[call].form->function - trace->functions];

	return finding->beside[call] && quiet->is_slowed &&
			       is_judged(finding->model, &trace->calls[call])
		       ? quiet
		       : NULL;
}

static void find(const struct model *model, struct instances *found)
{
	const struct trace *trace = model->trace;
	struct finding_polls finding = find_polls(model);
	struct instance *instances = memory_array(finding.spins.count, sizeof(*instances));

	for (size_t i = 0; finding.spins.count && i < trace->call_count; i++) {
		const struct quiet *quiet = quiet_of(&finding, i);
		struct instance *instance;

		if (!quiet)
			continue;
		instance = &instances[finding.beside[i] - 1];
		instance->spin.calls++;
		instance->spin.calls_ns += trace->calls[i].end_ns - trace->calls[i].start_ns;
		instance->spin.quiet_ns += quiet->mean_ns;
	}
	for (size_t i = 0; i < finding.spins.count; i++) {
		const struct spin *spin = &finding.spins.items[i];

		if (!instances[i].spin.calls)
			continue;
		instances[i].span = (struct span){spin->first->start_ns, spin->last->end_ns};
		instances[i].site_call = spin->first;
		instances[i].call = spin->first;
		instances[i].detail = DETAIL_SPIN;
		instances[i].spin.last = spin->last;
		instances[i].spin.queries = spin->queries;
		instance_add(found, instances[i]);
	}
	free(instances);
	free_polls(&finding);
}

/* The thread's queries go, but the last. What they waited for is still waited for; where that is not
 * known it lasts as long as it did. */
static void drop_queries(const struct model *model, const struct spins *spins,
			 const struct instance *instance, struct edits *edits)
{
	const struct trace_call *calls = model->trace->calls, *last = instance->spin.last;
	bool has_wait = evidence_has_wait(model->evidence, last);
	size_t i = (size_t)(instance->call - calls);

	for (; spins->next[i]; i = spins->next[i]) {
		has_wait |= evidence_has_wait(model->evidence, &calls[i]);
		edits_drop_call(edits, model, &calls[i]);
		edits_drop_work(edits, model, &calls[spins->next[i]]);
	}
	if (!has_wait)
		edits_set_call_time(edits, model, last, last->end_ns - instance->call->start_ns);
}

/* Whether the call is beside one of these spins. */
static bool is_beside(const struct finding_polls *finding, size_t call, const struct map *by_first)
{
	const struct spin *spin;

	if (!quiet_of(finding, call))
		return false;
	spin = &finding->spins.items[finding->beside[call] - 1];
	return map_find(by_first, (uint64_t)(spin->first - finding->model->trace->calls)) !=
	       MAP_NONE;
}

static void quicken(const struct finding_polls *finding, size_t index, enum doubt doubt,
		    struct edits *edits)
{
	const struct trace_call *call = &finding->model->trace->calls[index];
	const struct quiet *quiet = quiet_of(finding, index);
	int64_t own_ns = doubt == DOUBT_KEEP ? quiet->most_ns : quiet->mean_ns;

	if (own_ns < call->end_ns - call->start_ns)
		edits_set_call_time(edits, finding->model, call, own_ns);
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	struct finding_polls finding = find_polls(model);
	struct map by_first = {0};

	for (size_t i = 0; finding.spins.next && i < count; i++) {
		map_add(&by_first, (uint64_t)(instances[i].call - model->trace->calls), i);
		drop_queries(model, &finding.spins, &instances[i], edits);
	}
	for (size_t i = 0; finding.spins.count && i < model->trace->call_count; i++)
		if (is_beside(&finding, i, &by_first))
			quicken(&finding, i, doubt, edits);
	map_free(&by_first);
	free_polls(&finding);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	int64_t calls = (int64_t)instance->spin.calls;
	struct format slow, quiet;

	(void)model;
	snprintf(text, size,
		 "%zu calls of %s in a row; beside them %zu calls of other threads took "
		 "%s each, and take %s at other times",
		 instance->spin.queries, instance->call->form->function->name, instance->spin.calls,
		 format_time(&slow, instance->spin.calls_ns / calls),
		 format_time(&quiet, instance->spin.quiet_ns / calls));
}

const struct detector detector_busy_poll = {
	.id = "busy-poll",
	.title = "A thread queries an event again and again, and slows the launches of others",
	.fix = "Wait with cudaEventSynchronize() for an event created with cudaEventBlockingSync: "
	       "the "
	       "thread sleeps until then. Where it must poll, sleep between the queries.",
	.cost = "polling",
	.find = find,
	.apply = apply,
	.describe = describe,
};
