/*
 * WHAT: a pipeline of several streams has one buffer: what fills it waits, by an event, until an
 *   earlier operation has read what was there before.
 * EVIDENCE: an operation was enqueued, there was room for it on its engine and all that it reads was
 *   there; yet it started only when an event had let it go, and the operation that this event stood
 *   for had read or written the memory that it writes: a write after a read, or after a write.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a buffer for which the device has not enough memory twice.
 */
#include "base/memory.h"
#include "base/vector.h"
#include "detectors/detector.h"

#include <stdio.h>
#include <stdlib.h>

/* The streams at the current step of a pass over all steps. */
struct passing {
	const struct trace *trace;
	/* By index in trace.streams: the waits since its last operation, as a list; indexes in
	 * trace.event_waits plus one, 0 ends it. */
	uint32_t *pending;
	uint32_t *next;	 /* in that list, by index in trace.event_waits */
	struct map last; /* of a kind of wait, the last of it */
	uint32_t *
		earlier; /* by index in trace.event_waits: the one of its kind before it, plus one */
};

static struct passing begin_passing(const struct trace *trace)
{
	return (struct passing){
		.trace = trace,
		.pending = memory_array(trace->stream_count, sizeof(uint32_t)),
		.next = memory_array(trace->event_wait_count, sizeof(uint32_t)),
		.earlier = memory_array(trace->event_wait_count, sizeof(uint32_t)),
	};
}

static void end_passing(struct passing *passing)
{
	map_free(&passing->last);
	free(passing->earlier);
	free(passing->next);
	free(passing->pending);
}

static uint32_t stream_index(const struct passing *passing, const struct trace_stream *stream)
{
	return (uint32_t)(stream - passing->trace->streams);
}

/* A key for waits of one line between the same two streams: a loop makes them, for the buffer's
 * former use. */
static uint64_t kind_of(const struct passing *passing, const struct trace_event_wait *wait)
{
	uintptr_t site = wait->waiting ? (uintptr_t)wait->waiting->form->site : 0;

	return (uint64_t)site << 16 ^
	       (uint64_t)stream_index(passing, wait->waiter) * UINT64_C(0x9e3779b97f4a7c15) ^
	       stream_index(passing, wait->recorder);
}

static void pass_wait(struct passing *passing, uint32_t index)
{
	const struct trace_event_wait *wait = &passing->trace->event_waits[index];
	uint32_t stream = stream_index(passing, wait->waiter);
	uint64_t kind = kind_of(passing, wait);
	size_t before = map_find(&passing->last, kind);

	passing->earlier[index] = before == MAP_NONE ? 0 : (uint32_t)before + 1;
	map_set(&passing->last, kind, index);
	passing->next[index] = passing->pending[stream];
	passing->pending[stream] = index + 1;
}

/* The stream's last wait, since its last operation, for the stream of `cause`; NULL: none. */
static const struct trace_event_wait *wait_for(const struct passing *passing,
					       const struct trace_operation *operation,
					       const struct trace_operation *cause)
{
	uint32_t i = passing->pending[stream_index(passing, operation->form->stream)];

	while (i && passing->trace->event_waits[i - 1].recorder != cause->form->stream)
		i = passing->next[i - 1];
	return i ? &passing->trace->event_waits[i - 1] : NULL;
}

/* Hands over each operation, with the waits before it in passing. */
static void pass_operations(const struct model *model,
			    void (*take)(struct passing *passing,
					 const struct model_operation *item, void *context),
			    void *context)
{
	struct passing passing = begin_passing(model->trace);
	size_t item = 0;

	for (size_t i = 0; i < model->step_count; i++) {
		const struct model_place *step = &model->steps[i];

		if (step->kind == STEP_WAIT) {
			if (!trace_is_graph_wait(&model->trace->event_waits[step->index]))
				pass_wait(&passing, step->index);
		} else if (step->kind == STEP_OPERATION) {
			const struct model_operation *operation = &model->operations[item++];

			take(&passing, operation, context);
			passing.pending[stream_index(&passing,
						     operation->operation->form->stream)] = 0;
		}
	}
	end_passing(&passing);
}

struct finding_waits {
	const struct model *model;
	struct instances *found;
};

static void judge_operation(struct passing *passing, const struct model_operation *item,
			    void *context)
{
	const struct finding_waits *finding = context;
	struct model_wait wait = model_delay_by_reuse(finding->model, item);
	const struct trace_operation *cause;

	if (wait.span.end_ns <= wait.span.start_ns)
		return;
	cause = model_last_in(finding->model, item->reuses);
	if (cause && wait_for(passing, item->operation, cause))
		instance_add(finding->found, (struct instance){.span = wait.span,
							       .reach = wait.reach,
							       .reach_of_both = wait.reach_of_both,
							       .site_call = item->operation->call,
							       .operation = item->operation,
							       .cause = cause});
}

static void find_single_buffers(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct finding_waits finding = {model, found};

	if (model->trace->event_wait_count && model->trace->arguments_count)
		pass_operations(model, judge_operation, &finding);
}

struct editing {
	const struct model *model;
	struct edits *edits;
	struct map waiting; /* operations of the instances, to their causes */
};

/* With one buffer more it waits for what its event stood for one time earlier. */
static void add_buffer(struct passing *passing, const struct model_operation *item, void *context)
{
	const struct editing *editing = context;
	const struct trace *trace = editing->model->trace;
	size_t cause = map_find(&editing->waiting, (uint64_t)(item->operation - trace->operations));
	const struct trace_event_wait *wait;
	uint32_t earlier;

	if (cause == MAP_NONE)
		return;
	wait = wait_for(passing, item->operation, &trace->operations[cause]);
	if (!wait)
		return;
	earlier = passing->earlier[wait - trace->event_waits];
	edits_wait_for_earlier(editing->edits, editing->model, wait,
			       earlier ? &trace->event_waits[earlier - 1] : NULL);
	edits_double_buffer(editing->edits, editing->model, item->operation);
}

static void fix_single_buffers(const struct observed *observed, const struct instance *instances,
			       size_t count, enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct editing editing = {.model = model, .edits = edits};

	(void)doubt;
	for (size_t i = 0; i < count; i++)
		map_add(&editing.waiting, (uint64_t)(instances[i].operation - trace->operations),
			(size_t)(instances[i].cause - trace->operations));
	pass_operations(model, add_buffer, &editing);
	map_free(&editing.waiting);
}

static void describe_single_buffer(const struct observed *observed, const struct instance *instance,
				   char *text, size_t size)
{
	char waiter[160], cause[160], stream[32];

	snprintf(text, size, "%s waited for %s in %s, which still used the same buffer",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, stream, sizeof(stream)));
}

const struct detector detector_single_buffer = {
	.id = "single-buffer",
	.title = "Streams take turns because they share one buffer",
	.fix = "Allocate a second buffer, with events of its own, and use buffers[i % 2]: one is "
	       "filled while the other is read.",
	.cost = "delayed",
	.find = find_single_buffers,
	.apply = fix_single_buffers,
	.describe = describe_single_buffer,
};
