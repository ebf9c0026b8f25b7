/* One task at a time: what it does and what it waits for, as edited. */
#include "base/minmax.h"
#include "replay/schedule/building.h"

_Static_assert(SCHEDULE_WHOLE == OCCUPANCY_WHOLE, "shares are the same");

/* Adds the edges to a call: after the call before or the beginning, after the ends of joined
 * threads, and after what the host touched. */
static void follow_call(struct building *building, uint32_t index, task_index task, int64_t lag_ns)
{
	const struct timeline_call *call = &building->timeline->calls[index];
	int64_t gap_ns = building_gap_ns(building, index);
	uint32_t ahead = building_ahead(building, index);

	if (call->before == NO_CALL)
		building_set_earliest(building, task, gap_ns + lag_ns);
	else
		building_add_edge(building, call->before, task, gap_ns + lag_ns);
	if (call->is_watching)
		building_add_edge(building, call->watched_last, task, lag_ns);
	for (size_t i = call->joins; timeline_is_join_of(building->timeline, i, index); i++)
		building_add_edge(building, building->timeline->joins[i].ended, task,
				  gap_ns + lag_ns);
	if (ahead != NO_CALL)
		building_add_edge(building, ahead, task,
				  building_ahead_ns(building, index) + lag_ns);
	if (building->gates && building->gates[index])
		building_add_edge(building, building->gates[index], task, lag_ns);
}

void building_add_call(struct building *building, uint32_t call)
{
	follow_call(building, call, call, building_own_ns(building, call));
}

/* The task comes so long after all of the list. */
static void add_needed(struct building *building, struct needs_list list, task_index task,
		       int64_t lag_ns)
{
	for (size_t i = 0; i < list.count; i++)
		building_add_edge(building, building_task_of(building, list.items[i]), task,
				  lag_ns);
}

void building_add_need(struct building *building, size_t join)
{
	size_t operations = building->timeline->model->operation_count;

	add_needed(building, needs_list_at(building->needs, 2 * operations + join),
		   building_task_of(building, operations + join), 0);
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

/* The operation comes after its call, or after the one behind which it is issued instead. */
static void follow_issue(struct building *building, size_t index, task_index task)
{
	const struct timeline_operation *row = &building->timeline->operations[index];
	int64_t lag_ns = building_enqueue_lag_ns(building, index);

	if (building_edit_of(building, index) & EDIT_AHEAD)
		building_add_edge(building, building->edits->issued_behind[row->index], task,
				  lag_ns);
	else
		follow_call(building, row->call, task, lag_ns);
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
				     .engine = building_edit_of(building, index) & EDIT_PREFER
						       ? SCHEDULE_NO_ENGINE
						       : row->engine,
				     .share = row->share};

	work.tail_ns = min_ns(row->tail_ns, work.duration_ns);
	if (building_is_best_case(building))
		building_fill_tail(building, index, &work);
	if (work.duration_ns + work.release_ns < 0)
		work.release_ns = 0;
	building_set_work(building, task, work);
	if (row->call != NO_CALL)
		follow_issue(building, index, task);
	else if (!row->has_order && !row->has_barrier && !row->has_needs)
		building_set_earliest(building, task,
				      timeline->model->operations[index].operation->start_ns -
					      timeline->origin_ns);
}

static int64_t order_lag(const struct building *building, size_t index)
{
	return building_edit_of(building, index) & EDIT_NODE
		       ? building->edits->between_nodes_ns
		       : building_order_lag_ns(building, index);
}

/* Unless another fix has put both into one stream. */
static void add_behind(struct building *building, size_t index, task_index task)
{
	const struct timeline *timeline = building->timeline;
	const struct edits *edits = building->edits;
	uint32_t other = timeline->to_model[edits->behind[timeline->operations[index].index]];

	if (edits_stream_of(edits, timeline->model, other) !=
	    edits_stream_of(edits, timeline->model, index))
		building_add_edge(building, building_task_of(building, other), task, 0);
}

/* One that is dropped stays a join of what it came after. */
void building_add_operation(struct building *building, size_t index, struct building_marks behind)
{
	bool is_dropped = building_edit_of(building, index) & EDIT_DROP;
	int64_t lag_ns = is_dropped ? 0 : order_lag(building, index);
	task_index task = building_task_of(building, index);

	if (!is_dropped)
		add_task(building, index);
	/* After its start. */
	if (behind.queue != NO_TASK)
		building_add_edge(building, behind.queue, task,
				  -schedule_duration_ns(building->schedule, NULL, behind.queue));
	if (!is_dropped && building_edit_of(building, index) & EDIT_BEHIND)
		add_behind(building, index, task);
	building_add_edge(building, behind.order, task, lag_ns);
	building_add_edge(building, behind.across, task, lag_ns);
	add_needed(building, needs_of(building->needs, index), task, lag_ns);
	if (building->edits && !(building_edit_of(building, index) & EDIT_DOUBLE_BUFFER))
		add_needed(building, needs_reused_by(building->needs, index), task, 0);
}

static uint32_t host_engine(const struct timeline *timeline)
{
	return timeline->has_host_engine ? (uint32_t)(timeline->model->device_count * ENGINE_COUNT)
					 : SCHEDULE_NO_ENGINE;
}

/* The run ends with the last call or operation: so does what is counted of a host function. */
static void set_host_work(struct building *building, const struct trace_host_function *function,
			  edit_mask edit, task_index task)
{
	const struct timeline *timeline = building->timeline;
	int64_t end_ns = min_ns(function->end_ns, timeline->end_ns);

	if (edit & EDIT_NOT_RUN)
		return;
	building_set_work(
		building, task,
		(struct schedule_work){.duration_ns = max_ns(0, end_ns - function->start_ns),
				       .engine = host_engine(timeline),
				       .share = SCHEDULE_WHOLE});
}

void building_add_host_function(struct building *building, uint32_t index,
				struct building_marks behind)
{
	const struct trace *trace = building_trace(building);
	const struct trace_host_function *function = &trace->host_functions[index];
	edit_mask edit = building->edits ? building->edits->host_functions[index] : 0;
	int64_t lag_ns = edit & EDIT_AT_ONCE ? 0 : building->timeline->host_functions[index].lag_ns;
	task_index task = building->host_functions[index];

	set_host_work(building, function, edit, task);
	follow_call(building, (uint32_t)(function->call - trace->calls), task, lag_ns);
	building_add_edge(building, behind.order, task, lag_ns);
	building_add_edge(building, behind.across, task, lag_ns);
}

/* The call that has to wait, as edited: the wait's own, the one that it moved to, or NO_CALL. */
static uint32_t waiter_of(struct building *building, const struct timeline_wait *wait)
{
	const struct edits *edits = building->edits;
	const struct timeline *timeline = building->timeline;
	edit_mask edit = edits ? edits->calls[wait->call] : 0;
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

/* A call does not wait for its own copy where that does not run. */
static bool is_own_of_dropped(const struct building *building, const struct timeline_wait *wait)
{
	return !timeline_is_function(building->timeline, wait->operation) &&
	       building_edit_of(building, wait->operation) & EDIT_DROP &&
	       building->timeline->operations[wait->operation].call == wait->call;
}

uint32_t building_add_wait(struct building *building, const struct timeline_wait *wait,
			   task_index task)
{
	uint32_t waiter;

	if (is_own_of_dropped(building, wait))
		return NO_CALL;
	waiter = waiter_of(building, wait);
	if (waiter != NO_CALL)
		building_add_edge(building, task, waiter, building_wait_lag_ns(building, wait));
	return waiter;
}
