/*
 * WHAT: a thread launches more than the launch queue takes, about a thousand, and only then enqueues
 *   work for another stream, which could have run meanwhile.
 * EVIDENCE: a launch lasted until an earlier operation had ended, with the queue full between the
 *   two. Before it waited for anything, its thread enqueued an operation in another stream, whose
 *   engine was free and which needed nothing that ended later than such a launch began.
 * COST: the time that the launches were blocked.
 * FALSE POSITIVES: an operation in the other stream that uses what the host makes in between.
 */
#include "base/memory.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"

#include <stdio.h>
#include <stdlib.h>

#define NO_INDEX UINT32_MAX

/* A thread, during a pass over the calls from the end: the operation that it enqueued next, and the
 * next one in another stream than that, by index in trace.operations; and when its next call began. */
struct upcoming {
	uint32_t next, other;
	int64_t start_ns;
};

struct passing {
	const struct observed *observed;
	struct map threads; /* to an index in `upcoming` */
	VECTOR(struct upcoming) upcoming;
	uint32_t *items; /* by index in trace.operations: that in model.operations */
};

static int64_t blocked_ns(const struct observed *observed, const struct trace_call *call)
{
	return call->operation && call->form->function->class == CLASS_LAUNCH
		       ? evidence_of(observed->evidence, call).split.queue_ns
		       : 0;
}

static bool is_any_blocked(const struct observed *observed)
{
	const struct trace *trace = observed->model->trace;
	size_t i = 0;

	while (i < trace->call_count && !blocked_ns(observed, &trace->calls[i]))
		i++;
	return i < trace->call_count;
}

static bool is_sync(const struct trace_call *call)
{
	enum function_class class = call->form->function->class;

	return class == CLASS_DEVICE_SYNC || class == CLASS_STREAM_SYNC ||
	       class == CLASS_EVENT_SYNC;
}

static struct upcoming *upcoming_of(struct passing *passing, const struct trace_call *call)
{
	uint32_t thread = call->form->thread_id;

	if (map_add(&passing->threads, thread, passing->upcoming.count))
		*vector_add(&passing->upcoming) = (struct upcoming){NO_INDEX, NO_INDEX, INT64_MAX};
	return &passing->upcoming.items[map_find(&passing->threads, thread)];
}

static bool is_in_stream(const struct passing *passing, uint32_t operation,
			 const struct trace_stream *stream)
{
	return operation != NO_INDEX &&
	       passing->observed->model->trace->operations[operation].form->stream == stream;
}

static void pass_call(struct passing *passing, const struct trace_call *call)
{
	const struct trace *trace = passing->observed->model->trace;
	struct upcoming *upcoming;

	if (!call->operation && !is_sync(call))
		return;
	upcoming = upcoming_of(passing, call);
	upcoming->start_ns = call->start_ns;
	if (is_sync(call)) {
		upcoming->next = upcoming->other = NO_INDEX;
		return;
	}
	if (!is_in_stream(passing, upcoming->next, call->operation->form->stream))
		upcoming->other = upcoming->next;
	upcoming->next = (uint32_t)(call->operation - trace->operations);
}

/* What its thread could have enqueued in another stream while the launch was blocked; NULL: nothing. */
static const struct trace_operation *held_back(struct passing *passing,
					       const struct trace_call *call, struct span blocked)
{
	const struct model *model = passing->observed->model;
	const struct upcoming *upcoming = upcoming_of(passing, call);
	bool is_next = !is_in_stream(passing, upcoming->next, call->operation->form->stream);
	uint32_t index = is_next ? upcoming->next : upcoming->other;
	const struct model_operation *item;
	struct span free;

	if (index == NO_INDEX)
		return NULL;
	item = &model->operations[passing->items[index]];
	free = model_room_within(model, item, blocked);
	return free.end_ns > free.start_ns ? item->operation : NULL;
}

static void judge_launch(struct passing *passing, const struct trace_call *call,
			 struct instances *found)
{
	int64_t queue_ns = blocked_ns(passing->observed, call);
	struct span blocked = {call->start_ns, call->start_ns + queue_ns};
	const struct trace_operation *held = queue_ns ? held_back(passing, call, blocked) : NULL;

	if (held)
		instance_add(
			found,
			(struct instance){
				.span = blocked,
				/* All that the thread does meanwhile could come later. */
				.reach = {call->start_ns, upcoming_of(passing, call)->start_ns},
				.site_call = call,
				.call = call,
				.operation = held,
				.cause = evidence_of(passing->observed->evidence, call).cause,
			});
}

static void find_full_queues(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	const struct trace *trace = model->trace;
	struct passing passing = {.observed = observed};

	if (trace->stream_count < 2 || !is_any_blocked(observed))
		return;
	passing.items = memory_array(trace->operation_count, sizeof(*passing.items));
	for (size_t i = 0; i < model->operation_count; i++)
		passing.items[model->operations[i].operation - trace->operations] = (uint32_t)i;
	for (size_t i = trace->call_count; i-- > 0;) {
		judge_launch(&passing, &trace->calls[i], found);
		pass_call(&passing, &trace->calls[i]);
	}
	free(passing.items);
	vector_free(&passing.upcoming);
	map_free(&passing.threads);
}

/* Nor is what comes first blocked by the queue. */
static void fix_full_queues(const struct observed *observed, const struct instance *instances,
			    size_t count, enum doubt doubt, struct edits *edits)
{
	const struct trace_call *held;

	(void)doubt;
	for (size_t i = 0; i < count; i++) {
		held = instances[i].operation->call;
		edits_drop_wait(edits, observed->model, instances[i].call);
		if (evidence_of(observed->evidence, held).split.queue_ns > 0)
			edits_drop_wait(edits, observed->model, held);
	}
}

static void describe_queue_full(const struct observed *observed, const struct instance *instance,
				char *text, size_t size)
{
	char call[400], held[160], stream[32];

	snprintf(text, size, "%s; then %s was enqueued in %s",
		 describe_call(observed, instance->call, call, sizeof(call)),
		 describe_operation(observed->model, instance->operation, held, sizeof(held)),
		 describe_stream(instance->operation, stream, sizeof(stream)));
}

const struct detector detector_queue_full = {
	.id = "queue-full",
	.title = "A full launch queue keeps the host from feeding another stream",
	.fix = "Enqueue the other stream's work before the long run of launches, or from a thread "
	       "of its own. Or launch the run as a CUDA graph: one launch instead of thousands.",
	.cost = "blocked",
	.find = find_full_queues,
	.apply = fix_full_queues,
	.describe = describe_queue_full,
};
