#include "replay/building.h"

#include "base/memory.h"

void building_add_edge(struct building *building, task_index from, task_index to, int64_t lag_ns)
{
	if (from == NO_TASK)
		return;
	building->edges =
		memory_grow(building->edges, building->edge_count,
			    &building->timeline->memory->edge_capacity, sizeof(*building->edges));
	building->edges[building->edge_count++] = (struct schedule_edge){from, to, lag_ns};
}

task_index building_add_task(struct building *building, struct schedule_task task)
{
	building->tasks =
		memory_grow(building->tasks, building->task_count,
			    &building->timeline->memory->task_capacity, sizeof(*building->tasks));
	building->tasks[building->task_count] = task;
	return (task_index)building->task_count++;
}

task_index building_join(struct building *building, task_index first, task_index second)
{
	task_index task;

	if (first == NO_TASK || first == second)
		return second;
	if (second == NO_TASK)
		return first;
	task = building_add_task(building, (struct schedule_task){.engine = SCHEDULE_JOIN});
	building_add_edge(building, first, task, 0);
	building_add_edge(building, second, task, 0);
	return task;
}

static struct passing_context *context_of(struct building *building, uint32_t id)
{
	for (size_t i = 0; i < building->context_count; i++)
		if (building->contexts[i].id == id)
			return &building->contexts[i];
	building->contexts[building->context_count] =
		(struct passing_context){.id = id, .legacy = NO_TASK};
	return &building->contexts[building->context_count++];
}

void building_add_streams(struct building *building)
{
	const struct trace *trace = building_trace(building);
	size_t added = building->edits ? building->edits->added_count : 0;

	building->streams = memory_array(trace->stream_count + added, sizeof(*building->streams));
	building->contexts = memory_array(trace->stream_count, sizeof(*building->contexts));
	for (size_t i = 0; i < trace->stream_count; i++)
		building->streams[i] = (struct passing_stream){
			.order = NO_TASK,
			.last = NO_TASK,
			.context = context_of(building, trace->streams[i].context_id),
			.flag = trace->streams[i].flag};
	for (size_t i = 0; i < added; i++) {
		const struct edit_stream *edit = &building->edits->added[i];
		struct passing_stream *parent = &building->streams[edit->parent];

		building->streams[trace->stream_count + i] =
			(struct passing_stream){.order = NO_TASK,
						.last = NO_TASK,
						.sibling = parent->sibling,
						.context = parent->context,
						.flag = edit->flag};
		parent->sibling = (uint32_t)(trace->stream_count + i);
	}
}

/* One task for all that the default stream waits for. */
static task_index join_blocking(struct building *building, struct passing_context *context)
{
	task_index task;

	if (!context->blocking_count)
		return NO_TASK;
	if (context->blocking_count == 1)
		return context->blocking[0];
	task = building_add_task(building, (struct schedule_task){.engine = SCHEDULE_JOIN});
	for (size_t i = 0; i < context->blocking_count; i++)
		building_add_edge(building, context->blocking[i], task, 0);
	context->blocking[0] = task;
	context->blocking_count = 1;
	return task;
}

task_index building_barrier(struct building *building, const struct passing_stream *stream)
{
	if (stream->flag == STREAM_NULL)
		return join_blocking(building, stream->context);
	return stream->flag == STREAM_BLOCKING ? stream->context->legacy : NO_TASK;
}

/* Something new in the stream for the other side to wait for; an operation of the default stream
 * has waited for the blocking ones itself. */
void building_extend_barrier(struct building *building, const struct passing_stream *stream,
			     task_index task, bool is_operation)
{
	struct passing_context *context = stream->context;

	if (stream->flag == STREAM_BLOCKING) {
		context->blocking =
			memory_grow(context->blocking, context->blocking_count,
				    &context->blocking_capacity, sizeof(*context->blocking));
		context->blocking[context->blocking_count++] = task;
	}
	if (stream->flag != STREAM_NULL)
		return;
	context->legacy = is_operation ? task : building_join(building, context->legacy, task);
	if (is_operation)
		context->blocking_count = 0;
}
