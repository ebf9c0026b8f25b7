/*
 * A timeline with edits as a schedule: one pass over what happened, in order, with streams as the
 * edits have them.
 */
#include "replay/timeline_private.h"

#include "memory.h"
#include "minmax.h"

#include <stdlib.h>

#define NO_TASK UINT32_MAX

struct passing_context {
	uint32_t id;
	/* What the default stream's barrier makes the other side wait for. An operation of the
	 * default stream comes after the blocking ones before it, and so stands for them. Those
	 * are many, and mostly nothing comes that waits for them: they are joined then. */
	task_index legacy, *blocking;
	size_t blocking_count, blocking_capacity;
};

/* A stream as the pass has come to it; after the trace's come the added ones. */
struct passing_stream {
	task_index order; /* what its next operation runs after */
	task_index last;  /* its last operation */
	uint32_t sibling; /* the next added one with the same parent, 0 none */
	struct passing_context *context;
	enum stream_flag flag;
};

/* The tasks: a call's end each, then the model's nodes, then joins. */
struct building {
	const struct timeline *timeline;
	const struct edits *edits; /* NULL: none */
	struct schedule_task *tasks;
	struct schedule_edge *edges;
	size_t task_count, edge_count;
	struct passing_stream *streams;
	struct passing_context *contexts; /* room for one a stream of the trace */
	size_t context_count;
	task_index *snapshots;	    /* by event wait: what the event was recorded behind */
	task_index *host_functions; /* NO_TASK: without a stream */
	task_index *gates;	    /* by call: when its thread comes to it; 0 or NULL: no matter */
	uint32_t *moved;	    /* timeline_move_waits(); without edits not used */
	size_t next_wait;	    /* in timeline->waits */
};

static const struct trace *trace_of(const struct building *building)
{
	return building->timeline->model->trace;
}

static task_index node_task(const struct building *building, node_index node)
{
	return (task_index)(trace_of(building)->call_count + node);
}

static void add_edge(struct building *building, task_index from, task_index to, int64_t lag_ns)
{
	if (from == NO_TASK)
		return;
	building->edges =
		memory_grow(building->edges, building->edge_count,
			    &building->timeline->memory->edge_capacity, sizeof(*building->edges));
	building->edges[building->edge_count++] = (struct schedule_edge){from, to, lag_ns};
}

static task_index add_task(struct building *building, struct schedule_task task)
{
	building->tasks =
		memory_grow(building->tasks, building->task_count,
			    &building->timeline->memory->task_capacity, sizeof(*building->tasks));
	building->tasks[building->task_count] = task;
	return (task_index)building->task_count++;
}

static task_index join(struct building *building, task_index first, task_index second)
{
	task_index task;

	if (first == NO_TASK || first == second)
		return second;
	if (second == NO_TASK)
		return first;
	task = add_task(building, (struct schedule_task){.engine = SCHEDULE_JOIN});
	add_edge(building, first, task, 0);
	add_edge(building, second, task, 0);
	return task;
}

/* Without the wait that let the host touch what a copy brought, the copy must still be done by
 * then: the call that the touch came before starts so much later. */
static void add_touches(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = trace_of(building);

	if (!building->edits || !trace->first_use_count)
		return;
	building->gates = memory_array(trace->call_count, sizeof(*building->gates));
	for (size_t i = 0; i < trace->first_use_count; i++) {
		const struct trace_first_use *use = &trace->first_uses[i];
		task_index *gate;
		uint32_t place;

		if (!use->before || use->touch_ns < use->copy->end_ns)
			continue;
		gate = &building->gates[use->before - trace->calls];
		if (!*gate)
			*gate = add_task(building,
					 (struct schedule_task){.engine = SCHEDULE_NO_ENGINE});
		place = timeline->places[use->copy - trace->operations];
		add_edge(building, node_task(building, timeline->model->operations[place].node),
			 *gate, use->before->start_ns - use->touch_ns);
	}
}

/* From the call before, or from the beginning: so long after it; and after what the host touched.
 */
static void follow(struct building *building, const struct timeline_call *call, task_index task,
		   int64_t lag_ns)
{
	if (call->before == NO_CALL)
		building->tasks[task].earliest_ns = call->gap_ns + lag_ns;
	else
		add_edge(building, call->before, task, call->gap_ns + lag_ns);
	if (building->gates && building->gates[call - building->timeline->calls])
		add_edge(building, building->gates[call - building->timeline->calls], task, lag_ns);
}

static void add_calls(struct building *building)
{
	const struct timeline *timeline = building->timeline;

	for (size_t i = 0; i < trace_of(building)->call_count; i++) {
		bool is_gone = building->edits && building->edits->calls[i] & EDIT_GONE;

		building->tasks[i] = (struct schedule_task){.engine = SCHEDULE_NO_ENGINE};
		follow(building, &timeline->calls[i], (task_index)i,
		       is_gone ? 0 : timeline->calls[i].own_ns);
	}
}

/* The joins of true dependences. */
static void add_needs(struct building *building)
{
	const struct model *model = building->timeline->model;

	for (node_index i = 0; i < model->node_count; i++) {
		const struct model_node *node = &model->nodes[i];
		task_index task = node_task(building, i);

		building->tasks[task] = (struct schedule_task){.engine = SCHEDULE_JOIN};
		if (node->operation != NODE_IS_JOIN)
			continue;
		if (node->first != NODE_NONE)
			add_edge(building, node_task(building, node->first), task, 0);
		if (node->second != NODE_NONE)
			add_edge(building, node_task(building, node->second), task, 0);
	}
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

static void add_streams(struct building *building)
{
	const struct trace *trace = trace_of(building);
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
	task = add_task(building, (struct schedule_task){.engine = SCHEDULE_JOIN});
	for (size_t i = 0; i < context->blocking_count; i++)
		add_edge(building, context->blocking[i], task, 0);
	context->blocking[0] = task;
	context->blocking_count = 1;
	return task;
}

/* The other side of the barrier. */
static task_index barrier_of(struct building *building, const struct passing_stream *stream)
{
	if (stream->flag == STREAM_NULL)
		return join_blocking(building, stream->context);
	return stream->flag == STREAM_BLOCKING ? stream->context->legacy : NO_TASK;
}

/* Something new in the stream for the other side to wait for; an operation of the default stream
 * has waited for the blocking ones itself. */
static void extend_barrier(struct building *building, const struct passing_stream *stream,
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
	context->legacy = is_operation ? task : join(building, context->legacy, task);
	if (is_operation)
		context->blocking_count = 0;
}

static int64_t duration_of(const struct building *building, size_t index)
{
	const struct model *model = building->timeline->model;
	const struct trace_operation *operation = model->operations[index].operation;
	int64_t duration_ns = operation->end_ns - operation->start_ns, pinned_ns;
	struct copy_rate rate = model->pinned_copies[operation->engine];

	if (!building->edits || rate.bytes_per_ns <= 0 ||
	    !(building->edits->operations[operation - model->trace->operations] & EDIT_PIN))
		return duration_ns;
	pinned_ns = rates_copy_ns(rate, operation->size_bytes);
	return min_ns(pinned_ns, duration_ns);
}

/* The call that has to wait, as edited: the wait's own, the one that it moved to, or NO_CALL. */
static uint32_t waiter_of(struct building *building, const struct timeline_wait *wait)
{
	const struct edits *edits = building->edits;
	const struct timeline *timeline = building->timeline;
	uint8_t edit = edits ? edits->calls[wait->call] : 0;
	uint32_t place;

	if (!(edit & (EDIT_NO_WAIT | EDIT_NARROW)))
		return wait->call;
	if (!(edit & EDIT_NO_WAIT)) {
		place = timeline->places[edits->narrowed[wait->call]];
		add_edge(building, node_task(building, timeline->model->operations[place].node),
			 wait->call, wait->lag_ns);
	}
	return building->moved[wait->call];
}

/* The waits for the host function, from the first of those for operations behind them all. */
static void add_function_waits(struct building *building, uint32_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	uint32_t operation = (uint32_t)timeline->model->operation_count + index;
	size_t low = building->next_wait, high = timeline->wait_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (timeline->waits[middle].operation < operation)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < timeline->wait_count && timeline->waits[low].operation == operation; low++) {
		uint32_t waiter = waiter_of(building, &timeline->waits[low]);

		if (waiter != NO_CALL)
			add_edge(building, task, waiter, timeline->waits[low].lag_ns);
	}
}

/* The waits for the operation, and for all that is in its stream with it. */
static void add_waits(struct building *building, size_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	size_t place = (size_t)(timeline->model->operations[index].operation->stream -
				trace_of(building)->streams);

	for (; building->next_wait < timeline->wait_count &&
	       timeline->waits[building->next_wait].operation == index;
	     building->next_wait++) {
		const struct timeline_wait *wait = &timeline->waits[building->next_wait];
		uint32_t waiter = waiter_of(building, wait);

		if (waiter == NO_CALL)
			continue;
		add_edge(building, task, waiter, wait->lag_ns);
		if (!wait->is_of_stream || !building->edits)
			continue;
		add_edge(building, building->streams[place].last, waiter, wait->lag_ns);
		for (uint32_t i = building->streams[place].sibling; i;
		     i = building->streams[i].sibling)
			add_edge(building, building->streams[i].last, waiter, wait->lag_ns);
	}
}

static void add_operation(struct building *building, size_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct model_operation *place = &timeline->model->operations[index];
	const struct timeline_operation *row = &timeline->operations[index];
	const struct trace_operation *operation = place->operation;
	size_t before = (size_t)(operation->stream - trace_of(building)->streams);
	size_t now = building->edits ? building->edits->streams[index] : before;
	struct passing_stream *stream = &building->streams[now];
	task_index task = node_task(building, place->node);
	struct schedule_task *row_task = &building->tasks[task];

	*row_task = (struct schedule_task){.duration_ns = duration_of(building, index),
					   .release_ns = row->release_ns,
					   .engine = row->engine,
					   .share = row->share};
	if (row_task->duration_ns + row->release_ns < 0)
		row_task->release_ns = 0;
	if (operation->call)
		follow(building, &timeline->calls[operation->call - trace_of(building)->calls],
		       task, row->enqueue_lag_ns);
	else if (!row->has_order && !row->has_barrier && !row->has_needs)
		row_task->earliest_ns = operation->start_ns - timeline->origin_ns;
	if (row->has_order || now != before)
		add_edge(building, stream->order, task, row->order_lag_ns);
	if (row->has_barrier || now != before)
		add_edge(building, barrier_of(building, stream), task, row->order_lag_ns);
	if (row->has_needs)
		add_edge(building, node_task(building, place->needs), task, row->order_lag_ns);
	if (row->has_reuses && building->edits &&
	    !(building->edits->operations[operation - trace_of(building)->operations] &
	      EDIT_DOUBLE_BUFFER))
		add_edge(building, node_task(building, place->reuses), task, 0);
	stream->order = stream->last = task;
	extend_barrier(building, stream, task, true);
	add_waits(building, index, task);
}

static uint32_t host_engine(const struct timeline *timeline)
{
	return timeline->has_host_engine ? (uint32_t)(timeline->model->device_count * ENGINE_COUNT)
					 : SCHEDULE_NO_ENGINE;
}

static void add_host_function(struct building *building, uint32_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = trace_of(building);
	const struct trace_host_function *function = &trace->host_functions[index];
	const struct timeline_host_function *row = &timeline->host_functions[index];
	struct passing_stream *stream = &building->streams[function->stream - trace->streams];
	/* The run ends with the last call or operation: so does what is counted of this. */
	int64_t end_ns = min_ns(function->end_ns, timeline->end_ns);
	task_index task =
		add_task(building,
			 (struct schedule_task){.duration_ns = end_ns > function->start_ns
								       ? end_ns - function->start_ns
								       : 0,
						.engine = host_engine(timeline),
						.share = SCHEDULE_WHOLE});

	building->host_functions[index] = task;
	follow(building, &timeline->calls[function->call - trace->calls], task, row->lag_ns);
	if (row->has_order) {
		add_edge(building, stream->order, task, row->lag_ns);
		add_edge(building, barrier_of(building, stream), task, row->lag_ns);
	}
	add_function_waits(building, index, task);
	if (building->edits && building->edits->host_functions[index] & EDIT_TO_THREAD)
		return;
	stream->order = task;
	extend_barrier(building, stream, task, false);
}

static void record_event(struct building *building, uint32_t index)
{
	const struct trace *trace = trace_of(building);
	const struct passing_stream *stream =
		&building->streams[trace->event_waits[index].recorder - trace->streams];
	task_index behind = join(building, stream->order, barrier_of(building, stream));

	for (uint32_t i = stream->sibling; i; i = building->streams[i].sibling)
		behind = join(building, behind, building->streams[i].order);
	building->snapshots[index] = behind;
}

/* Which of an added stream's operations needed the event is not known: all wait. */
static void wait_for_event(struct building *building, uint32_t index)
{
	const struct trace *trace = trace_of(building);
	struct passing_stream *stream =
		&building->streams[trace->event_waits[index].waiter - trace->streams];
	task_index behind = building->snapshots[index];

	if (behind == NO_TASK)
		return;
	stream->order = join(building, stream->order, behind);
	for (uint32_t i = stream->sibling; i; i = building->streams[i].sibling)
		building->streams[i].order = join(building, building->streams[i].order, behind);
	extend_barrier(building, stream, behind, false);
}

static void add_steps(struct building *building)
{
	const struct timeline *timeline = building->timeline;

	for (size_t i = 0; i < timeline->step_count; i++) {
		const struct timeline_step *step = &timeline->steps[i];

		if (step->kind == STEP_OPERATION)
			add_operation(building, timeline->places[step->index]);
		else if (step->kind == STEP_RECORD)
			record_event(building, step->index);
		else if (step->kind == STEP_HOST_FUNCTION)
			add_host_function(building, step->index);
		else
			wait_for_event(building, step->index);
	}
}

/* The tasks with engines in the order of the trace. */
static const task_index *given_order(const struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;
	size_t count = 0,
	       functions = timeline->has_host_engine ? model->trace->host_function_count : 0;
	task_index *given = room_take(&timeline->memory->given, model->operation_count + functions,
				      sizeof(*given));

	for (; count < model->operation_count; count++)
		given[count] = node_task(building, model->operations[timeline->given[count]].node);
	for (size_t i = 0; i < functions; i++)
		if (model->trace->host_functions[i].stream)
			given[count++] = building->host_functions[i];
	return given;
}

/* The last end, or -1. */
static int64_t run(const struct schedule *schedule, enum schedule_order order,
		   struct schedule_time *times)
{
	int64_t end_ns = 0;

	if (!schedule_run(schedule, order, times))
		return -1;
	for (size_t i = 0; i < schedule->task_count; i++)
		if (times[i].end_ns > end_ns)
			end_ns = times[i].end_ns;
	return end_ns;
}

static void keep_times(const struct building *building, const struct schedule_time *tasks,
		       struct timeline_times *times)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *place = &model->operations[i];
		task_index task = node_task(building, place->node);

		times->operations[place->operation - model->trace->operations] =
			(struct span){tasks[task].start_ns, tasks[task].end_ns};
	}
	for (size_t i = 0; i < model->trace->call_count; i++) {
		const struct timeline_call *call = &timeline->calls[i];
		int64_t start_ns =
			call->gap_ns + (call->before == NO_CALL ? 0 : tasks[call->before].end_ns);
		int64_t waited_ns = tasks[i].end_ns - start_ns - call->own_ns;

		times->calls[i] = (struct span){start_ns, tasks[i].end_ns};
		times->waited_ns[i] = max_ns(waited_ns, 0);
	}
	for (size_t i = 0; i < model->trace->host_function_count; i++) {
		task_index task = building->host_functions[i];

		if (task != NO_TASK)
			times->host_functions[i] =
				(struct span){tasks[task].start_ns, tasks[task].end_ns};
	}
}

/* An engine takes what is ready first; but an order that the trace shows is a better one where it
 * is shorter. It is one for the run as it was: with edits what was ready when has changed, and only
 * a replay that would be longer than the run itself falls back on it. */
static int64_t run_best(const struct building *building, const struct schedule *schedule,
			struct schedule_time *times)
{
	int64_t first_ready_ns = run(schedule, SCHEDULE_FIRST_READY, times), given_ns;

	if (building->edits && first_ready_ns <= timeline_measured_ns(building->timeline))
		return first_ready_ns;
	given_ns = run(schedule, SCHEDULE_AS_GIVEN, times);
	if (given_ns >= 0 && given_ns <= first_ready_ns)
		return given_ns;
	return run(schedule, SCHEDULE_FIRST_READY, times);
}

/* Room for the tasks that are there in every replay, filled by add_calls() and add_needs(). */
static struct schedule_task *first_tasks(struct replay_memory *memory, size_t count)
{
	if (memory->task_capacity < count) {
		free(memory->tasks);
		memory->tasks = memory_array(count + count / 16, sizeof(*memory->tasks));
		memory->task_capacity = count + count / 16;
	}
	return memory->tasks;
}

static void build(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = trace_of(building);

	building->task_count = trace->call_count + timeline->model->node_count;
	building->tasks = first_tasks(timeline->memory, building->task_count);
	building->edges = timeline->memory->edges;
	building->snapshots = memory_array(trace->event_wait_count, sizeof(task_index));
	building->host_functions = memory_array(trace->host_function_count, sizeof(task_index));
	for (size_t i = 0; i < trace->host_function_count; i++)
		building->host_functions[i] = NO_TASK;
	if (building->edits)
		building->moved = timeline_move_waits(timeline, building->edits);
	add_touches(building);
	add_calls(building);
	add_needs(building);
	add_streams(building);
	add_steps(building);
	timeline->memory->tasks = building->tasks;
	timeline->memory->edges = building->edges;
}

int64_t timeline_run(const struct timeline *timeline, const struct edits *edits,
		     struct timeline_times *kept)
{
	struct replay_memory *memory = timeline->memory;
	struct building building = {.timeline = timeline, .edits = edits};
	struct schedule schedule;
	struct schedule_time *times;
	int64_t end_ns;

	build(&building);
	schedule = (struct schedule){
		.tasks = building.tasks,
		.edges = building.edges,
		.task_count = building.task_count,
		.edge_count = building.edge_count,
		.engine_count = timeline->model->device_count * ENGINE_COUNT + 1,
		.given = given_order(&building),
		.memory = &memory->schedule,
	};
	schedule_link(&schedule, &memory->schedule);
	times = room_take(&memory->times, building.task_count, sizeof(*times));
	end_ns = run_best(&building, &schedule, times);
	if (kept && end_ns >= 0)
		keep_times(&building, times, kept);
	for (size_t i = 0; i < building.context_count; i++)
		free(building.contexts[i].blocking);
	free(building.gates);
	free(building.moved);
	free(building.host_functions);
	free(building.snapshots);
	free(building.contexts);
	free(building.streams);
	return end_ns;
}
