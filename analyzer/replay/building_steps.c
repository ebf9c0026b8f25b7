/* What happened, step by step. */
#include "replay/building.h"

#include "base/memory.h"
#include "base/minmax.h"

/* A task that takes no time. */
static task_index add_point(struct building *building)
{
	task_index task = building_add_task(building);

	building->schedule->tasks[task].work = SCHEDULE_POINT;
	return task;
}

/* Without the wait that let the host touch what a copy brought, the copy must still be done by
 * then: the call that the touch came before starts so much later. */
void building_add_touches(struct building *building)
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

/* From the call before, or from the beginning: so long after it; as long after the ends of the
 * threads that were joined; and after what the host touched. */
static void follow(struct building *building, uint32_t index, task_index task, int64_t lag_ns)
{
	const struct timeline_call *call = &building->timeline->calls[index];
	int64_t gap_ns = building_gap_ns(building, index);
	uint32_t ahead = building_ahead(building, index);

	if (call->before == NO_CALL)
		building->schedule->tasks[task].earliest_ns = gap_ns + lag_ns;
	else
		building_add_edge(building, call->before, task, gap_ns + lag_ns);
	for (size_t i = call->joins; timeline_is_join_of(building->timeline, i, index); i++)
		building_add_edge(building, building->timeline->joins[i].ended, task,
				  gap_ns + lag_ns);
	if (ahead != NO_CALL)
		building_add_edge(building, ahead, task,
				  building_work_ns(building, index) + lag_ns);
	if (building->gates && building->gates[index])
		building_add_edge(building, building->gates[index], task, lag_ns);
}

void building_add_calls(struct building *building)
{
	for (uint32_t i = 0; i < building_trace(building)->call_count; i++) {
		building->schedule->tasks[i].work = SCHEDULE_POINT;
		follow(building, i, i, building_own_ns(building, i));
	}
}

/* The task comes so long after all of the list. */
static void add_needed(struct building *building, struct needs_list list, task_index task,
		       int64_t lag_ns)
{
	for (size_t i = 0; i < list.count; i++)
		building_add_edge(building, building_task_of(building, list.items[i]), task,
				  lag_ns);
}

/* The joins of true dependences. */
void building_add_needs(struct building *building)
{
	size_t operations = building->timeline->model->operation_count;

	for (size_t i = 0; i < building->needs->join_count; i++)
		add_needed(building, needs_list_at(building->needs, 2 * operations + i),
			   building_task_of(building, operations + i), 0);
}

static int64_t duration_of(const struct building *building, size_t index)
{
	const struct model *model = building->timeline->model;
	const struct timeline_operation *row = &building->timeline->operations[index];
	const struct trace_operation *operation;

	if (building_edit_of(building, index) & EDIT_DURATION)
		return building->edits->operations_ns[row->index];
	if (!(building_edit_of(building, index) & EDIT_PIN))
		return row->duration_ns;
	operation = &model->trace->operations[row->index];
	return rates_pinned_ns(model->pinned_copies[operation->form->engine],
			       operation->form->size_bytes, row->duration_ns,
			       building->edits->pinned_end);
}

/* The call that has to wait, as edited: the wait's own, the one that it moved to, or NO_CALL. */
static uint32_t waiter_of(struct building *building, const struct timeline_wait *wait)
{
	const struct edits *edits = building->edits;
	const struct timeline *timeline = building->timeline;
	uint8_t edit = edits ? edits->calls[wait->call] : 0;
	uint32_t index;

	if (!(edit & (EDIT_NO_WAIT | EDIT_NARROW)))
		return wait->call;
	if (!(edit & EDIT_NO_WAIT)) {
		index = timeline->to_model[edits->narrowed[wait->call]];
		building_add_edge(building, building_task_of(building, index), wait->call,
				  building_wait_lag_ns(building, wait));
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
			building_add_edge(building, task, waiter,
					  building_wait_lag_ns(building, &timeline->waits[low]));
	}
}

/* A call does not wait for its own copy where that does not run. */
static bool is_own_of_dropped(const struct building *building, size_t index,
			      const struct timeline_wait *wait)
{
	return building_edit_of(building, index) & EDIT_DROP &&
	       building->timeline->operations[index].call == wait->call;
}

/* The waits for the operation, and for all that is in its stream with it. */
static void add_waits(struct building *building, size_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	uint32_t stream = timeline->operations[index].stream;

	for (; building->next_wait < timeline->wait_count &&
	       timeline->waits[building->next_wait].operation == index;
	     building->next_wait++) {
		const struct timeline_wait *wait = &timeline->waits[building->next_wait];
		uint32_t waiter = is_own_of_dropped(building, index, wait)
					  ? NO_CALL
					  : waiter_of(building, wait);

		if (waiter == NO_CALL)
			continue;
		building_add_edge(building, task, waiter, building_wait_lag_ns(building, wait));
		if (!wait->is_of_stream || !building->edits)
			continue;
		building_add_edge(building, building->streams[stream].last, waiter,
				  building_wait_lag_ns(building, wait));
		for (uint32_t i = order_sibling(&building->order, stream); i;
		     i = order_sibling(&building->order, i))
			building_add_edge(building, building->streams[i].last, waiter,
					  building_wait_lag_ns(building, wait));
	}
}

/* What it runs after, in the stream where it is now. */
static void add_order(struct building *building, size_t index, uint32_t stream, bool is_moved,
		      int64_t lag_ns)
{
	const struct timeline *timeline = building->timeline;
	const struct timeline_operation *row = &timeline->operations[index];
	task_index task = building_task_of(building, index);

	if (row->has_order || is_moved)
		building_add_edge(building, building->streams[stream].order, task, lag_ns);
	if (row->has_barrier || is_moved)
		building_add_edge(building,
				  building_behind(building, order_across(&building->order, stream)),
				  task, lag_ns);
	add_needed(building, needs_of(building->needs, index), task, lag_ns);
	if (building->edits && !(building_edit_of(building, index) & EDIT_DOUBLE_BUFFER))
		add_needed(building, needs_reused_by(building->needs, index), task, 0);
}

/* One that runs. */
static void add_task(struct building *building, size_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct timeline_operation *row = &timeline->operations[index];
	task_index task = building_task_of(building, index);
	struct schedule_work work = {.duration_ns = duration_of(building, index),
				     .release_ns = building_release_ns(building, index),
				     .tail_share = row->tail_share,
				     .engine = row->engine,
				     .share = row->share};

	work.tail_ns = min_ns(row->tail_ns, work.duration_ns);
	if (building_is_best_case(building))
		building_fill_tail(building, index, &work);
	if (work.duration_ns + work.release_ns < 0)
		work.release_ns = 0;
	schedule_set_work(building->schedule, task, work);
	if (row->call != NO_CALL)
		follow(building, row->call, task, building_enqueue_lag_ns(building, index));
	else if (!row->has_order && !row->has_barrier && !row->has_needs)
		building->schedule->tasks[task].earliest_ns =
			timeline->model->operations[index].operation->start_ns -
			timeline->origin_ns;
}

static int64_t order_lag(const struct building *building, size_t index)
{
	return building_edit_of(building, index) & EDIT_NODE
		       ? building->edits->between_nodes_ns
		       : building_order_lag_ns(building, index);
}

/* One that is dropped stays a join of what it came after. */
static void add_operation(struct building *building, size_t index)
{
	uint32_t before = building->timeline->operations[index].stream;
	uint32_t now = building->edits && building->edits->streams ? building->edits->streams[index]
								   : before;
	bool is_dropped = building_edit_of(building, index) & EDIT_DROP;
	struct order_user user = building_order_user(building);
	task_index task = building_task_of(building, index);

	if (!is_dropped) {
		add_task(building, index);
		if (building->queues)
			building_enqueue(building, index, now, task);
	}
	add_order(building, index, now, now != before, is_dropped ? 0 : order_lag(building, index));
	building->streams[now].last = building->current = task;
	order_operation(&building->order, &user, now);
	add_waits(building, index, task);
}

static uint32_t host_engine(const struct timeline *timeline)
{
	return timeline->has_host_engine ? (uint32_t)(timeline->model->device_count * ENGINE_COUNT)
					 : SCHEDULE_NO_ENGINE;
}

/* The run ends with the last call or operation: so does what is counted of a host function. */
static void set_host_work(struct building *building, const struct trace_host_function *function,
			  uint8_t edit, task_index task)
{
	const struct timeline *timeline = building->timeline;
	int64_t end_ns = min_ns(function->end_ns, timeline->end_ns);

	if (edit & EDIT_NOT_RUN)
		return;
	schedule_set_work(
		building->schedule, task,
		(struct schedule_work){.duration_ns = max_ns(0, end_ns - function->start_ns),
				       .engine = host_engine(timeline),
				       .share = SCHEDULE_WHOLE});
}

static void add_host_function(struct building *building, uint32_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);
	const struct trace_host_function *function = &trace->host_functions[index];
	const struct timeline_host_function *row = &timeline->host_functions[index];
	uint32_t stream = (uint32_t)(function->stream - trace->streams);
	struct order_user user = building_order_user(building);
	uint8_t edit = building->edits ? building->edits->host_functions[index] : 0;
	int64_t lag_ns = edit & EDIT_AT_ONCE ? 0 : row->lag_ns;
	task_index task = building_add_task(building);

	set_host_work(building, function, edit, task);
	building->host_functions[index] = task;
	follow(building, (uint32_t)(function->call - trace->calls), task, lag_ns);
	if (row->has_order) {
		building_add_edge(building, building->streams[stream].order, task, lag_ns);
		building_add_edge(building,
				  building_behind(building, order_across(&building->order, stream)),
				  task, lag_ns);
	}
	add_function_waits(building, index, task);
	if (edit & EDIT_TO_THREAD)
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

	order_wait(&building->order, &user, index,
		   (uint32_t)(trace->event_waits[index].waiter - trace->streams));
}

void building_add_steps(struct building *building)
{
	const struct timeline *timeline = building->timeline;

	for (size_t i = 0; i < timeline->step_count; i++) {
		const struct timeline_step *step = &timeline->steps[i];

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
