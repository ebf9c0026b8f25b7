/* One task at a time: what it does and what it waits for, as edited; and what constraints take beyond
 * themselves. Half of what the tracer added to a call comes before what the call does, and half behind
 * it. */
#include "base/minmax.h"
#include "base/thresholds.h"
#include "replay/schedule/building.h"

_Static_assert(SCHEDULE_WHOLE == OCCUPANCY_WHOLE, "shares are the same");

/* Of the call, in a replay without the tracer. */
static int64_t tool_of(const struct building *building, uint32_t call)
{
	return building->edits ? building->timeline->calls[call].tool_ns : 0;
}

/* No lag turns negative by that. */
static int64_t shorten_lag(int64_t lag_ns, int64_t by_ns)
{
	return lag_ns > by_ns ? lag_ns - by_ns : min_ns(lag_ns, 0);
}

/* Whether staging takes time that pinned memory saves, beside the copy's own. */
static bool is_staging_gone(const struct building *building, size_t index, edit_mask edit)
{
	return edit & EDIT_PIN &&
	       building->timeline->model->operations[index].operation->form->size_bytes >
		       COPY_SMALL_BYTES;
}

/* Whether the call waits for its own copy, which a fix pins. */
static bool is_own_of_pinned(const struct building *building, const struct timeline_wait *wait)
{
	const struct timeline *timeline = building->timeline;

	return !timeline_is_function(timeline, wait->operation) &&
	       building_edit_of(building, wait->operation) & EDIT_PIN &&
	       timeline->model->operations[wait->operation].operation->call ==
		       &building_trace(building)->calls[wait->call];
}

/* At most the call's own time, if that is edited. A call that staged its copy returned before the
 * copy's end, or later, with its last part; with pinned memory it returns like others. */
int64_t building_wait_lag_ns(const struct building *building, const struct timeline_wait *wait)
{
	const struct edits *edits = building->edits;
	int64_t return_ns = building->timeline->return_lag_ns;

	if (is_own_of_pinned(building, wait) && wait->lag_ns < 0)
		return return_ns;
	if (is_own_of_pinned(building, wait) &&
	    is_staging_gone(building, wait->operation, EDIT_PIN))
		return min_ns(wait->lag_ns, return_ns);
	return edits && edits->calls[wait->call] & EDIT_OWN_TIME
		       ? min_ns(wait->lag_ns, edits->calls_ns[wait->call])
		       : shorten_lag(wait->lag_ns, tool_of(building, wait->call) / 2);
}

/* Without the staging before a copy that a fix pins, and without waiting in a queue for an
 * operation that gets its own queue, or that no longer waits for room. */
static int64_t lag_of(const struct building *building, size_t index, edit_mask edit, int64_t lag_ns,
		      int64_t typical_ns)
{
	bool is_shorter = edit & (EDIT_OWN_QUEUE | EDIT_PREFER) ||
			  (is_staging_gone(building, index, edit) &&
			   building->edits->pinned_end != RATE_SLOWEST);

	return is_shorter ? min_ns(lag_ns, typical_ns) : building_lag(building, lag_ns, typical_ns);
}

/* A call that takes less hands its operation to the device earlier: as long after its end as it
 * did, or as long after its start where that was inside of it. */
static int64_t enqueue_lag_ns(const struct building *building, size_t index, edit_mask edit)
{
	const struct timeline *timeline = building->timeline;
	const struct timeline_operation *row = &timeline->operations[index];
	int64_t tool_ns = tool_of(building, row->call);
	int64_t lag_ns = shorten_lag(
		lag_of(building, index, edit, row->enqueue_lag_ns, timeline->launch_lag_ns),
		row->is_of_graph ? tool_ns : tool_ns / 2);
	int64_t before_ns = timeline->calls[row->call].own_ns - tool_ns;
	int64_t now_ns = building_own_ns(building, row->call);

	return now_ns >= before_ns || lag_ns <= now_ns
		       ? lag_ns
		       : max_ns(now_ns, lag_ns - before_ns + now_ns);
}

/* CUPTI makes operations that follow others start later. */
static int64_t device_tool_ns(const struct building *building, size_t index)
{
	const struct tool_costs *costs = &building->timeline->model->tool_costs;

	if (!building->edits)
		return 0;
	switch (building->timeline->operations[index].kind) {
	case OPERATION_KERNEL:
		return (int64_t)costs->kernel_gap_ns;
	case OPERATION_COPY:
		return (int64_t)costs->copy_gap_ns;
	default:
		return 0;
	}
}

/* Those that follow a graph start later by more than that, which no calibration measures. */
static int64_t behind_graph_ns(const struct building *building, size_t index, int64_t lag_ns)
{
	const struct timeline *timeline = building->timeline;
	const struct timeline_operation *row = &timeline->operations[index];

	if (!row->is_behind_graph || !building->edits || !timeline->model->tool_costs.is_known)
		return lag_ns;
	return min_ns(lag_ns, row->kind == OPERATION_COPY ? GRAPH_COPY_BEHIND_NS : GRAPH_BEHIND_NS);
}

static int64_t order_lag_ns(const struct building *building, size_t index, edit_mask edit)
{
	const struct timeline *timeline = building->timeline;
	int64_t lag_ns;

	if (edit & EDIT_NODE)
		return building->edits->between_nodes_ns;
	lag_ns = lag_of(building, index, edit, timeline->operations[index].order_lag_ns,
			timeline->order_lag_ns);
	return behind_graph_ns(building, index,
			       shorten_lag(lag_ns, device_tool_ns(building, index)));
}

static int64_t release_ns(const struct building *building, size_t index)
{
	return shorten_lag(building->timeline->operations[index].release_ns,
			   device_tool_ns(building, index));
}

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

static int64_t duration_of(const struct building *building, size_t index, edit_mask edit)
{
	const struct model *model = building->timeline->model;
	const struct timeline_operation *row = &building->timeline->operations[index];
	const struct trace_operation *operation;

	if (edit & EDIT_DURATION)
		return building->edits->operations_ns[row->index];
	if (!(edit & EDIT_PIN))
		return row->duration_ns;
	operation = &model->trace->operations[row->index];
	return rates_pinned_ns(model->pinned_copies[operation->form->engine],
			       operation->form->size_bytes, row->duration_ns,
			       building->edits->pinned_end);
}

/* The operation comes after its call, or after the one behind which it is issued instead. */
static void follow_issue(struct building *building, size_t index, edit_mask edit, task_index task)
{
	const struct timeline_operation *row = &building->timeline->operations[index];
	int64_t lag_ns = enqueue_lag_ns(building, index, edit);

	if (edit & EDIT_AHEAD)
		building_add_edge(building, building->edits->issued_behind[row->index], task,
				  lag_ns);
	else
		follow_call(building, row->call, task, lag_ns);
}

/* One that runs. */
static void add_task(struct building *building, size_t index, edit_mask edit)
{
	const struct timeline *timeline = building->timeline;
	const struct timeline_operation *row = &timeline->operations[index];
	task_index task = building_task_of(building, index);
	struct schedule_work work = {.duration_ns = duration_of(building, index, edit),
				     .release_ns = release_ns(building, index),
				     .tail_share = row->tail_share,
				     .engine =
					     edit & EDIT_PREFER ? SCHEDULE_NO_ENGINE : row->engine,
				     .share = row->share};

	work.tail_ns = min_ns(row->tail_ns, work.duration_ns);
	if (building_is_best_case(building))
		building_fill_tail(building, index, &work);
	if (work.duration_ns + work.release_ns < 0)
		work.release_ns = 0;
	building_set_work(building, task, work);
	if (row->call != NO_CALL)
		follow_issue(building, index, edit, task);
	else if (!row->has_order && !row->has_barrier && !row->has_needs)
		building_set_earliest(building, task,
				      timeline->model->operations[index].operation->start_ns -
					      timeline->origin_ns);
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
	edit_mask edit = building_edit_of(building, index);
	bool is_dropped = edit & EDIT_DROP;
	int64_t lag_ns = is_dropped ? 0 : order_lag_ns(building, index, edit);
	task_index task = building_task_of(building, index);

	if (!is_dropped)
		add_task(building, index, edit);
	/* After its start. */
	if (behind.queue != NO_TASK)
		building_add_edge(building, behind.queue, task,
				  -schedule_duration_ns(building->schedule, NULL, behind.queue));
	if (!is_dropped && edit & EDIT_BEHIND)
		add_behind(building, index, task);
	building_add_edge(building, behind.order, task, lag_ns);
	building_add_edge(building, behind.across, task, lag_ns);
	add_needed(building, needs_of(building->needs, index), task, lag_ns);
	if (building->edits && !(edit & EDIT_DOUBLE_BUFFER))
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
