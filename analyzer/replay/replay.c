#include "replay/building.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

/* The tasks with engines in the order of the trace. */
static const task_index *given_order(const struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;
	size_t count = 0,
	       functions = timeline->has_host_engine ? model->trace->host_function_count : 0;
	task_index *given = room_take(&timeline->memory->given, model->operation_count + functions,
				      sizeof(*given));

	for (size_t i = 0; i < model->operation_count; i++) {
		task_index task = building_task_of(building, timeline->given[i]);

		if (building->tasks[task].engine != SCHEDULE_JOIN)
			given[count++] = task;
	}
	for (size_t i = 0; i < functions; i++)
		if (model->trace->host_functions[i].stream)
			given[count++] = building->host_functions[i];
	return given;
}

/* What all windows take. Tasks that are no calls and no operations come before such ones. */
static int64_t sum_windows(const struct building *building, const struct schedule_time *times)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;
	int64_t *ends_ns = memory_array(model->trace->window_count, sizeof(*ends_ns)), sum_ns;

	for (size_t i = 0; i < model->trace->call_count; i++) {
		size_t window = timeline_window_of(timeline, model->trace->calls[i].start_ns);

		ends_ns[window] = max_ns(ends_ns[window], times[i].end_ns);
	}
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		size_t window = timeline_window_of(timeline, model_enqueue_ns(item->operation));

		ends_ns[window] =
			max_ns(ends_ns[window], times[building_task_of(building, i)].end_ns);
	}
	sum_ns = timeline_sum_windows(timeline, ends_ns);
	free(ends_ns);
	return sum_ns;
}

/* The last end, or -1. */
static int64_t run(const struct building *building, const struct schedule *schedule,
		   enum schedule_order order, struct schedule_time *times)
{
	int64_t end_ns = 0;

	if (!schedule_run(schedule, order, times))
		return -1;
	if (building->timeline->windows)
		return sum_windows(building, times);
	for (size_t i = 0; i < schedule->task_count; i++)
		if (times[i].end_ns > end_ns)
			end_ns = times[i].end_ns;
	return end_ns;
}

/* When its thread reached it: its task is its end. */
static int64_t call_start_ns(const struct building *building, const struct schedule_time *tasks,
			     uint32_t index)
{
	const struct timeline_call *call = &building->timeline->calls[index];
	uint32_t ahead = building_ahead(building, index);
	int64_t start_ns = building_gap_ns(building, index) +
			   (call->before == NO_CALL ? 0 : tasks[call->before].end_ns);

	for (size_t i = call->joins; timeline_is_join_of(building->timeline, i, index); i++)
		start_ns =
			max_ns(start_ns, building_gap_ns(building, index) +
						 tasks[building->timeline->joins[i].ended].end_ns);
	if (ahead != NO_CALL)
		start_ns =
			max_ns(start_ns, tasks[ahead].end_ns + building_work_ns(building, index));
	if (building->gates && building->gates[index])
		start_ns = max_ns(start_ns, tasks[building->gates[index]].end_ns);
	return start_ns;
}

static void keep_times(const struct building *building, const struct schedule_time *tasks,
		       struct timeline_times *times)
{
	const struct timeline *timeline = building->timeline;
	const struct model *model = timeline->model;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		task_index task = building_task_of(building, i);

		times->operations[item->operation - model->trace->operations] =
			(struct span){tasks[task].start_ns, tasks[task].end_ns};
	}
	for (size_t i = 0; i < model->trace->call_count; i++) {
		int64_t start_ns = call_start_ns(building, tasks, (uint32_t)i);
		int64_t waited_ns =
			tasks[i].end_ns - start_ns - building_own_ns(building, (uint32_t)i);

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
 * a replay that would be longer than the run itself falls back on it, or a high end. */
static int64_t run_best(const struct building *building, const struct schedule *schedule,
			struct schedule_time *times, bool keeps_times)
{
	int64_t first_ready_ns = run(building, schedule, SCHEDULE_FIRST_READY, times), given_ns;

	if (building->edits && !building->edits->is_best_case &&
	    first_ready_ns <= timeline_measured_ns(building->timeline))
		return first_ready_ns;
	given_ns = run(building, schedule, SCHEDULE_AS_GIVEN, times);
	if (given_ns >= 0 && given_ns <= first_ready_ns)
		return given_ns;
	return keeps_times ? run(building, schedule, SCHEDULE_FIRST_READY, times) : first_ready_ns;
}

/* Room for the tasks that are there in every replay, filled by building_add_calls() and
 * building_add_needs(). */
static struct schedule_task *first_tasks(struct replay_memory *memory, size_t count)
{
	if (memory->task_capacity < count) {
		free(memory->tasks);
		memory->tasks = memory_array(count + count / 16, sizeof(*memory->tasks));
		memory->task_capacity = count + count / 16;
	}
	return memory->tasks;
}

/* Whether the operations are in other streams than they were. */
static bool are_moved(const struct model *model, const struct edits *edits)
{
	bool is_any = edits && edits->added.count;

	for (size_t i = 0; edits && !is_any && i < model->operation_count; i++)
		is_any = edits->streams[i] !=
			 (uint32_t)(model->operations[i].operation->stream - model->trace->streams);
	for (size_t i = 0; edits && !is_any && i < model->trace->host_function_count; i++)
		is_any = edits->host_functions[i] & EDIT_TO_THREAD;
	return is_any;
}

/* Fills in the needs; own: those that are of these edits alone. */
static void find_needs(struct building *building, struct needs **own)
{
	const struct timeline *timeline = building->timeline;
	const struct edits *edits = building->edits;
	size_t streams = timeline->model->trace->stream_count;

	if (are_moved(timeline->model, edits)) {
		building->needs = *own = needs_find(timeline, edits, streams + edits->added.count);
		return;
	}
	if (!timeline->memory->needs)
		timeline->memory->needs = needs_find(timeline, NULL, streams);
	building->needs = timeline->memory->needs;
}

static void build(struct building *building)
{
	const struct timeline *timeline = building->timeline;
	const struct trace *trace = building_trace(building);

	building->task_count =
		trace->call_count + timeline->model->operation_count + building->needs->join_count;
	building->tasks = first_tasks(timeline->memory, building->task_count);
	building->edges = timeline->memory->edges;
	building->host_functions = memory_array(trace->host_function_count, sizeof(task_index));
	for (size_t i = 0; i < trace->host_function_count; i++)
		building->host_functions[i] = NO_TASK;
	if (building->edits)
		building->moved = timeline_move_waits(timeline, building->edits);
	building_add_touches(building);
	building_add_calls(building);
	building_add_needs(building);
	building_init_order(building);
	building_init_queues(building);
	building_add_steps(building);
	timeline->memory->tasks = building->tasks;
	timeline->memory->edges = building->edges;
}

/* kept: NULL, or where the times go. */
static int64_t replay(const struct timeline *timeline, const struct edits *edits,
		      struct timeline_times *kept)
{
	struct replay_memory *memory = timeline->memory;
	struct building building = {.timeline = timeline, .edits = edits};
	struct schedule schedule;
	struct schedule_time *times;
	struct needs *own_needs = NULL;
	int64_t end_ns;

	find_needs(&building, &own_needs);
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
	end_ns = run_best(&building, &schedule, times, kept != NULL);
	if (kept && end_ns >= 0)
		keep_times(&building, times, kept);
	free(building.gates);
	free(building.moved);
	free(building.host_functions);
	building_free_queues(&building);
	building_free_order(&building);
	needs_free(own_needs);
	return end_ns;
}

int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits)
{
	return replay(timeline, edits, NULL);
}

int64_t timeline_replay_times(const struct timeline *timeline, const struct edits *edits,
			      struct timeline_times *times)
{
	const struct trace *trace = timeline->model->trace;

	times->operations = memory_array(trace->operation_count, sizeof(*times->operations));
	times->calls = memory_array(trace->call_count, sizeof(*times->calls));
	times->waited_ns = memory_array(trace->call_count, sizeof(*times->waited_ns));
	times->host_functions =
		memory_array(trace->host_function_count, sizeof(*times->host_functions));
	return replay(timeline, edits, times);
}

void timeline_times_free(struct timeline_times *times)
{
	free(times->host_functions);
	free(times->waited_ns);
	free(times->calls);
	free(times->operations);
}
