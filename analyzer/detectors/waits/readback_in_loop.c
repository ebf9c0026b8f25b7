/*
 * WHAT: each step of a loop copies a few bytes to the host and waits for them (a loss, a norm, a
 *   residual: tensor.item(), float(x)). The device is idle then until the host has enqueued more.
 * EVIDENCE: a copy to the host of a page at most, made by the same line again and again; for most of
 *   them one by one the host waited: in the call, in a synchronize after it or right before it, or in
 *   another thread until a host function told it that the copy was done; and what was enqueued from
 *   one such copy to the next was mostly the same, but for sizes, or down to the numbers that the
 *   kernels were given: but for a count, and for floating-point numbers, which can be the value and
 *   which kernels can read on the device. Lines that read in turn, in each step, are one finding: without one of them
 *   the next one waits.
 * COST: the host's time from the copy's call, or the synchronize before it, to the end of the copy or
 *   of the host function. Where the copy comes before other work of the step: in the synchronize
 *   behind that.
 * FALSE POSITIVES: a value that decides when the loop ends, or what few of a step's kernels are
 *   told. The low end keeps every read: in its step, or a step late where the next step enqueued
 *   and told the same as the one before. The price says what is saved where one read in ten
 *   stays, and where all stay but are waited for a step late. The host's own time before and
 *   behind a read can belong to it or not: the shorter one does, up to what the host takes
 *   between two other calls of the step, for a framework does as much for each; the high end
 *   leaves out both. Where another thread makes the copy the waiting thread's own work is at
 *   most what the shortest read has beside the other thread's calls: the estimate takes half of
 *   that. Many reads in a row, with nothing enqueued between them, are tiny-copies; a line whose reads
 *   mostly come before launches that upload their graph is graph-launch-gap's.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/copy_runs.h"
#include "detectors/evidence/graph_uploads.h"
#include "detectors/evidence/launch_sequences.h"
#include "detectors/waits/host_reads.h"
#include "detectors/waits/readback_ways.h"
#include "detectors/waits/readbacks.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When the host waited. */
static struct span span_of(const struct readback *readback)
{
	const struct trace_call *call = readback->copy->call, *waiter = readback->waiter;

	if (readback->is_behind_others)
		return (struct span){waiter->start_ns, waiter->end_ns};
	return (struct span){readback->awaited ? readback->awaited->start_ns : call->start_ns,
			     readback->told ? readback->told->end_ns
					    : min_ns(readback->copy->end_ns, waiter->end_ns)};
}

/* With the work of the host around it. */
static struct span reach_of(const struct readback *readback, struct span span)
{
	const struct trace_call *waiter = readback->waiter;

	return (struct span){
		min_ns(span.start_ns, readback->before && !readback->is_behind_others
					      ? readback->before->end_ns
					      : INT64_MAX),
		readback->told	 ? waiter->start_ns
		: readback->next ? max_ns(readback->next->start_ns, waiter->end_ns)
				 : waiter->end_ns,
	};
}

static void take_readback(const struct readback *readback, const struct readback_line *line,
			  struct instances *found)
{
	struct span span = span_of(readback), reach = reach_of(readback, span);
	struct host_read read = {readback->copy,
				 readback->before,
				 readback->next,
				 readback->awaited,
				 readback->first,
				 readback->told,
				 line->loop,
				 readback->between_ns,
				 readback->is_behind_others,
				 readback->is_undecided,
				 line->value_count * 2 > line->equal_count};

	if (span.end_ns <= span.start_ns)
		return;
	instance_add(found,
		     (struct instance){
			     .span = span,
			     .reach = reach,
			     .reach_of_both = reach,
			     .site_call = readback->told ? readback->before : readback->copy->call,
			     .call = readback->waiter,
			     .operation = readback->copy,
			     .is_doubtful = true,
			     .cause = readback->copy,
			     .takes_other_fix = line->sized_count * 2 > line->equal_count,
			     .detail = INSTANCE_DETAIL_OF(read),
		     });
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

/* By line, how many of its copies come right before a launch that graph-launch-gap finds: there the device
 * waits for an upload, whatever the host reads. */
static size_t *count_uploads(const struct observed *observed, const struct readbacks *readbacks)
{
	const struct trace_call *calls = observed->model->trace->calls;
	struct graph_uploads uploads = graph_uploads_find(observed);
	size_t *counts = memory_array(readbacks->lines.count, sizeof(*counts));
	struct map launches = {0};

	for (size_t i = 0; i < uploads.all.count; i++)
		map_set(&launches, (uint64_t)(uploads.all.items[i].call - calls), i);
	for (size_t i = 0; launches.count && i < readbacks->all.count; i++) {
		const struct readback *readback = &readbacks->all.items[i];

		if (readback->next &&
		    map_find(&launches, (uint64_t)(readback->next - calls)) != MAP_NONE)
			counts[readback->line]++;
	}
	map_free(&launches);
	graph_uploads_free(&uploads);
	return counts;
}

static void find_readbacks_in_loop(const struct observed *observed, struct instances *found)
{
	struct readbacks readbacks = readbacks_find(observed->model);
	struct copy_runs runs = copy_runs_find(observed);
	size_t *uploads = count_uploads(observed, &readbacks);
	size_t *waits = count_waits(&readbacks);

	for (size_t i = 0; i < readbacks.all.count; i++) {
		const struct readback *readback = &readbacks.all.items[i];
		const struct readback_line *line = &readbacks.lines.items[readback->line];

		if (readback->waiter && line->count >= LOOP_LEAST_STEPS &&
		    (double)line->equal_count >= READBACK_EQUAL_SHARE * (double)line->count &&
		    waits[readback->line] * 2 >= line->count &&
		    uploads[readback->line] * 2 <= line->count &&
		    !copy_runs_have(&runs, observed->model, readback->copy))
			take_readback(readback, line, found);
	}
	free(waits);
	free(uploads);
	copy_runs_free(&runs);
	readbacks_free(&readbacks);
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
	if (call->form->thread_id != host_read_of(&instances[at]).first->form->thread_id) {
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
		edits_work_ahead(taking->edits, model, call, host_read_of(&instances[at]).before);
	taking->is_out[index] = true;
}

/* One that stays still begins when the waiting thread asks for it. */
static void keep_read(const struct model *model, const struct instance *instance,
		      struct edits *edits)
{
	const struct trace_call *before = host_read_of(instance).before;
	const struct trace_call *first = host_read_of(instance).first;

	edits_set_work(edits, model, first, host_read_gap_ns(before, first));
	edits_work_ahead(edits, model, first, before);
}

static void take_out(const struct model *model, const struct instance *instances, size_t count,
		     struct edits *edits)
{
	const struct trace *trace = model->trace;
	struct taking_out taking = {.model = model, .edits = edits};

	for (size_t i = 0; i + 1 < count; i++)
		if (host_read_of(&instances[i]).told)
			map_set(&taking.begins,
				(uint64_t)(host_read_of(&instances[i]).first - trace->calls), i);
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
	if (taking.begins.count && host_read_of(&instances[count - 1]).told)
		keep_read(model, &instances[count - 1], edits);
	free(taking.is_out);
	map_free(&taking.groups);
	map_free(&taking.begins);
}

/* Neither the copy nor the wait for it is there. The last read stays, which a later pass can have
 * found once more, and with DOUBT_KEEP all do: those that decided nothing come a step late. */
static void fix_readbacks_in_loop(const struct observed *observed, const struct instance *instances,
				  size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct host_read_work work;

	if (doubt == DOUBT_KEEP) {
		readback_ways_sure(observed, instances, count, edits);
		return;
	}
	work = host_read_work_around(instances, count);
	take_out(model, instances, count, edits);
	for (size_t i = 0; i + 1 < count; i++) {
		const struct instance *instance = &instances[i];

		if (instance->operation == instances[count - 1].operation)
			continue;
		if (host_read_of(instance).told)
			edits_set_work(edits, model, instance->call,
				       doubt == DOUBT_DROP ? 0 : work.least_ns / 2);
		else
			host_read_drop(model, instance, &work, doubt, edits);
	}
}

static struct cause loop_of_readback(const struct model *model, const struct instance *instance)
{
	(void)model;
	return cause_of_pair(CAUSE_LOOP, 0, host_read_of(instance).loop);
}

/* Which call goes with the copy's, and where it is. */
static void describe_since(const struct model *model, const struct trace_call *call, char *text,
			   size_t size)
{
	struct site site = site_describe(model->trace, call->form->site, NULL);
	const char *slash = site.file ? strrchr(site.file, '/') : NULL;
	char line[64] = "";

	if (site.file)
		snprintf(line, sizeof(line), " (%.32s:%d)", slash ? slash + 1 : site.file,
			 site.line);
	snprintf(text, size, ", from %s%s on,", call->form->function->name, line);
}

static void describe_readback_in_loop(const struct observed *observed,
				      const struct instance *instance, char *text, size_t size)
{
	struct host_read read = host_read_of(instance);
	char copy[160], since[128] = "";
	struct format blocked;

	describe_operation(observed->model, instance->operation, copy, sizeof(copy));
	if (read.awaited)
		describe_since(observed->model, read.awaited, since, sizeof(since));
	snprintf(text, size, "the host waited %s%s for %s%s",
		 format_time(&blocked, instance->span.end_ns - instance->span.start_ns), since,
		 copy, read.told ? " of another thread" : "");
}

/* Of sizes and of values for kernels; else the advice says it. */
static bool price_of_readback(const struct model *model, const struct instance *instances,
			      size_t count, int64_t saved_ns, char *text, size_t size)
{
	(void)model;
	(void)saved_ns;
	if (readback_ways_has(instances, count) || host_read_of(&instances[0]).told)
		return false;
	snprintf(text, size, "%s",
		 instances[0].takes_other_fix
			 ? "memory for the largest size, and blocks that find nothing to do"
			 : "the kernel computes from the value what the host computes; the host "
			   "sees "
			   "it when the loop is over");
	return true;
}

const struct detector detector_readback_in_loop = {
	.id = "readback-in-loop",
	.title = "The host reads a small result back in each step and waits for it",
	.fix = "Keep the value on the device, where kernels can read it, and read it once every n "
	       "steps; or let the device decide, in a conditional graph node; or copy it to pinned "
	       "memory with cudaMemcpyAsync(), and look at it a step later behind an event.",
	.other_fix =
		"Launch for the largest size that can be, and let the kernels read the real one "
		"on the device; or launch from the device. Where the host knows the size, use "
		"that.",
	.cost = "blocked",
	.low_end =
		"a value that the host needs in its own step stays where it is, others are read a "
		"step late",
	.pointers = {DETAIL_POINTER(struct host_read, copy),
		     DETAIL_POINTER(struct host_read, before),
		     DETAIL_POINTER(struct host_read, next),
		     DETAIL_POINTER(struct host_read, awaited),
		     DETAIL_POINTER(struct host_read, first),
		     DETAIL_POINTER_ANYWHERE(struct host_read, told)},
	.find = find_readbacks_in_loop,
	.apply = fix_readbacks_in_loop,
	.cause = loop_of_readback,
	.ways = {{"read each 10th time", readback_ways_rarely},
		 {"read one step late", readback_ways_late},
		 {"decided by a conditional graph node", readback_ways_conditional}},
	.way_of_all = "never read",
	.describe = describe_readback_in_loop,
	.price = price_of_readback,
};
