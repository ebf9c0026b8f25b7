/*
 * WHAT: more streams than hardware queues: kernels and small copies of streams that share a queue start in
 *   the order in which they were enqueued, as if they depended on each other.
 * EVIDENCE: an operation was enqueued, there was room for it on its engine and what it needs and all before
 *   it in its stream was done; yet it started only when the one had started that was enqueued before
 *   it, in another stream, through the same hardware queue. Most of its delay was before that.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a kernel that the device held back for room that its occupancy does not show.
 */
#include "detectors/detector.h"
#include "model/queues.h"

#include <stdio.h>
#include <stdlib.h>

#define FIX_OF_ENVIRONMENT                                                                         \
	"Set CUDA_DEVICE_MAX_CONNECTIONS=32 in the environment before the first CUDA call: there " \
	"are 8 hardware queues by default. Or enqueue the streams' kernels in turn, instead of "   \
	"one stream's after the other's."

/* Whether the operation started because the other one had, and not because something later allowed
 * it. */
static bool is_explained(const struct trace_operation *operation, struct span span)
{
	return operation->start_ns - span.end_ns <= span.end_ns - span.start_ns;
}

static void judge_operation(const struct model *model, const struct model_operation *item,
			    const struct trace_operation *before, struct instances *found)
{
	const struct trace_operation *operation = item->operation;
	struct model_wait wait = model_delay_by_queue(model, item, before);

	if (wait.span.end_ns <= wait.span.start_ns || !is_explained(operation, wait.span))
		return;
	instance_add(found, (struct instance){.span = wait.span,
					      .reach = wait.reach,
					      .reach_of_both = wait.reach_of_both,
					      .site_call = operation->call,
					      .operation = operation,
					      .cause = before});
}

/* Asked for, or seen, as many as there can be: then only fewer streams help. */
static void note_connections(const struct model *model, const struct queues *queues,
			     struct instances *found, size_t first)
{
	const char *text = trace_metadata(model->trace, "cuda_device_max_connections");
	bool is_most = (text && strtol(text, NULL, 10) >= QUEUES_LIMIT) ||
		       queues_most_in_context(queues) >= QUEUES_LIMIT;

	for (size_t i = first; i < found->count; i++)
		found->items[i].takes_other_fix = is_most;
}

static void find_queue_aliases(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct queues queues = {.number = 0};
	size_t first = found->count;

	for (size_t i = 0; model->trace->stream_count > 1 && i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_operation *before = queues_pass(&queues, item->operation);

		if (before)
			judge_operation(model, item, before, found);
	}
	note_connections(model, &queues, found, first);
	queues_free(&queues);
}

static void fix_queue_aliases(const struct observed *observed, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits)
{
	(void)doubt;
	for (size_t i = 0; i < count; i++)
		edits_own_queue(edits, observed->model, instances[i].operation);
}

static void describe_queue_alias(const struct observed *observed, const struct instance *instance,
				 char *text, size_t size)
{
	char waiter[160], cause[160], waiter_stream[32], cause_stream[32];

	snprintf(text, size,
		 "%s in %s waited until %s in %s had started, ahead of it in hardware queue %u",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_stream(instance->operation, waiter_stream, sizeof(waiter_stream)),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, cause_stream, sizeof(cause_stream)),
		 instance->operation->form->channel_id);
}

/* The device's queues. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	return cause_of_pair(CAUSE_DEVICE, 0, instance->operation->form->device_id);
}

const struct detector detector_queue_alias = {
	.id = "queue-alias",
	.title = "Independent streams share a hardware queue",
	.fix = FIX_OF_ENVIRONMENT,
	.other_fix =
		"Use no more streams than there are hardware queues (32 at most), or enqueue the "
		"streams' kernels in turn instead of one stream after the other.",
	.cost = "delayed",
	.find = find_queue_aliases,
	.apply = fix_queue_aliases,
	.cause = cause_of,
	.describe = describe_queue_alias,
};
