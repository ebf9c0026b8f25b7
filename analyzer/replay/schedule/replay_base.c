#include "replay/schedule/replay_base.h"

#include "base/search.h"
#include "replay/schedule/replay_pool.h"

#include <stdlib.h>

/* Items by call: those of a call are items[first[call]] .. items[first[call + 1] - 1]. */
struct by_call {
	uint32_t *first, *items;
};

struct replay_base {
	struct edits *edits; /* of the streams */
	struct schedule schedule;
	struct building building;
	building_wait_marks wait_marks;
	struct by_call waits;	 /* indexes in timeline.waits */
	struct by_call launched; /* in model.operations, and behind them host functions */
};

/* Items with NO_CALL belong to none. */
static struct by_call group_by_call(const struct timeline *timeline, size_t count,
				    uint32_t (*call_of)(const struct timeline *timeline,
							size_t item))
{
	size_t calls = timeline->model->trace->call_count;
	struct by_call by_call = {memory_array(calls + 2, sizeof(*by_call.first)),
				  memory_array(count, sizeof(*by_call.items))};

	/* One behind, so that what is filled in next is where each begins. */
	for (size_t i = 0; i < count; i++)
		if (call_of(timeline, i) != NO_CALL)
			by_call.first[call_of(timeline, i) + 2]++;
	for (size_t i = 2; i < calls + 2; i++)
		by_call.first[i] += by_call.first[i - 1];
	for (size_t i = 0; i < count; i++)
		if (call_of(timeline, i) != NO_CALL)
			by_call.items[by_call.first[call_of(timeline, i) + 1]++] = (uint32_t)i;
	return by_call;
}

static void free_by_call(struct by_call by_call)
{
	free(by_call.items);
	free(by_call.first);
}

static uint32_t waiting_call(const struct timeline *timeline, size_t wait)
{
	return timeline->waits[wait].call;
}

static uint32_t launching_call(const struct timeline *timeline, size_t item)
{
	const struct model *model = timeline->model;
	const struct trace *trace = model->trace;
	const struct trace_call *call;

	if (item < model->operation_count)
		return timeline->operations[item].call;
	call = trace->host_functions[item - model->operation_count].call;
	return call ? (uint32_t)(call - trace->calls) : NO_CALL;
}

struct replay_base *replay_base_create(const struct timeline *timeline, const struct needs *needs,
				       const struct edits *edits)
{
	struct replay_base *base = memory_array(1, sizeof(*base));
	size_t items =
		timeline->model->operation_count + timeline->model->trace->host_function_count;

	base->edits = edits_copy_base(edits, timeline->model);
	base->building = (struct building){
		.timeline = timeline,
		.edits = base->edits,
		.needs = needs,
		.schedule = &base->schedule,
		.marks = memory_array(items, sizeof(*base->building.marks)),
		.wait_marks = &base->wait_marks,
	};
	building_build(&base->building);
	base->waits = group_by_call(timeline, timeline->wait_count, waiting_call);
	base->launched = group_by_call(timeline, items, launching_call);
	return base;
}

void replay_base_free(struct replay_base *base)
{
	free_by_call(base->launched);
	free_by_call(base->waits);
	free(base->building.marks);
	vector_free(&base->wait_marks);
	building_free(&base->building);
	schedule_free(&base->schedule);
	edits_free(base->edits);
	free(base);
}

size_t replay_base_task_count(const struct replay_base *base)
{
	return base->schedule.task_count;
}

const struct needs *replay_base_needs(const struct replay_base *base)
{
	return base->building.needs;
}

/* What the pass over the edits uses. */
struct changing {
	const struct replay_base *base;
	struct building *building;
};

/* NO_TASK: a host function that is in no stream. */
static task_index task_of(const struct changing *changing, size_t item)
{
	const struct building *building = changing->building;
	size_t operations = building->timeline->model->operation_count;

	return item < operations ? building_task_of(building, item)
				 : building->host_functions[item - operations];
}

static void renew_task(const struct changing *changing, task_index task)
{
	if (task != NO_TASK)
		schedule_changes_renew(changing->building->changes, task);
}

/* Both calls that may wait for it. */
static void renew_waiters(const struct changing *changing, const struct timeline_wait *wait)
{
	renew_task(changing, wait->call);
	if (changing->building->moved && changing->building->moved[wait->call] != NO_CALL)
		renew_task(changing, changing->building->moved[wait->call]);
}

static void renew_of_call(const struct changing *changing, uint32_t call)
{
	const struct replay_base *base = changing->base;
	const struct timeline *timeline = changing->building->timeline;

	renew_task(changing, call);
	for (uint32_t i = base->launched.first[call]; i < base->launched.first[call + 1]; i++)
		renew_task(changing, task_of(changing, base->launched.items[i]));
	for (uint32_t i = base->waits.first[call]; i < base->waits.first[call + 1]; i++)
		renew_waiters(changing, &timeline->waits[base->waits.items[i]]);
}

/* The first wait for the operation or one behind it. */
static size_t first_wait(const struct timeline *timeline, uint32_t operation)
{
	return search(timeline->wait_count, i, timeline->waits[i].operation < operation);
}

static void renew_of_operation(const struct changing *changing, uint32_t index)
{
	const struct timeline *timeline = changing->building->timeline;

	renew_task(changing, task_of(changing, index));
	for (size_t i = first_wait(timeline, index);
	     i < timeline->wait_count && timeline->waits[i].operation == index; i++)
		renew_waiters(changing, &timeline->waits[i]);
}

static size_t count_edits(const edit_mask *edits, size_t count)
{
	size_t edited = 0;

	for (size_t i = 0; i < count; i++)
		edited += edits[i] != 0;
	return edited;
}

/* To change a task takes somewhat longer than to build it. */
static bool are_few(const struct edits *edits, const struct trace *trace)
{
	size_t edited = count_edits(edits->calls, trace->call_count) +
			count_edits(edits->operations, trace->operation_count);

	return edited <= (trace->call_count + trace->operation_count) / 2;
}

bool replay_base_allows(const struct edits *edits, const struct trace *trace)
{
	for (size_t i = 0; edits->added.count && i < trace->operation_count; i++)
		if (trace->operations[i].form->engine == ENGINE_COMPUTE &&
		    edits->operations[i] & (EDIT_DROP | EDIT_DURATION | EDIT_PIN | EDIT_OWN_QUEUE))
			return false;
	return are_few(edits, trace);
}

/* All tasks to which edges can change, or what they do. */
static void renew_all(const struct changing *changing)
{
	const struct timeline *timeline = changing->building->timeline;
	const struct trace *trace = timeline->model->trace;
	const struct edits *edits = changing->building->edits;
	size_t operations = timeline->model->operation_count, count = trace->operation_count;

	for (size_t i = edits_next(edits->calls, 0, trace->call_count); i < trace->call_count;
	     i = edits_next(edits->calls, i + 1, trace->call_count))
		renew_of_call(changing, (uint32_t)i);
	for (size_t i = edits_next(edits->operations, 0, count); i < count;
	     i = edits_next(edits->operations, i + 1, count))
		renew_of_operation(changing, timeline->to_model[i]);
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (edits->host_functions[i])
			renew_task(changing, task_of(changing, operations + i));
}

/* What the wait is for besides. */
static void add_wait_marks(const struct changing *changing, uint32_t wait, uint32_t waiter)
{
	const building_wait_marks *marks = &changing->base->wait_marks;
	struct building *building = changing->building;
	size_t low = search(marks->count, i, marks->items[i].wait < wait);

	for (; low < marks->count && marks->items[low].wait == wait; low++)
		building_add_edge(building, marks->items[low].task, waiter,
				  building_wait_lag_ns(building, &building->timeline->waits[wait]));
}

/* All waits of calls that are renewed: what waits of others move to such calls is among them. */
static void add_waits(const struct changing *changing, uint32_t call)
{
	const struct replay_base *base = changing->base;
	const struct timeline *timeline = changing->building->timeline;

	for (uint32_t i = base->waits.first[call]; i < base->waits.first[call + 1]; i++) {
		uint32_t wait = base->waits.items[i], waiter = NO_CALL;
		task_index task = task_of(changing, timeline->waits[wait].operation);

		if (task != NO_TASK)
			waiter =
				building_add_wait(changing->building, &timeline->waits[wait], task);
		if (waiter != NO_CALL)
			add_wait_marks(changing, wait, waiter);
	}
}

static bool is_renewed(const struct changing *changing, task_index task)
{
	const struct schedule_change *change =
		task == NO_TASK ? NULL : schedule_change_of(changing->building->changes, task);

	return change && change->is_renewed;
}

/* What comes to the renewed tasks, and what they do. */
static void add_all(const struct changing *changing)
{
	struct building *building = changing->building;
	const struct model *model = building->timeline->model;
	size_t calls = model->trace->call_count, operations = model->operation_count;
	size_t count = building->changes->changes.count; /* edges from others come behind them */

	for (size_t i = 0; i < count; i++) {
		task_index task = building->changes->changes.items[i].task;

		if (task < calls) {
			building_add_call(building, task);
			add_waits(changing, task);
		} else if (task < calls + operations) {
			building_add_operation(building, task - calls,
					       building->marks[task - calls]);
		}
	}
	for (uint32_t i = 0; i < model->trace->host_function_count; i++)
		if (is_renewed(changing, building->host_functions[i]))
			building_add_host_function(building, i, building->marks[operations + i]);
}

/* Whether waits can move elsewhere. */
static bool has_lost_waits(const struct edits *edits, const struct trace *trace)
{
	for (size_t i = edits_next(edits->calls, 0, trace->call_count); i < trace->call_count;
	     i = edits_next(edits->calls, i + 1, trace->call_count))
		if (edits->calls[i] & (EDIT_NO_WAIT | EDIT_NARROW))
			return true;
	return false;
}

void replay_base_enter(const struct replay_base *base, struct building *building)
{
	struct changing changing = {base, building};

	building->needs = base->building.needs;
	building->schedule = base->building.schedule;
	building->gates = base->building.gates;
	building->host_functions = base->building.host_functions;
	building->marks = base->building.marks;
	building->changes = &building->memory->changes;
	if (has_lost_waits(building->edits, building_trace(building)))
		building->moved = timeline_move_waits(building->timeline, building->edits);
	schedule_changes_begin(building->changes, building->schedule);
	renew_all(&changing);
	add_all(&changing);
}

void replay_base_leave(struct building *building)
{
	free(building->moved);
}
