/* What happened, step by step. */
#include "base/memory.h"
#include "base/search.h"
#include "replay/schedule/building.h"

#include <stdlib.h>

/* A task that takes no time. */
static task_index add_point(struct building *building)
{
	task_index task = building_add_task(building);

	building_set_point(building, task);
	return task;
}

/* Without the wait before the host touched a copy's data, the copy must still be done by then: the
 * call after the touch starts that much later. */
static void add_touches(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);

	if (!building->edits || !trace->first_use_count)
		return;
	building->gates = memory_array(trace->call_count, sizeof(*building->gates));
	for (size_t i = 0; i < trace->first_use_count; i++) {
		const struct trace_first_use *use = &trace->first_uses[i];
		task_index *gate;
		uint32_t index;

		if (!use->before || use->touch_ns < use->copy->end_ns)
			continue;
		gate = &building->gates[use->before - trace->calls];
		if (!*gate)
			*gate = add_point(building);
		index = timeline->to_model[use->copy - trace->operations];
		building_add_edge(building, building_task_of(building, index), *gate,
				  use->before->start_ns - use->touch_ns);
	}
}

static void add_calls(struct building *building)
{
	for (uint32_t i = 0; i < building_trace(building)->call_count; i++)
		building_add_call(building, i);
}

/* The joins of true dependences. */
static void add_needs(struct building *building)
{
	for (size_t i = 0; i < building->needs->join_count; i++)
		building_add_need(building, i);
}

/* The waits for the host function, from the first of those for operations behind them all. */
static void add_function_waits(struct building *building, uint32_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	uint32_t operation = (uint32_t)timeline->model->operation_count + index;
	size_t low = search_from(building->next_wait, timeline->wait_count, i,
				 timeline->waits[i].operation < operation);

	for (; low < timeline->wait_count && timeline->waits[low].operation == operation; low++)
		building_add_wait(building, &timeline->waits[low], task);
}

/* The wait is also for the task, unless that is NO_TASK or the wait's own. */
static void add_wait_mark(struct building *building, uint32_t wait, uint32_t waiter,
			  task_index task)
{
	const struct timeline_wait *row = &building->timeline->waits[wait];

	if (task == NO_TASK || task == building_task_of(building, row->operation))
		return;
	building_add_edge(building, task, waiter, building_wait_lag_ns(building, row));
	if (building->wait_marks)
		*vector_add(building->wait_marks) = (struct building_wait_mark){wait, task};
}

/* The waits for the operation, and for all that is in its stream with it. */
static void add_waits(struct building *building, size_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	uint32_t stream = timeline->operations[index].stream;

	for (; building->next_wait < timeline->wait_count &&
	       timeline->waits[building->next_wait].operation == index;
	     building->next_wait++) {
		uint32_t next = (uint32_t)building->next_wait;
		uint32_t waiter = building_add_wait(building, &timeline->waits[next], task);

		if (waiter == NO_CALL || !timeline->waits[next].is_of_stream || !building->edits)
			continue;
		add_wait_mark(building, next, waiter, building->streams[stream].last);
		for (uint32_t i = order_sibling(&building->order, stream); i;
		     i = order_sibling(&building->order, i))
			add_wait_mark(building, next, waiter, building->streams[i].last);
	}
}

/* What an operation or a host function of the stream comes after. */
static struct building_marks marks_of(struct building *building, uint32_t stream, bool has_order,
				      bool has_barrier)
{
	struct building_marks marks = {NO_TASK, NO_TASK, NO_TASK};

	if (has_order)
		marks.order = building->streams[stream].order;
	if (has_barrier)
		marks.across = building_behind(building, order_across(&building->order, stream));
	return marks;
}

static void add_operation(struct building *building, size_t index)
{
	const struct timeline_operation *row = &building->timeline->operations[index];
	uint32_t now = building->edits && building->edits->streams ? building->edits->streams[index]
								   : row->stream;
	bool is_moved = now != row->stream;
	struct order_user user = building_order_user(building);
	task_index task = building_task_of(building, index);
	struct building_marks marks =
		marks_of(building, now, row->has_order || is_moved, row->has_barrier || is_moved);

	if (building->queues && !(building_edit_of(building, index) & (EDIT_DROP | EDIT_OWN_QUEUE)))
		marks.queue = building_enqueue(building, index, now);
	if (building->marks)
		building->marks[index] = marks;
	building_add_operation(building, index, marks);
	building->streams[now].last = building->current = task;
	order_operation(&building->order, &user, now);
	add_waits(building, index, task);
}

static void add_host_function(struct building *building, uint32_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);
	uint32_t stream = (uint32_t)(trace->host_functions[index].stream - trace->streams);
	struct order_user user = building_order_user(building);
	bool has_order = timeline->host_functions[index].has_order;
	task_index task = building_add_task(building);
	struct building_marks marks = marks_of(building, stream, has_order, has_order);

	building->host_functions[index] = task;
	if (building->marks)
		building->marks[timeline->model->operation_count + index] = marks;
	building_add_host_function(building, index, marks);
	add_function_waits(building, index, task);
	if (building->edits && building->edits->host_functions[index] & EDIT_TO_THREAD)
		return;
	building->current = task;
	order_host_function(&building->order, &user, stream);
}

static void record_event(struct building *building, uint32_t index)
{
	const struct trace *trace = building_trace(building);
	struct order_user user = building_order_user(building);

	order_record(&building->order, &user, index,
		     (uint32_t)(trace->event_waits[index].recorder - trace->streams));
}

static void wait_for_event(struct building *building, uint32_t index)
{
	const struct trace *trace = building_trace(building);
	struct order_user user = building_order_user(building);
	const uint32_t *records = building->edits ? building->edits->records : NULL;
	uint32_t record = records && records[index] ? records[index] - 1 : index;

	if (!records || records[index] != NO_RECORD)
		order_wait(&building->order, &user, record,
			   (uint32_t)(trace->event_waits[index].waiter - trace->streams));
}

static void add_steps(struct building *building)
{
	const struct timeline *timeline = building->timeline;

	for (size_t i = 0; i < timeline->step_count; i++) {
		const struct model_place *step = &timeline->steps[i];

		if (step->kind == STEP_OPERATION)
			add_operation(building, timeline->to_model[step->index]);
		else if (step->kind == STEP_RECORD)
			record_event(building, step->index);
		else if (step->kind == STEP_HOST_FUNCTION)
			add_host_function(building, step->index);
		else
			wait_for_event(building, step->index);
	}
}

/* An edge to each call, three to each operation (from its call, in its stream, and across the barrier), what
 * operations need, and the waits; few tasks have more, such as those behind events. */
static void begin_schedule(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);
	size_t operations = timeline->model->operation_count;
	size_t known = trace->call_count + operations + building->needs->join_count;
	size_t tasks = known + trace->host_function_count;
	size_t edges = tasks + 2 * operations + needs_item_count(building->needs, operations) +
		       timeline->wait_count;

	schedule_clear(building->schedule, tasks + tasks / 16, edges + edges / 16,
		       operations + trace->host_function_count);
	building->schedule->engine_count = timeline->model->device_count * ENGINE_COUNT + 1;
	schedule_add_joins(building->schedule, known);
}

void building_build(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);

	begin_schedule(building);
	building->host_functions = memory_array(trace->host_function_count, sizeof(task_index));
	for (size_t i = 0; i < trace->host_function_count; i++)
		building->host_functions[i] = NO_TASK;
	if (building->edits)
		building->moved = timeline_move_waits(timeline, building->edits);
	add_touches(building);
	add_calls(building);
	add_needs(building);
	building_init_order(building);
	building_init_queues(building);
	add_steps(building);
	building_free_queues(building);
	building_free_order(building);
}

void building_free(struct building *building)
{
	free(building->gates);
	free(building->moved);
	free(building->host_functions);
}
