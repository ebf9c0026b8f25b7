/*
 * The hardware queues of an edited replay.
 *
 * A context has as many as CUDA_DEVICE_MAX_CONNECTIONS says: 8, or 1 to 32. Streams beyond that
 * share them, and a kernel then starts no earlier than the one that was enqueued before it in its
 * queue, whatever stream that is in: a false dependence (CUDA C++ Programming Guide, environment
 * variables). Copies wait in queues of their engines, and these keep their order anyway.
 *
 * Without edits there is nothing to add: what queues did to the run is in its times. A stream of
 * the trace has the queue that its kernels came through (operations.channel_id); one that the edits
 * add, or of which the trace does not say, gets the next one in turn.
 */
#include "base/memory.h"
#include "model/queues.h"
#include "replay/schedule/building.h"

#include <stdlib.h>

enum { DEFAULT_CONNECTIONS = 8 };
#define NO_QUEUE UINT32_MAX

/* Of a context, during the pass over its streams. */
struct connecting {
	size_t stream_count;	/* with kernels */
	uint32_t channel_count; /* that the trace shows */
	uint32_t queue_count;	/* there are */
	uint32_t next;		/* the turn of the next stream */
};

struct sharing {
	struct building *building;
	bool *has_kernels;   /* by stream, as edited */
	uint32_t *channels;  /* by stream of the trace */
	struct map contexts; /* id to index in connecting */
	struct map numbers;  /* of a context's index and a channel, its number */
	struct map queues;   /* of a context's index and a queue's number, its index */
	struct connecting *connecting;
};

/* 8 where the program did not ask for another number, or the trace does not say. */
static uint32_t connection_count(const struct trace *trace)
{
	const char *text = trace_metadata(trace, "cuda_device_max_connections");
	long count = text ? strtol(text, NULL, 10) : 0;

	return count >= 1 && count <= QUEUES_LIMIT ? (uint32_t)count : DEFAULT_CONNECTIONS;
}

static bool is_queued(const struct trace_operation *operation)
{
	return operation->form->engine == ENGINE_COMPUTE;
}

static size_t context_of(const struct sharing *sharing, size_t stream)
{
	const struct trace *trace = building_trace(sharing->building);
	const struct edits *edits = sharing->building->edits;
	size_t own = stream < trace->stream_count
			     ? stream
			     : edits->added.items[stream - trace->stream_count].parent;

	return map_find(&sharing->contexts, trace->streams[own].context_id);
}

static uint64_t key_of(size_t context, uint32_t number)
{
	return (uint64_t)context << 32 | number;
}

static void note_streams(struct sharing *sharing)
{
	const struct building *building = sharing->building;
	const struct trace *trace = building_trace(building);
	const struct model *model = building->timeline->model;

	for (size_t i = 0; i < trace->stream_count; i++) {
		map_add(&sharing->contexts, trace->streams[i].context_id, sharing->contexts.count);
		sharing->channels[i] = NO_CHANNEL;
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		uint32_t *channel = &sharing->channels[operation->form->stream - trace->streams];

		if (!is_queued(operation))
			continue;
		sharing->has_kernels[edits_stream_of(building->edits, model, i)] = true;
		if (*channel == NO_CHANNEL)
			*channel = operation->form->channel_id;
	}
}

static void count_queues(struct sharing *sharing)
{
	const struct building *building = sharing->building;
	const struct trace *trace = building_trace(building);

	sharing->connecting = memory_array(sharing->contexts.count, sizeof(*sharing->connecting));
	for (size_t i = 0; i < building->order.stream_count; i++) {
		size_t context = context_of(sharing, i);
		struct connecting *connecting = &sharing->connecting[context];

		connecting->stream_count += sharing->has_kernels[i];
		if (i < trace->stream_count && sharing->channels[i] != NO_CHANNEL)
			connecting->channel_count +=
				map_add(&sharing->numbers, key_of(context, sharing->channels[i]),
					connecting->channel_count);
	}
	for (size_t i = 0; i < sharing->contexts.count; i++) {
		struct connecting *connecting = &sharing->connecting[i];

		connecting->queue_count = connection_count(trace);
		if (connecting->queue_count < connecting->channel_count)
			connecting->queue_count = connecting->channel_count;
		connecting->next = connecting->channel_count;
	}
}

/* In its context. */
static uint32_t queue_number(struct sharing *sharing, size_t stream, size_t context)
{
	struct connecting *connecting = &sharing->connecting[context];

	if (stream < building_trace(sharing->building)->stream_count &&
	    sharing->channels[stream] != NO_CHANNEL)
		return (uint32_t)map_find(&sharing->numbers,
					  key_of(context, sharing->channels[stream]));
	return connecting->next++ % connecting->queue_count;
}

static void assign_queues(struct sharing *sharing)
{
	struct building *building = sharing->building;
	size_t count = building->order.stream_count;

	building->queues = memory_array(count, sizeof(*building->queues));
	for (size_t i = 0; i < count; i++) {
		size_t context = context_of(sharing, i);
		const struct connecting *connecting = &sharing->connecting[context];
		uint64_t key;

		building->queues[i] = NO_QUEUE;
		if (!sharing->has_kernels[i] || connecting->stream_count <= connecting->queue_count)
			continue;
		key = key_of(context, queue_number(sharing, i, context));
		map_add(&sharing->queues, key, sharing->queues.count);
		building->queues[i] = (uint32_t)map_find(&sharing->queues, key);
	}
	building->queued = memory_array(sharing->queues.count, sizeof(*building->queued));
	for (size_t i = 0; i < sharing->queues.count; i++)
		building->queued[i] = NO_TASK;
}

void building_init_queues(struct building *building)
{
	struct sharing sharing = {.building = building};

	if (!building->edits || !building->edits->added.count)
		return;
	sharing.has_kernels =
		memory_array(building->order.stream_count, sizeof(*sharing.has_kernels));
	sharing.channels =
		memory_array(building_trace(building)->stream_count, sizeof(*sharing.channels));
	note_streams(&sharing);
	count_queues(&sharing);
	assign_queues(&sharing);
	free(sharing.connecting);
	map_free(&sharing.queues);
	map_free(&sharing.numbers);
	map_free(&sharing.contexts);
	free(sharing.channels);
	free(sharing.has_kernels);
}

void building_free_queues(struct building *building)
{
	free(building->queued);
	free(building->queues);
}

task_index building_enqueue(struct building *building, size_t index, uint32_t stream)
{
	const struct trace_operation *operation =
		building->timeline->model->operations[index].operation;
	task_index before;

	if (!is_queued(operation) || building->queues[stream] == NO_QUEUE)
		return NO_TASK;
	before = building->queued[building->queues[stream]];
	building->queued[building->queues[stream]] = building_task_of(building, index);
	return before;
}
