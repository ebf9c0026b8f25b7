/*
 * WHAT: independent copies and kernels in one stream: it runs them one after the other.
 * EVIDENCE: an operation was enqueued, its engine was free and what it needs was done, yet it
 *   started only when the operation before it in its stream, on another engine, had ended.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a copy into a buffer that an earlier kernel still reads: independent in its
 * data, but a fix needs a second buffer (the fix says so when the copies share their target).
 */
#include "detectors/detector.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void find(const struct model *model, struct instances *found)
{
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		struct model_wait wait = model_delay_by_stream(model, item);

		if (wait.span.end_ns > wait.span.start_ns)
			instance_add(found,
				     (struct instance){.span = wait.span,
						       .reach = wait.reach,
						       .reach_of_both = wait.reach_of_both,
						       .site_call = item->operation->call,
						       .operation = item->operation,
						       .cause = item->stream.operation,
						       .takes_other_fix = item->reuses_buffer});
	}
}

/* The fix's streams for one stream's chunks: itself and the added ones. */
#define FIX_STREAMS 4

/* As the stream itself: one that the default stream's barrier exempts stays exempt. */
static enum stream_flag kind_of_added(const struct trace_operation *operation)
{
	return operation->stream->flag == STREAM_NON_BLOCKING ? STREAM_NON_BLOCKING
							      : STREAM_BLOCKING;
}

/* Each operation that waited without need begins a chunk; chunks go round the streams. */
static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	struct map begins = {0}, streams = {0}; /* operations; streams to their index in `rings` */
	struct ring {
		uint32_t streams[FIX_STREAMS];
		size_t chunk;
		uint32_t before; /* where another finding's fix put the operation before */
	} *rings = memory_array(count, sizeof(*rings));

	for (size_t i = 0; i < count; i++) {
		uint32_t stream =
			(uint32_t)(instances[i].operation->stream - model->trace->streams);

		/* Two copies into one buffer: a second one is part of the fix, but not for sure. */
		if (doubt != DOUBT_KEEP || !instances[i].takes_other_fix)
			map_add(&begins,
				(uint64_t)(instances[i].operation - model->trace->operations), i);
		if (!map_add(&streams, stream, i))
			continue;
		rings[i].streams[0] = rings[i].before = stream;
		for (int k = 1; k < FIX_STREAMS; k++)
			rings[i].streams[k] = edits_add_stream(
				edits, model, stream, kind_of_added(instances[i].operation));
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		size_t ring =
			map_find(&streams, (uint64_t)(operation->stream - model->trace->streams));

		if (ring == MAP_NONE)
			continue;
		/* A chunk that another finding's fix begins stays one. */
		rings[ring].chunk +=
			map_find(&begins, (uint64_t)(operation - model->trace->operations)) !=
				MAP_NONE ||
			edits->streams[i] != rings[ring].before;
		rings[ring].before = edits->streams[i];
		edits->streams[i] = rings[ring].streams[rings[ring].chunk % FIX_STREAMS];
		if (doubt != DOUBT_KEEP)
			edits_double_buffer(edits, model, operation);
	}
	free(rings);
	map_free(&streams);
	map_free(&begins);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char waiter[160], holder[160], stream[32];

	snprintf(text, size, "%s waited for %s ahead of it in %s",
		 describe_operation(model, instance->operation, waiter, sizeof(waiter)),
		 describe_cause(model, instance->cause, holder, sizeof(holder)),
		 describe_stream(instance->operation, stream, sizeof(stream)));
}

const struct detector detector_serial_stream = {
	.id = "serial-stream",
	.title = "Independent copies and kernels are serialized in one stream",
	.fix = "Spread the chunks over streams[i % 4] from cudaStreamCreate(): the copy of one "
	       "chunk "
	       "then overlaps with the kernel of another.",
	.other_fix =
		"Spread the chunks over streams[i % 4] from cudaStreamCreate(), each with its own "
		"device buffer: these copies all write to the same one.",
	.cost = "delayed",
	.find = find,
	.apply = apply,
	.describe = describe,
};
