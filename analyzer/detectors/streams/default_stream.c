/*
 * WHAT: work in the legacy default stream runs alone: it waits for all blocking streams of the
 *   context, and they wait for it.
 * EVIDENCE: an operation was enqueued, there was room for it on its engine and what it needs was
 *   done, yet it started only when an operation on the other side of that barrier had ended.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a kernel in the default stream that needs the copies before it in other streams:
 *   such waits count as true dependences and are not reported.
 */
#include "base/memory.h"
#include "detectors/detector.h"

#include <stdio.h>

#define FIX_OF_LINES                                                                               \
	"Create the other streams with cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking). Or "  \
	"launch into the stream of the data, here and at the other lines that use the default "    \
	"stream: as long as one does, it stops the other streams."

/* With several lines one alone can be mended without any gain. */
static void note_lines(struct instances *found, size_t first)
{
	const struct trace_site *site = NULL;
	bool has_lines = false;

	for (size_t i = first; i < found->count; i++) {
		if (i > first)
			has_lines |= found->items[i].site_call->form->site != site;
		site = found->items[i].site_call->form->site;
	}
	for (size_t i = first; has_lines && i < found->count; i++)
		found->items[i].fix = FIX_OF_LINES;
}

static void find_default_stream_waits(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	size_t first = found->count;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		const struct trace_operation *operation = item->operation;
		const struct trace_operation *cause =
			model_blocker_at(model, item->barrier).operation;
		struct model_wait wait = model_delay_by_barrier(model, item);
		bool is_in_default = operation->form->stream->flag == STREAM_NULL;

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
	note_lines(found, first);
}

static bool is_default(const struct model *model, const struct edits *edits, uint32_t stream)
{
	const struct trace *trace = model->trace;

	return (stream < trace->stream_count
			? trace->streams[stream].flag
			: edits->added.items[stream - trace->stream_count].flag) == STREAM_NULL;
}

/* The stream that the work of a default stream gets for itself. */
static uint32_t own_stream(const struct model *model, struct map *own, uint32_t stream,
			   struct edits *edits)
{
	size_t found = map_find(own, stream);

	if (found == MAP_NONE) {
		found = edits_add_stream(edits, model, stream, STREAM_NON_BLOCKING);
		map_add(own, stream, found);
	}
	return (uint32_t)found;
}

/* Moves all that the lines enqueue in the default stream to the stream of its data, or without data
 * to a new stream; also what other lines enqueue there, if that is part of the fix. */
static void fix_default_stream_waits(const struct observed *observed,
				     const struct instance *instances, size_t count,
				     enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	struct map sites = {0}, own = {0};
	bool has_lines = false;

	for (size_t i = 0; i < count; i++) {
		map_add(&sites, (uintptr_t)instances[i].site_call->form->site, i);
		has_lines |= instances[i].fix != NULL;
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		uint32_t stream = (uint32_t)(operation->form->stream - model->trace->streams), data;
		uint32_t stream_of_data = 0;
		bool is_found;

		if (operation->form->stream->flag != STREAM_NULL || !operation->call)
			continue;
		is_found = map_find(&sites, (uintptr_t)operation->call->form->site) != MAP_NONE;
		if (!is_found && (!has_lines || edits_stream_of(edits, model, i) != stream))
			continue;
		data = is_found ? detector_source_of_data(model, &model->operations[i])
				: UINT32_MAX;
		if (data != UINT32_MAX)
			stream_of_data = edits_stream_of(edits, model, data);
		edits_move(edits, model, i,
			   data != UINT32_MAX && !is_default(model, edits, stream_of_data)
				   ? stream_of_data
				   : own_stream(model, &own, stream, edits));
	}
	map_free(&own);
	map_free(&sites);
}

static void describe_default_stream(const struct observed *observed,
				    const struct instance *instance, char *text, size_t size)
{
	char waiter[160], cause[160], waiter_stream[32], cause_stream[32];

	snprintf(text, size, "%s in %s waited for %s in %s",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_stream(instance->operation, waiter_stream, sizeof(waiter_stream)),
		 describe_cause(observed->model, instance->cause, cause, sizeof(cause)),
		 describe_stream(instance->cause, cause_stream, sizeof(cause_stream)));
}

/* The default stream, which the operation is in, or what it waited for. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_stream *stream = instance->operation->form->stream;

	if (stream->flag != STREAM_NULL && instance->cause)
		stream = instance->cause->form->stream;
	return cause_of_pair(CAUSE_STREAM, stream->context_id, stream->id);
}

const struct detector detector_default_stream = {
	.id = "default-stream",
	.title = "Work in the legacy default stream serializes with all blocking streams",
	.fix = "Launch into the stream of the data: kernel<<<grid, block, 0, stream>>>(). Or "
	       "create the other streams with cudaStreamCreateWithFlags(&s, "
	       "cudaStreamNonBlocking).",
	.cost = "delayed",
	.find = find_default_stream_waits,
	.apply = fix_default_stream_waits,
	.cause = cause_of,
	.describe = describe_default_stream,
};
