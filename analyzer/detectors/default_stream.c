/*
 * WHAT: work in the legacy default stream runs alone: it waits for all blocking streams of the
 *   context, and they wait for it.
 * EVIDENCE: an operation was enqueued, its engine was free and what it needs was done, yet it
 *   started only when an operation on the other side of that barrier had ended.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a kernel in the default stream that needs the copies before it in other streams:
 *   such waits count as true dependences and are not reported.
 */
#include "detectors/detector.h"

#include "base/memory.h"

#include <stdio.h>

static void find(const struct model *model, struct instances *found)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_operation *operation = item->operation;
		const struct trace_operation *cause = item->barrier.operation;
		struct model_wait wait = model_delay_by_barrier(model, item);
		bool is_in_default = operation->stream->flag == STREAM_NULL;

		const struct trace_call *call =
			is_in_default || !cause ? operation->call : cause->call;

		/* The line to change is the one that used the default stream, where it is known. */
		if (call && wait.span.end_ns > wait.span.start_ns)
			instance_add(found, (struct instance){.span = wait.span,
							      .reach = wait.reach,
							      .reach_of_both = wait.reach_of_both,
							      .site_call = call,
							      .operation = operation,
							      .cause = cause});
	}
}

/* All that the lines enqueue in the default stream moves to the stream of its data, or, with none,
 * to one of its own. */
static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	const struct trace *trace = model->trace;
	struct map sites = {0};
	uint32_t own = UINT32_MAX;

	for (size_t i = 0; i < count; i++)
		map_add(&sites, (uintptr_t)instances[i].site_call->site, i);
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		uint32_t data = detector_source_of_data(model, &model->operations[i]);

		if (operation->stream->flag != STREAM_NULL || !operation->call ||
		    map_find(&sites, (uintptr_t)operation->call->site) == MAP_NONE)
			continue;
		if (data != UINT32_MAX) {
			edits->streams[i] = edits->streams[data];
			continue;
		}
		if (own == UINT32_MAX)
			own = edits_add_stream(edits, model,
					       (uint32_t)(operation->stream - trace->streams),
					       STREAM_NON_BLOCKING);
		edits->streams[i] = own;
	}
	map_free(&sites);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char waiter[160], cause[160], waiter_stream[32], cause_stream[32];

	snprintf(text, size, "%s in %s waited for %s in %s",
		 describe_operation(model, instance->operation, waiter, sizeof(waiter)),
		 describe_stream(instance->operation, waiter_stream, sizeof(waiter_stream)),
		 describe_cause(model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, cause_stream, sizeof(cause_stream)));
}

const struct detector detector_default_stream = {
	.id = "default-stream",
	.title = "Work in the legacy default stream serializes with all blocking streams",
	.fix = "Launch into the stream of the data: kernel<<<grid, block, 0, stream>>>(). Or "
	       "create the "
	       "other streams with cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking).",
	.cost = "delayed",
	.find = find,
	.apply = apply,
	.describe = describe,
};
