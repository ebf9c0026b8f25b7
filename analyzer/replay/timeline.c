#include "replay/timeline_private.h"

#include "memory.h"

#include <stdlib.h>

uint32_t *timeline_places(const struct model *model)
{
	uint32_t *places = memory_array(model->trace->operation_count, sizeof(*places));

	for (size_t i = 0; i < model->operation_count; i++)
		places[model->operations[i].operation - model->trace->operations] = (uint32_t)i;
	return places;
}

/* A call's end, to sort by. */
struct call_end {
	int64_t end_ns;
	uint32_t call;
};

static int compare_ends(const void *a, const void *b)
{
	const struct call_end *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

/* Each call follows the one before it in its thread; a thread's first follows the last call of any
 * thread that had returned by then, for something there may have started the thread. */
static void chain_calls(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	struct call_end *ends = memory_array(trace->call_count, sizeof(*ends));
	struct map threads = {0};
	size_t ended = 0;

	for (size_t i = 0; i < trace->call_count; i++)
		ends[i] = (struct call_end){trace->calls[i].end_ns, (uint32_t)i};
	qsort(ends, trace->call_count, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t before = map_find(&threads, call->thread_id);

		while (ended < trace->call_count && ends[ended].end_ns <= call->start_ns)
			ended++;
		if (before == MAP_NONE && ended > 0)
			before = ends[ended - 1].call;
		timeline->calls[i].before = before == MAP_NONE ? NO_CALL : (uint32_t)before;
		timeline->calls[i].gap_ns =
			call->start_ns -
			(before == MAP_NONE ? timeline->origin_ns : trace->calls[before].end_ns);
		map_set(&threads, call->thread_id, i);
	}
	map_free(&threads);
	free(ends);
}

static void measure_span(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;

	timeline->origin_ns = INT64_MAX;
	timeline->end_ns = INT64_MIN;
	for (size_t i = 0; i < trace->call_count; i++) {
		if (trace->calls[i].start_ns < timeline->origin_ns)
			timeline->origin_ns = trace->calls[i].start_ns;
		if (trace->calls[i].end_ns > timeline->end_ns)
			timeline->end_ns = trace->calls[i].end_ns;
	}
	for (size_t i = 0; i < trace->operation_count; i++) {
		if (trace->operations[i].start_ns < timeline->origin_ns)
			timeline->origin_ns = trace->operations[i].start_ns;
		if (trace->operations[i].end_ns > timeline->end_ns)
			timeline->end_ns = trace->operations[i].end_ns;
	}
	if (timeline->origin_ns > timeline->end_ns)
		timeline->origin_ns = timeline->end_ns = 0;
}

struct timeline *timeline_build(const struct model *model)
{
	struct timeline *timeline = memory_array(1, sizeof(*timeline));

	timeline->model = model;
	timeline->calls = memory_array(model->trace->call_count, sizeof(*timeline->calls));
	timeline->operations = memory_array(model->operation_count, sizeof(*timeline->operations));
	measure_span(timeline);
	chain_calls(timeline);
	timeline_find_waits(timeline);
	timeline_calibrate(timeline);
	return timeline;
}

void timeline_free(struct timeline *timeline)
{
	free(timeline->waits);
	free(timeline->operations);
	free(timeline->calls);
	free(timeline);
}

int64_t timeline_measured_ns(const struct timeline *timeline)
{
	return timeline->end_ns - timeline->origin_ns;
}

/* The tasks: a call's end each, then the model's nodes. */
struct building {
	const struct timeline *timeline;
	const struct edits *edits; /* NULL: none */
	struct schedule_task *tasks;
	struct schedule_edge *edges;
	size_t edge_count, edge_capacity;
};

static task_index node_task(const struct building *building, node_index node)
{
	return (task_index)building->timeline->model->trace->call_count + node;
}

static bool has_edit(const struct building *building, size_t operation, enum edit edit)
{
	return building->edits && building->edits->operations[operation] & edit;
}

static void add_edge(struct building *building, task_index from, task_index to, int64_t lag_ns)
{
	building->edges = memory_grow(building->edges, building->edge_count,
				      &building->edge_capacity, sizeof(*building->edges));
	building->edges[building->edge_count++] = (struct schedule_edge){from, to, lag_ns};
}

/* From the call before, or from the beginning: so long after it. */
static void follow(struct building *building, const struct timeline_call *call, task_index task,
		   int64_t lag_ns)
{
	if (call->before == NO_CALL)
		building->tasks[task].earliest_ns = call->gap_ns + lag_ns;
	else
		add_edge(building, call->before, task, call->gap_ns + lag_ns);
}

static void add_calls(struct building *building)
{
	const struct timeline *timeline = building->timeline;

	for (size_t i = 0; i < timeline->model->trace->call_count; i++) {
		building->tasks[i].engine = SCHEDULE_NO_ENGINE;
		follow(building, &timeline->calls[i], (task_index)i, timeline->calls[i].own_ns);
	}
	for (size_t i = 0; i < timeline->wait_count; i++) {
		const struct timeline_wait *wait = &timeline->waits[i];

		if (!building->edits || !(building->edits->calls[wait->call] & EDIT_NO_WAIT))
			add_edge(building, node_task(building, wait->node), wait->call,
				 wait->lag_ns);
	}
}

static int64_t duration_of(const struct building *building, size_t index)
{
	const struct model *model = building->timeline->model;
	const struct trace_operation *operation = model->operations[index].operation;
	int64_t duration_ns = operation->end_ns - operation->start_ns, pinned_ns;
	double rate = model->pinned_bytes_per_ns[operation->engine];

	if (!has_edit(building, index, EDIT_PIN) || rate <= 0)
		return duration_ns;
	pinned_ns = (int64_t)((double)operation->size_bytes / rate);
	return pinned_ns < duration_ns ? pinned_ns : duration_ns;
}

static void add_operation(struct building *building, size_t index)
{
	const struct timeline *timeline = building->timeline;
	const struct model_operation *place = &timeline->model->operations[index];
	const struct timeline_operation *row = &timeline->operations[index];
	const struct trace_operation *operation = place->operation;
	task_index task = node_task(building, place->node);
	int64_t lag_ns = row->order_lag_ns;

	building->tasks[task] = (struct schedule_task){
		.duration_ns = duration_of(building, index),
		.release_ns = row->release_ns,
		.given_ns = operation->start_ns,
		.engine = row->engine,
		.share = row->share,
	};
	if (building->tasks[task].duration_ns + row->release_ns < 0)
		building->tasks[task].release_ns = 0;
	if (operation->call)
		follow(building, &timeline->calls[operation->call - timeline->model->trace->calls],
		       task, row->enqueue_lag_ns);
	else if (!row->has_order && !row->has_barrier && !row->has_needs)
		building->tasks[task].earliest_ns = operation->start_ns - timeline->origin_ns;
	if (row->has_order && !has_edit(building, index, EDIT_FREE_STREAM))
		add_edge(building, node_task(building, place->order), task, lag_ns);
	if (row->has_barrier && !has_edit(building, index, EDIT_FREE_BARRIER))
		add_edge(building, node_task(building, place->barrier_order), task, lag_ns);
	if (row->has_needs)
		add_edge(building, node_task(building, place->needs), task, lag_ns);
}

static void add_joins(struct building *building)
{
	const struct model *model = building->timeline->model;

	for (node_index i = 0; i < model->node_count; i++) {
		const struct model_node *node = &model->nodes[i];

		if (node->operation != NODE_IS_JOIN)
			continue;
		building->tasks[node_task(building, i)].engine = SCHEDULE_NO_ENGINE;
		if (node->first != NODE_NONE)
			add_edge(building, node_task(building, node->first), node_task(building, i),
				 0);
		if (node->second != NODE_NONE)
			add_edge(building, node_task(building, node->second),
				 node_task(building, i), 0);
	}
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

int64_t timeline_replay(const struct timeline *timeline, const struct edits *edits)
{
	const struct model *model = timeline->model;
	size_t task_count = model->trace->call_count + model->node_count;
	struct building building = {
		.timeline = timeline,
		.edits = edits,
		.tasks = memory_array(task_count, sizeof(*building.tasks)),
	};
	struct schedule_time *times = memory_array(task_count, sizeof(*times));
	struct schedule schedule;
	int64_t first_ready_ns, as_given_ns;

	add_calls(&building);
	add_joins(&building);
	for (size_t i = 0; i < model->operation_count; i++)
		add_operation(&building, i);
	schedule = (struct schedule){building.tasks, building.edges, task_count,
				     building.edge_count, model->device_count * ENGINE_COUNT};
	first_ready_ns = run(&schedule, SCHEDULE_FIRST_READY, times);
	as_given_ns = run(&schedule, SCHEDULE_AS_GIVEN, times);
	free(times);
	free(building.edges);
	free(building.tasks);
	return as_given_ns >= 0 && as_given_ns < first_ready_ns ? as_given_ns : first_ready_ns;
}
