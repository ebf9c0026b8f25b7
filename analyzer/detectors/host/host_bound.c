/*
 * WHAT: the host prepares each batch by itself, between its calls, while the GPU has nothing to do.
 * EVIDENCE: before most calls of one line, and at least four times, the host's thread was busy for
 *   100 us and more without a call. The GPU was idle for a part of it because the next work was not
 *   enqueued yet, and that was a copy to the device: of what the host had prepared, and not of what
 *   NCCL sets up for itself. No result came back from the GPU since the time before.
 * COST: the time in which the GPU was idle.
 * FALSE POSITIVES: the fix lets other threads or processes do this work for the next batches
 *   while this thread enqueues the current one and waits for it: it relies on the work not needing
 *   what this thread does then. Results that were seen to come back before the work count as
 *   needed by it, and by that for later batches, unless they are seen not to have been touched
 *   (streamtrace run --first-use). The low end is for one worker. The estimate is for the fewest
 *   workers that bring nine tenths of what any number does, each with a processor of its own and
 *   as fast as the thread was alone; the host's memory bounds their batches, which the trace does
 *   not know. A thread that waits for another one, or sleeps, looks like one that works; where
 *   another thread made a call meanwhile, other than a query, it counts as waiting. Shorter work
 *   costs less than handing it to another thread. What the host prepares in memory that the GPU
 *   reads without a copy is not found.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/search.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/launch_sequences.h"
#include "detectors/host/workers.h"
#include "replay/idle_pieces.h"
#include "replay/observed/polls.h"
#include "trace/collectives.h"

#include <stdio.h>
#include <stdlib.h>

/* The host's work before a call, with the idle time in it. */
struct work {
	const struct trace_call *since, *call;
	const struct trace_call *before; /* the call of this line and thread before it, or NULL */
	const struct trace_operation *operation;
	struct span idle; /* from the first idle piece to the last */
	int64_t idle_ns;
};

struct finding_work {
	const struct model *model;
	struct map by_call; /* to works */
	VECTOR(struct work) works;
	VECTOR(const struct trace_operation *) results; /* by their ends */
	uint32_t runs;					/* so far: struct host_work */
};

/* Whether another thread made a call meanwhile. A thread that only queries does no work for this
 * one. */
static bool is_handed_over(const struct trace *trace, int64_t start_ns,
			   const struct trace_call *call)
{
	const struct trace_call *other = call;
	size_t looked_at = 0;

	while (other > trace->calls && other[-1].start_ns >= start_ns) {
		other--;
		if (!polls_is_query(other) || ++looked_at == CALLS_MOST_LOOKED_AT)
			return true;
	}
	return false;
}

static void note_work(void *context, const struct idle_piece *piece)
{
	struct finding_work *finding = context;
	const struct trace *trace = finding->model->trace;
	size_t found;
	struct work *work;

	if (piece->cause != IDLE_HOST_WORK || !piece->from ||
	    piece->operation->form->engine != ENGINE_H2D ||
	    collective_is_call_of_nccl(piece->call) ||
	    piece->from->form->thread_id != piece->call->form->thread_id ||
	    piece->call->start_ns - piece->from->end_ns < SEQUENCE_WORK_NS)
		return;
	found = map_find(&finding->by_call, (uint64_t)(piece->call - trace->calls));
	if (found == MAP_NONE) {
		if (is_handed_over(trace, piece->from->end_ns, piece->call))
			return;
		map_add(&finding->by_call, (uint64_t)(piece->call - trace->calls),
			finding->works.count);
		*vector_add(&finding->works) =
			(struct work){.since = piece->from,
				      .call = piece->call,
				      .operation = piece->operation,
				      .idle = piece->span,
				      .idle_ns = piece->span.end_ns - piece->span.start_ns};
		return;
	}
	work = &finding->works.items[found];
	work->idle.start_ns = min_ns(work->idle.start_ns, piece->span.start_ns);
	work->idle.end_ns = max_ns(work->idle.end_ns, piece->span.end_ns);
	work->idle_ns += piece->span.end_ns - piece->span.start_ns;
}

static int compare_ends(const void *a, const void *b)
{
	const struct trace_operation *const *x = a, *const *y = b;

	return ((*x)->end_ns > (*y)->end_ns) - ((*x)->end_ns < (*y)->end_ns);
}

static void collect_results(struct finding_work *finding)
{
	const struct trace *trace = finding->model->trace;

	for (size_t i = 0; i < trace->operation_count; i++)
		if (model_result_bytes(finding->model, &trace->operations[i]))
			*vector_add(&finding->results) = &trace->operations[i];
	vector_sort(&finding->results, compare_ends);
}

/* Whether the host is seen not to have touched the result before the call. */
static bool is_untouched(const struct trace *trace, const struct trace_operation *result,
			 const struct trace_call *call)
{
	const struct trace_first_use *use = trace_first_use_of(trace, result);

	return use && use->wait && use->touch_ns >= call->start_ns &&
	       (trace_is_touch(use->kind) || use->kind == FIRST_USE_NEVER);
}

/* Whether the work can have needed a result that came back since the call. */
static bool can_need_result(const struct finding_work *finding, const struct work *work,
			    const struct trace_call *since)
{
	size_t low = search(finding->results.count, i,
			    finding->results.items[i]->end_ns <= since->start_ns);

	for (size_t i = low; i < finding->results.count; i++) {
		const struct trace_operation *result = finding->results.items[i];

		if (result->end_ns > work->call->start_ns)
			return false;
		if (i - low >= READ_MOST_RESULTS ||
		    !is_untouched(finding->model->trace, result, work->call))
			return true;
	}
	return false;
}

/* A line's calls in one thread. */
struct line {
	size_t times, calls; /* with work before them; in all so far */
	const struct trace_call *last;
	const struct trace_call *judged; /* the last one that is an instance, or NULL */
	uint32_t run;			 /* the run (struct host_work) of `judged` */
};

static uint64_t line_key(const struct trace *trace, const struct trace_call *call)
{
	uint64_t site = call->form->site ? (uint64_t)(call->form->site - trace->sites) + 1 : 0;

	return site << 32 | call->form->thread_id;
}

static size_t line_of(struct map *lines, const struct trace *trace, const struct trace_call *call)
{
	uint64_t key = line_key(trace, call);
	size_t line = map_find(lines, key);

	if (line == MAP_NONE) {
		line = lines->count;
		map_add(lines, key, line);
	}
	return line;
}

static void judge_work(struct finding_work *finding, const struct work *work, struct line *line,
		       struct instances *found)
{
	if (can_need_result(finding, work, work->before)) {
		instance_add_doubtful(found, finding->model->trace, work->idle.start_ns,
				      work->idle_ns);
		return;
	}
	if (!line->judged || can_need_result(finding, work, line->judged))
		line->run = finding->runs++;
	line->judged = work->call;
	instance_add(found, (struct instance){.span = work->idle,
					      .site_call = work->call,
					      .call = work->call,
					      .operation = work->operation,
					      .detail = INSTANCE_DETAIL(
						      struct host_work, work->since, work->before,
						      work->idle_ns, line->run, 1, 1)});
}

/* Of the lines with work: how many calls they have, and which came before each with work. */
static void count_calls(struct finding_work *finding, const struct map *by_site, struct line *lines)
{
	const struct trace *trace = finding->model->trace;

	for (size_t i = 0; finding->works.count && i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t line = map_find(by_site, line_key(trace, call));
		size_t work = map_find(&finding->by_call, i);

		if (line == MAP_NONE)
			continue;
		if (work != MAP_NONE)
			finding->works.items[work].before = lines[line].last;
		lines[line].calls++;
		lines[line].last = call;
	}
}

static void judge_all(struct finding_work *finding, struct instances *found)
{
	const struct trace *trace = finding->model->trace;
	struct map by_site = {0};
	struct line *lines = memory_array(finding->works.count, sizeof(*lines));

	for (size_t i = 0; i < finding->works.count; i++)
		lines[line_of(&by_site, trace, finding->works.items[i].call)].times++;
	count_calls(finding, &by_site, lines);
	for (size_t i = 0; i < finding->works.count; i++) {
		const struct work *work = &finding->works.items[i];
		struct line *line = &lines[line_of(&by_site, trace, work->call)];

		if (work->before && line->times >= REPEAT_LEAST_TIMES &&
		    2 * line->times >= line->calls)
			judge_work(finding, work, line, found);
	}
	free(lines);
	map_free(&by_site);
}

static void find_host_bound_work(const struct observed *observed, struct instances *found)
{
	struct finding_work finding = {.model = observed->model};
	struct idle_walk *walk = idle_walk_create(observed);

	idle_walk_each(walk, IDLE_ALL_DEVICES, (struct span){0, INT64_MAX}, note_work, &finding);
	idle_walk_free(walk);
	collect_results(&finding);
	judge_all(&finding, found);
	workers_choose(observed, found);
	vector_free(&finding.results);
	vector_free(&finding.works);
	map_free(&finding.by_call);
}

static void fix_host_bound_work(const struct observed *observed, const struct instance *instances,
				size_t count, enum doubt doubt, struct edits *edits)
{
	workers_edit(observed->model, instances, count, doubt, SIZE_MAX, edits);
}

/* The largest number of workers of a line. */
static size_t usual_workers(const struct instance *instances, size_t count)
{
	size_t usual = 1;

	for (size_t i = 0; i < count; i++) {
		size_t workers = instance_detail(&instances[i], struct host_work).usual;

		usual = workers > usual ? workers : usual;
	}
	return usual;
}

/* False: the fix has no more workers. */
static bool prepare_by(const struct observed *observed, const struct instance *instances,
		       size_t count, size_t workers, struct edits *edits)
{
	workers_edit(observed->model, instances, count, DOUBT_WEIGH, workers, edits);
	return workers < usual_workers(instances, count);
}

static bool prepare_by_one(const struct observed *observed, const struct instance *instances,
			   size_t count, struct edits *edits)
{
	return prepare_by(observed, instances, count, 1, edits);
}

static bool prepare_by_two(const struct observed *observed, const struct instance *instances,
			   size_t count, struct edits *edits)
{
	return prepare_by(observed, instances, count, 2, edits);
}

static bool prepare_by_four(const struct observed *observed, const struct instance *instances,
			    size_t count, struct edits *edits)
{
	return prepare_by(observed, instances, count, 4, edits);
}

static void assume_workers(const struct instance *instances, size_t count, char *text, size_t size)
{
	size_t workers = usual_workers(instances, count);

	snprintf(text, size, "with %zu worker%s", workers, workers == 1 ? "" : "s");
}

static void describe_host_bound(const struct observed *observed, const struct instance *instance,
				char *text, size_t size)
{
	struct host_work own = instance_detail(instance, struct host_work);
	struct format work, idle;

	(void)observed;
	snprintf(text, size, "host busy for %s between %s and %s; GPU idle for %s of it",
		 format_time(&work, instance->call->start_ns - own.since->end_ns),
		 own.since->form->function->name, instance->call->form->function->name,
		 format_time(&idle, own.idle_ns));
}

const struct detector detector_host_bound = {
	.id = "host-bound",
	.title = "The GPU waits while the host prepares the next work between its calls",
	.fix = "Prepare the next batches in other threads, into buffers of their own, while this "
	       "thread enqueues the current one. That must not need what this thread does "
	       "meanwhile.",
	.cost = "GPU idle",
	.low_end = "one worker ahead may be all that the machine has room for",
	.pointers = {DETAIL_POINTER(struct host_work, since),
		     DETAIL_POINTER_ANYWHERE(struct host_work, before)},
	.doubt = "the host may prepare the next batch from results that came back before",
	.find = find_host_bound_work,
	.apply = fix_host_bound_work,
	.ways = {{"with 1 worker", prepare_by_one},
		 {"with 2 workers", prepare_by_two},
		 {"with 4 workers", prepare_by_four}},
	.assume = assume_workers,
	.describe = describe_host_bound,
};
