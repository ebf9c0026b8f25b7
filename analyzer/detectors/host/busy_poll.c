/*
 * WHAT: a thread asks cudaEventQuery or cudaStreamQuery again and again until work is done, and
 *   slows other threads: queries take locks of the driver that launches need, too, and the thread
 *   keeps a processor that others are ready for.
 * EVIDENCE: queries of one event or stream in a row, at least one of which found work pending (a
 *   spin). For the locks: at least eight of them, with less time between them than in them, and
 *   launches of other threads during such spins took at least one and a half times as long as the
 *   same calls at other times, on the average of at least 32 calls each. For the processor: by what
 *   the kernel counted, the thread was awake for most of its spins, and other threads were ready to
 *   run without a processor meanwhile.
 * COST: the time of the spins. The fix gives the launches the time that they take otherwise, and
 *   the other threads what they waited for a processor, up to the processor time of the spins. The
 *   low end shortens only those launches that took longer than nine in ten of the others, and takes
 *   the thread to have slept in its spins, if anywhere; and where the traced threads used only a
 *   part of the processors, it gives back only as large a part. The thread still waits until the
 *   work is done.
 * FALSE POSITIVES: launches that take long for another reason at the same times, such as kernels
 *   whose launches are larger. Threads that wait for processors because of other programs, or of
 *   each other: the kernel counts one sum for each thread, which is spread over all its time
 *   between calls. Threads that make no calls are not seen. A spin beside which no one is slower is
 *   not reported: it costs a core that nobody needs, and reacts the fastest.
 */
#include "base/memory.h"
#include "base/thresholds.h"
#include "base/vector.h"
#include "detectors/detector.h"
#include "detectors/evidence/quiet_calls.h"
#include "detectors/host/busy_threads.h"
#include "detectors/host/spins.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

struct finding_polls {
	const struct observed *observed;
	struct busy_threads busy;
	struct spins spins;
	uint32_t *beside; /* by index in trace.calls: the spin, plus one; 0: none */
	struct quiet_calls quiet;
};

static bool is_busy(const void *context, uint32_t thread_id)
{
	return busy_threads_polls(context, thread_id);
}

static struct finding_polls find_polls(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	struct finding_polls finding = {.observed = observed, .busy = busy_threads_find(trace)};

	finding.spins = spins_find(trace, &(struct spins_busy){is_busy, &finding.busy});
	if (!finding.spins.count)
		return finding;
	finding.beside = spins_beside(&finding.spins, trace);
	finding.quiet = quiet_calls_measure(observed, finding.beside);
	return finding;
}

static void free_polls(struct finding_polls *finding)
{
	quiet_calls_free(&finding->quiet);
	free(finding->beside);
	spins_free(&finding->spins);
	busy_threads_free(&finding->busy);
}

/* Of an instance: a spin, from its call on. */
struct polling {
	const struct trace_call *last; /* of the thread's queries */
	size_t queries, calls;	       /* calls: of other threads, beside them */
	int64_t calls_ns, quiet_ns;    /* what those took; would take otherwise */
	int64_t taken_ns;	       /* that other threads waited for a processor */
};

/* The calls beside the spins, into theirs. */
static void note_slowed(const struct finding_polls *finding, struct polling *pollings)
{
	const struct trace *trace = finding->observed->model->trace;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct quiet *quiet = quiet_calls_of(&finding->quiet, i);
		struct polling *polling;

		if (!quiet)
			continue;
		polling = &pollings[finding->beside[i] - 1];
		polling->calls++;
		polling->calls_ns += trace->calls[i].end_ns - trace->calls[i].start_ns;
		polling->quiet_ns += quiet->mean_ns;
	}
}

static struct span span_of(const struct spin *spin)
{
	return (struct span){spin->first->start_ns, spin->last->end_ns};
}

/* What others waited for processors: how much of it beside which spin is not known. */
static void note_taken(const struct finding_polls *finding, struct polling *pollings)
{
	struct busy_spins spins = {0};
	double all_ns = 0, share;

	for (size_t i = 0; i < finding->spins.count; i++) {
		const struct spin *spin = &finding->spins.items[i];
		struct span span = span_of(spin);

		if (!busy_threads_polls(&finding->busy, spin->first->form->thread_id))
			continue;
		busy_spins_add(&spins, &finding->busy, spin->first->form->thread_id, span);
		all_ns += (double)(span.end_ns - span.start_ns);
	}
	busy_spins_end(&spins, &finding->busy);
	share = busy_spins_taken_ns(&spins, &finding->busy, DOUBT_WEIGH) / all_ns;
	for (size_t i = 0; share > 0 && i < finding->spins.count; i++) {
		const struct spin *spin = &finding->spins.items[i];
		struct span span = span_of(spin);

		if (busy_threads_polls(&finding->busy, spin->first->form->thread_id))
			pollings[i].taken_ns =
				(int64_t)((double)(span.end_ns - span.start_ns) * share);
	}
	busy_spins_free(&spins);
}

static void find_busy_polls(const struct observed *observed, struct instances *found)
{
	struct finding_polls finding = find_polls(observed);
	struct polling *pollings = memory_array(finding.spins.count, sizeof(*pollings));

	if (finding.spins.count) {
		note_slowed(&finding, pollings);
		note_taken(&finding, pollings);
	}
	for (size_t i = 0; i < finding.spins.count; i++) {
		const struct spin *spin = &finding.spins.items[i];

		if (!pollings[i].calls && !pollings[i].taken_ns)
			continue;
		pollings[i].last = spin->last;
		pollings[i].queries = spin->queries;
		instance_add(found, (struct instance){.span = span_of(spin),
						      .site_call = spin->first,
						      .call = spin->first,
						      .detail = INSTANCE_DETAIL_OF(pollings[i])});
	}
	free(pollings);
	free_polls(&finding);
}

/* The thread's queries go, but the last. What they waited for is still waited for; where that is
 * not known it lasts as long as it did. */
static void drop_queries(const struct observed *observed, const struct spins *spins,
			 const struct instance *instance, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace_call *calls = model->trace->calls;
	const struct trace_call *last = instance_detail(instance, struct polling).last;
	bool has_wait = evidence_has_wait(observed->evidence, last);
	size_t i = (size_t)(instance->call - calls);

	for (; spins->next[i]; i = spins->next[i]) {
		has_wait |= evidence_has_wait(observed->evidence, &calls[i]);
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

	if (!quiet_calls_of(&finding->quiet, call))
		return false;
	spin = &finding->spins.items[finding->beside[call] - 1];
	return map_find(by_first, (uint64_t)(spin->first -
					     finding->observed->model->trace->calls)) != MAP_NONE;
}

struct shortening {
	const struct model *model;
	struct edits *edits;
};

static void shorten_call(void *context, const struct trace_call *call, int64_t waited_ns)
{
	const struct shortening *shortening = context;

	edits_shorten_work(shortening->edits, shortening->model, call, waited_ns);
}

/* The processors go to those that were ready for one. */
static void give_processors(const struct finding_polls *finding, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits)
{
	struct shortening shortening = {finding->observed->model, edits};
	struct busy_spins spins = {0};

	for (size_t i = 0; i < count; i++)
		if (instance_detail(&instances[i], struct polling).taken_ns)
			busy_spins_add(&spins, &finding->busy, instances[i].call->form->thread_id,
				       instances[i].span);
	busy_spins_end(&spins, &finding->busy);
	busy_spins_each(&spins, &finding->busy, doubt, shorten_call, &shortening);
	busy_spins_free(&spins);
}

static void fix_busy_polls(const struct observed *observed, const struct instance *instances,
			   size_t count, enum doubt doubt, struct edits *edits)
{
	struct finding_polls finding = find_polls(observed);
	struct map by_first = {0};

	for (size_t i = 0; finding.spins.next && i < count; i++) {
		map_add(&by_first, (uint64_t)(instances[i].call - observed->model->trace->calls),
			i);
		drop_queries(observed, &finding.spins, &instances[i], edits);
	}
	for (size_t i = 0; finding.spins.count && i < observed->model->trace->call_count; i++)
		if (is_beside(&finding, i, &by_first))
			quiet_calls_quicken(&finding.quiet, i, doubt, edits);
	give_processors(&finding, instances, count, doubt, edits);
	map_free(&by_first);
	free_polls(&finding);
}

static void describe_busy_poll(const struct observed *observed, const struct instance *instance,
			       char *text, size_t size)
{
	struct polling polling = instance_detail(instance, struct polling);
	int64_t calls = (int64_t)polling.calls;
	struct format slow, quiet;

	(void)observed;
	if (polling.taken_ns > polling.calls_ns - polling.quiet_ns) {
		snprintf(text, size,
			 "%zu calls of %s in a row for %s; other threads waited about %s for "
			 "a processor meanwhile",
			 polling.queries, instance->call->form->function->name,
			 format_time(&slow, polling.last->end_ns - instance->call->start_ns),
			 format_time(&quiet, polling.taken_ns));
		return;
	}
	snprintf(text, size,
		 "%zu calls of %s in a row; beside them %zu calls of other threads took "
		 "%s each, and take %s at other times",
		 polling.queries, instance->call->form->function->name, polling.calls,
		 format_time(&slow, polling.calls_ns / calls),
		 format_time(&quiet, polling.quiet_ns / calls));
}

const struct detector detector_busy_poll = {
	.id = "busy-poll",
	.title = "A thread queries an event again and again, and slows other threads",
	.fix = "Wait with cudaEventSynchronize() for an event created with cudaEventBlockingSync: "
	       "the thread sleeps until then. Where it must poll, sleep between the queries.",
	.cost = "polling",
	.pointers = {DETAIL_POINTER(struct polling, last)},
	.find = find_busy_polls,
	.apply = fix_busy_polls,
	.describe = describe_busy_poll,
};
