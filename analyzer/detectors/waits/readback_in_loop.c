/*
 * WHAT: each step of a loop copies a few bytes to the host and waits for them (a loss, a norm, a
 *   residual: tensor.item(), float(x)). The device is idle then until the host has enqueued more.
 * EVIDENCE: a copy to the host of a page at most, made by the same line again and again; for most of
 *   them one by one the host waited in the call or in the synchronize right after it, or in another
 *   thread until a host function told it that the copy was done; and what was enqueued from one such
 *   copy to the next was mostly the same, down to the numbers that the kernels were given, so that
 *   the value decided nothing in between.
 * COST: the host's time from the copy's call to the end of the copy, or of the host function.
 * FALSE POSITIVES: a value that decides when the loop ends, or what few of a step's kernels are
 *   told. The low end keeps every read. What the host does around a
 *   read by itself can belong to it or not: the high end leaves that out, too. Where another thread
 *   makes the copy the waiting thread's own work is at most what the shortest read has beside the
 *   other thread's calls: the estimate takes half of that. Many reads in a row, with nothing enqueued
 *   between them, are tiny-copies.
 */
#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/copy_runs.h"
#include "detectors/evidence/launch_sequences.h"
#include "detectors/waits/readbacks.h"

#include <stdio.h>
#include <stdlib.h>

/* Of an instance: its call waited for the copy; the thread's calls around that. */
struct host_read {
	const struct trace_operation *copy;
	const struct trace_call *before; /* before the copy's call, or NULL */
	const struct trace_call *next;	 /* behind the instance's call, or NULL */
	/* Where another thread read: its first call for that; what told the host that the copy was
	 * done. The host waited before the instance's call. */
	const struct trace_call *first;
	const struct trace_host_function *told;
};

static struct host_read read_of(const struct instance *instance)
{
	return instance_detail(instance, struct host_read);
}

static int64_t gap_ns(const struct trace_call *before, const struct trace_call *call)
{
	return before && call ? max_ns(0, call->start_ns - before->end_ns) : 0;
}

static void take_readback(const struct readback *readback, struct instances *found)
{
	const struct trace_call *call = readback->copy->call, *waiter = readback->waiter;
	int64_t end_ns = readback->told ? readback->told->end_ns
					: min_ns(readback->copy->end_ns, waiter->end_ns);
	struct span whole = {
		min_ns(call->start_ns, readback->before ? readback->before->end_ns : INT64_MAX),
		readback->told	 ? waiter->start_ns
		: readback->next ? max_ns(readback->next->start_ns, waiter->end_ns)
				 : waiter->end_ns,
	};

	if (end_ns <= call->start_ns)
		return;
	instance_add(found,
		     (struct instance){.span = {call->start_ns, end_ns},
				       .reach = whole,
				       .reach_of_both = whole,
				       .site_call = readback->told ? readback->before : call,
				       .call = waiter,
				       .operation = readback->copy,
				       .is_doubtful = true,
				       .cause = readback->copy,
				       .detail = INSTANCE_DETAIL(struct host_read, readback->copy,
								 readback->before, readback->next,
								 readback->first, readback->told)});
}

/* By line, how many of its copies were waited for one by one: the last of several that a wait is for is
 * no reason for it. */
static size_t *count_waits(const struct readbacks *readbacks)
{
	size_t *waits = memory_array(readbacks->lines.count, sizeof(*waits));

	for (size_t i = 0; i < readbacks->all.count; i++)
		waits[readbacks->all.items[i].line] += readbacks->all.items[i].waiter != NULL;
	return waits;
}

static void find_readbacks_in_loop(const struct observed *observed, struct instances *found)
{
	struct readbacks readbacks = readbacks_find(observed->model);
	struct copy_runs runs = copy_runs_find(observed);
	size_t *waits = count_waits(&readbacks);

	for (size_t i = 0; i < readbacks.all.count; i++) {
		const struct readback *readback = &readbacks.all.items[i];
		const struct readback_line *line = &readbacks.lines.items[readback->line];

		if (readback->waiter && line->count >= LOOP_LEAST_STEPS &&
		    (double)line->equal_count >= READBACK_EQUAL_SHARE * (double)line->count &&
		    waits[readback->line] * 2 >= line->count &&
		    !copy_runs_have(&runs, observed->model, readback->copy))
			take_readback(readback, found);
	}
	free(waits);
	copy_runs_free(&runs);
	readbacks_free(&readbacks);
}

/* The host's own work around reads. */
struct work {
	int64_t before_ns, behind_ns; /* medians; frameworks do no more for a call than this */
	int64_t least_ns;	      /* of reads by another thread: the least of both together */
};

static struct work work_around(const struct instance *instances, size_t count)
{
	int64_t *before = memory_array(count, sizeof(*before));
	int64_t *behind = memory_array(count, sizeof(*behind));
	struct work work = {.least_ns = INT64_MAX};
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		const struct trace_call *call = instances[i].call;
		struct host_read read = read_of(&instances[i]);

		if (read.told) {
			work.least_ns =
				min_ns(work.least_ns,
				       gap_ns(read.before, read.first) +
					       max_ns(0, call->start_ns - read.told->end_ns));
			continue;
		}
		before[known] = gap_ns(read.before, read.copy->call);
		behind[known++] = gap_ns(call, read.next);
	}
	work.before_ns = min_ns(median_ns(before, known), SEQUENCE_WORK_NS);
	work.behind_ns = min_ns(median_ns(behind, known), SEQUENCE_WORK_NS);
	free(before);
	free(behind);
	return work;
}

/* So much of the work between the two calls. */
static void leave_out(const struct model *model, const struct trace_call *before,
		      const struct trace_call *call, int64_t work_ns, struct edits *edits)
{
	edits_set_work(edits, model, call, max_ns(0, gap_ns(before, call) - work_ns));
}

/* The copy is not made, nor the calls for it. */
static void drop_read(const struct model *model, const struct instance *instance,
		      const struct work *work, enum doubt doubt, struct edits *edits)
{
	struct host_read read = read_of(instance);
	const struct trace_call *copy = read.copy->call;

	edits_drop_operation(edits, model, instance->operation);
	edits_drop_call(edits, model, copy);
	if (instance->call != copy) {
		/* What the host does between the two calls is a part of the read, too. */
		edits_drop_call(edits, model, instance->call);
		edits_drop_work(edits, model, instance->call);
	}
	if (doubt != DOUBT_DROP)
		return;
	if (read.before)
		leave_out(model, read.before, copy, work->before_ns, edits);
	if (read.next)
		leave_out(model, instance->call, read.next, work->behind_ns, edits);
}

/* A pass over all calls that takes reads out of the threads that make them. */
struct taking_out {
	const struct model *model;
	struct edits *edits;
	struct map begins; /* first calls to instances */
	struct map groups; /* whose thread reads: to instances, SIZE_MAX - 1 for none */
	bool *is_out;	   /* by index in trace.calls */
};

#define NO_READ (SIZE_MAX - 1)

/* Passes a call of the reading thread, from its first on, until another thread enqueues
 * something. */
static void pass_call(struct taking_out *taking, const struct instance *instances, size_t index)
{
	const struct model *model = taking->model;
	const struct trace_call *call = &model->trace->calls[index];
	uint32_t group = model->thread_groups[index];
	size_t begun = map_find(&taking->begins, index), at;

	if (begun != MAP_NONE)
		map_set(&taking->groups, group, begun);
	at = map_find(&taking->groups, group);
	if (at == MAP_NONE || at == NO_READ)
		return;
	if (call->form->thread_id != read_of(&instances[at]).first->form->thread_id) {
		if (call->operation)
			map_set(&taking->groups, group, NO_READ);
		return;
	}
	if (call->operation && !readbacks_is_copy(call))
		return;
	if (call->operation)
		edits_drop_operation(taking->edits, model, call->operation);
	edits_drop_call(taking->edits, model, call);
	edits_set_work(taking->edits, model, call, 0);
	if (begun != MAP_NONE)
		edits_work_ahead(taking->edits, model, call, read_of(&instances[at]).before);
	taking->is_out[index] = true;
}

/* One that stays still begins when the waiting thread asks for it. */
static void keep_read(const struct model *model, const struct instance *instance,
		      struct edits *edits)
{
	const struct trace_call *before = read_of(instance).before;
	const struct trace_call *first = read_of(instance).first;

	edits_set_work(edits, model, first, gap_ns(before, first));
	edits_work_ahead(edits, model, first, before);
}

static void take_out(const struct model *model, const struct instance *instances, size_t count,
		     struct edits *edits)
{
	const struct trace *trace = model->trace;
	struct taking_out taking = {.model = model, .edits = edits};

	for (size_t i = 0; i + 1 < count; i++)
		if (read_of(&instances[i]).told)
			map_set(&taking.begins,
				(uint64_t)(read_of(&instances[i]).first - trace->calls), i);
	if (taking.begins.count) {
		taking.is_out = memory_array(trace->call_count, sizeof(*taking.is_out));
		for (size_t i = 0; i < trace->call_count; i++)
			pass_call(&taking, instances, i);
		for (size_t i = 0; i < trace->host_function_count; i++) {
			const struct trace_host_function *function = &trace->host_functions[i];

			if (function->call && taking.is_out[function->call - trace->calls])
				edits_drop_host_function(edits, model, function);
		}
	}
	if (taking.begins.count && read_of(&instances[count - 1]).told)
		keep_read(model, &instances[count - 1], edits);
	free(taking.is_out);
	map_free(&taking.groups);
	map_free(&taking.begins);
}

/* Neither the copy nor the wait for it is there. The last read stays, which a later pass can have
 * found once more, and with DOUBT_KEEP all do. */
static void fix_readbacks_in_loop(const struct observed *observed, const struct instance *instances,
				  size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct work work;

	if (doubt == DOUBT_KEEP)
		return;
	work = work_around(instances, count);
	take_out(model, instances, count, edits);
	for (size_t i = 0; i + 1 < count; i++) {
		const struct instance *instance = &instances[i];

		if (instance->operation == instances[count - 1].operation)
			continue;
		if (read_of(instance).told)
			edits_set_work(edits, model, instance->call,
				       doubt == DOUBT_DROP ? 0 : work.least_ns / 2);
		else
			drop_read(model, instance, &work, doubt, edits);
	}
}

static void describe_readback_in_loop(const struct observed *observed,
				      const struct instance *instance, char *text, size_t size)
{
	char copy[160];
	struct format blocked;

	describe_operation(observed->model, instance->operation, copy, sizeof(copy));
	snprintf(text, size, "the host waited %s for %s%s",
		 format_time(&blocked, instance->span.end_ns - instance->span.start_ns), copy,
		 read_of(instance).told ? " of another thread" : "");
}

const struct detector detector_readback_in_loop = {
	.id = "readback-in-loop",
	.title = "The host reads a small result back in each step and waits for it",
	.fix = "Keep the value on the device and read it once every n steps; or copy it to pinned "
	       "memory with cudaMemcpyAsync(), and look at it a step later behind an event.",
	.cost = "blocked",
	.pointers = {DETAIL_POINTER(struct host_read, copy),
		     DETAIL_POINTER(struct host_read, before),
		     DETAIL_POINTER(struct host_read, next),
		     DETAIL_POINTER(struct host_read, first),
		     DETAIL_POINTER_ANYWHERE(struct host_read, told)},
	.find = find_readbacks_in_loop,
	.apply = fix_readbacks_in_loop,
	.describe = describe_readback_in_loop,
};
