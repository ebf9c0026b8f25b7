#include "replay/timeline_private.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

static uint32_t *to_model_of(const struct model *model)
{
	uint32_t *to_model = memory_array(model->trace->operation_count, sizeof(*to_model));

	for (size_t i = 0; i < model->operation_count; i++)
		to_model[model->operations[i].operation - model->trace->operations] = (uint32_t)i;
	return to_model;
}

static int compare_indexes(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The trace's operations are by their starts. */
static uint32_t *given_order(const struct trace *trace, const uint32_t *to_model)
{
	uint32_t *given = memory_array(trace->operation_count, sizeof(*given));
	size_t first = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		given[i] = to_model[i];
		if (trace->operations[i].start_ns != trace->operations[first].start_ns)
			first = i;
		if (i > first)
			qsort(given + first, i + 1 - first, sizeof(*given), compare_indexes);
	}
	return given;
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

/* Threads that hand the work over to each other make many calls before the next one makes any. */
#define CALLS_A_TURN 8

/* Whether threads wait for each other (a framework's own thread for the backward pass): no two are
 * ever in a call at once, and each makes many calls in a row. Threads that run side by side
 * alternate by chance, a call or two at a time. */
static bool threads_take_turns(const struct trace *trace)
{
	size_t turns = 1;
	int64_t left_ns = INT64_MIN;

	for (size_t i = 0; i < trace->call_count; i++) {
		if (i > 0 && trace->calls[i].thread_id != trace->calls[i - 1].thread_id) {
			turns++;
			if (trace->calls[i].start_ns < left_ns)
				return false;
		}
		left_ns = max_ns(left_ns, trace->calls[i].end_ns);
	}
	return turns > 2 && trace->call_count / turns >= CALLS_A_TURN;
}

/* The call of the thread's group that ended last, if that was after the thread's own. first: of the
 * window. */
static size_t later_of(const struct trace *trace, size_t own, size_t of_group, size_t first)
{
	if (own == MAP_NONE || of_group == MAP_NONE || of_group < first ||
	    trace->calls[of_group].end_ns <= trace->calls[own].end_ns)
		return own;
	return of_group;
}

/* Each call follows the one before it in its thread, or in the group of threads that take turns with
 * it (model/thread_groups.h). A thread's first follows the last call of any
 * thread that had returned by then, for something there may have started the thread; so does the
 * first of each turn where threads take turns. */
static void chain_calls(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	bool take_turns = threads_take_turns(trace);
	uint32_t *joined = timeline_find_joins(trace);
	struct call_end *ends = memory_array(trace->call_count, sizeof(*ends));
	struct map threads = {0}, groups = {0}; /* groups: the call that ended last */
	size_t ended = 0, first = 0;		/* of the window */

	for (size_t i = 0; i < trace->call_count; i++)
		ends[i] = (struct call_end){trace->calls[i].end_ns, (uint32_t)i};
	qsort(ends, trace->call_count, sizeof(*ends), compare_ends);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		size_t before;

		if (timeline->windows &&
		    timeline_window_of(timeline, call->start_ns) !=
			    timeline_window_of(timeline, trace->calls[first].start_ns)) {
			map_free(&threads);
			threads = (struct map){0};
			first = i;
		}
		before = map_find(&threads, call->thread_id);
		while (ended < trace->call_count && ends[ended].end_ns <= call->start_ns &&
		       ends[ended].call < i) {
			map_set(&groups, timeline->model->thread_groups[ends[ended].call],
				ends[ended].call);
			ended++;
		}
		if ((before == MAP_NONE ||
		     (take_turns && call->thread_id != trace->calls[i - 1].thread_id)) &&
		    ended > 0 && ends[ended - 1].call >= first)
			before = ends[ended - 1].call;
		before = later_of(trace, before,
				  map_find(&groups, timeline->model->thread_groups[i]), first);
		if (joined[i] != NO_CALL && joined[i] >= first)
			before = joined[i];
		timeline->calls[i].before = before == MAP_NONE ? NO_CALL : (uint32_t)before;
		timeline->calls[i].gap_ns =
			call->start_ns -
			(before == MAP_NONE ? timeline->origin_ns : trace->calls[before].end_ns);
		map_set(&threads, call->thread_id, i);
	}
	map_free(&groups);
	map_free(&threads);
	free(ends);
	free(joined);
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

static void take_steps(struct timeline *timeline)
{
	struct model_step *steps = model_steps(timeline->model->trace, &timeline->step_count);

	timeline->steps = memory_array(timeline->step_count, sizeof(*timeline->steps));
	for (size_t i = 0; i < timeline->step_count; i++)
		timeline->steps[i] = (struct timeline_step){steps[i].kind, steps[i].index};
	free(steps);
}

struct timeline *timeline_build(const struct model *model)
{
	struct timeline *timeline = memory_array(1, sizeof(*timeline));

	timeline->model = model;
	timeline->memory = memory_array(1, sizeof(*timeline->memory));
	timeline->calls = memory_array(model->trace->call_count, sizeof(*timeline->calls));
	timeline->operations = memory_array(model->operation_count, sizeof(*timeline->operations));
	timeline->host_functions =
		memory_array(model->trace->host_function_count, sizeof(*timeline->host_functions));
	timeline->to_model = to_model_of(model);
	timeline->given = given_order(model->trace, timeline->to_model);
	take_steps(timeline);
	measure_span(timeline);
	timeline_find_windows(timeline);
	chain_calls(timeline);
	timeline_find_waits(timeline);
	timeline_calibrate(timeline);
	timeline_find_tool_time(timeline);
	return timeline;
}

void timeline_rest(const struct timeline *timeline)
{
	free(timeline->memory->tasks);
	free(timeline->memory->edges);
	room_free(&timeline->memory->times);
	room_free(&timeline->memory->given);
	schedule_memory_free(&timeline->memory->schedule);
	*timeline->memory = (struct replay_memory){0};
}

void timeline_free(struct timeline *timeline)
{
	timeline_rest(timeline);
	free(timeline->memory);
	free(timeline->steps);
	free(timeline->given);
	free(timeline->to_model);
	free(timeline->waits);
	free(timeline->baselines_ns);
	free(timeline->windows);
	free(timeline->host_functions);
	free(timeline->operations);
	free(timeline->calls);
	free(timeline);
}

int64_t timeline_measured_ns(const struct timeline *timeline)
{
	return timeline->windows ? timeline_sum_windows(timeline, NULL)
				 : timeline->end_ns - timeline->origin_ns;
}
