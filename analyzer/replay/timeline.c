#include "replay/timeline.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "replay/observed/timeline_private.h"
#include "replay/schedule/replay_bases.h"
#include "replay/schedule/replay_pool.h"
#include "trace/turns.h"

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

	for (size_t i = 0; i < trace->operation_count; i++)
		given[i] = to_model[i];
	for (size_t first = 0, next; first < trace->operation_count; first = next) {
		for (next = first + 1;
		     next < trace->operation_count &&
		     trace->operations[next].start_ns == trace->operations[first].start_ns;)
			next++;
		if (next - first > 1)
			qsort(given + first, next - first, sizeof(*given), compare_indexes);
	}
	return given;
}

/* The calls by their ends, then by themselves. */
static uint32_t *sort_ends(const struct trace *trace)
{
	uint32_t *ends = memory_array(trace->call_count, sizeof(*ends));
	struct sort_key *keys = memory_array(trace->call_count, sizeof(*keys));

	for (size_t i = 0; i < trace->call_count; i++)
		keys[i] = (struct sort_key){sort_signed(trace->calls[i].end_ns), (uint32_t)i};
	sort_by_key_once(keys, trace->call_count);
	for (size_t i = 0; i < trace->call_count; i++)
		ends[i] = keys[i].index;
	free(keys);
	return ends;
}

/* Each call follows the one before it in its thread. A thread's first follows the last call of any
 * thread that had returned by then, for something there may have started the thread; so does the
 * first of each turn where threads take turns. */
static void chain_calls(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace *trace = timeline->model->trace;
	const struct trace_call *calls = trace->calls;
	struct turns turns = turns_find(trace);
	struct map threads = {0};
	size_t ended = 0, first = 0;			     /* of the window */
	size_t in_turn = MAP_NONE, in_turn_ended = MAP_NONE; /* the last of those that take turns */

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
		before = map_find(&threads, call->form->thread_id);
		while (ended < trace->call_count && calls[ends[ended]].end_ns <= call->start_ns &&
		       ends[ended] < i) {
			if (turns_has(&turns, calls[ends[ended]].form->thread_id))
				in_turn_ended = ends[ended];
			ended++;
		}
		if (before == MAP_NONE && ended > 0 && ends[ended - 1] >= first)
			before = ends[ended - 1];
		if (turns_has(&turns, call->form->thread_id)) {
			if (in_turn != MAP_NONE && in_turn_ended != MAP_NONE &&
			    calls[in_turn].form->thread_id != call->form->thread_id &&
			    in_turn_ended >= first)
				before = in_turn_ended;
			in_turn = i;
		}
		timeline->calls[i].before = before == MAP_NONE ? NO_CALL : (uint32_t)before;
		timeline->calls[i].gap_ns =
			call->start_ns -
			(before == MAP_NONE ? timeline->origin_ns : trace->calls[before].end_ns);
		map_set(&threads, call->form->thread_id, i);
	}
	map_free(&threads);
	turns_free(&turns);
}

/* Lets the call follow a call of another thread, if that one ended later than what it followed so
 * far, and in its window. */
static void follow_later(struct timeline *timeline, size_t call, size_t other)
{
	const struct trace_call *calls = timeline->model->trace->calls;
	struct timeline_call *row = &timeline->calls[call];

	if (other == MAP_NONE || row->before == NO_CALL ||
	    calls[other].form->thread_id == calls[call].form->thread_id ||
	    calls[other].end_ns <= calls[row->before].end_ns ||
	    timeline_window_of(timeline, calls[other].start_ns) !=
		    timeline_window_of(timeline, calls[call].start_ns))
		return;
	row->before = (uint32_t)other;
	row->gap_ns = calls[call].start_ns - calls[other].end_ns;
}

/* Where threads take turns (model/thread_groups.h), each call follows the one of them all that ended
 * last. */
static void chain_groups(struct timeline *timeline, const uint32_t *ends)
{
	const struct trace *trace = timeline->model->trace;
	const uint32_t *groups = timeline->model->thread_groups;
	const struct trace_call *calls = trace->calls;

	struct map last = {0}; /* of each group */
	size_t ended = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		for (; ended < trace->call_count &&
		       calls[ends[ended]].end_ns <= trace->calls[i].start_ns && ends[ended] < i;
		     ended++)
			map_set(&last, groups[ends[ended]], ends[ended]);
		follow_later(timeline, i, map_find(&last, groups[i]));
	}
	map_free(&last);
}

/* A call behind joins follows the thread that ended last. */
static void chain_joins(struct timeline *timeline)
{
	const struct trace_call *calls = timeline->model->trace->calls;

	for (size_t i = 0; i < timeline->join_count; i++) {
		const struct timeline_join *join = &timeline->joins[i];
		struct timeline_call *row = &timeline->calls[join->call];

		if (i > 0 && timeline_is_join_of(timeline, i - 1, join->call))
			continue;
		row->joins = (uint32_t)i;
		row->before = join->ended;
		row->gap_ns = calls[join->call].start_ns - calls[join->ended].end_ns;
	}
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

static bool is_behind_graph(const struct model *model, const struct model_operation *item)
{
	const struct trace_operation *before = model_blocker_at(model, item->stream).operation;

	return before && before->call != item->operation->call &&
	       trace_is_graph_launch(before->call);
}

/* What replays read of them again and again. */
static void take_operations(struct timeline *timeline)
{
	const struct model *model = timeline->model;
	const struct trace *trace = model->trace;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		struct timeline_operation *row = &timeline->operations[i];

		row->duration_ns = operation->end_ns - operation->start_ns;
		row->index = (uint32_t)(operation - trace->operations);
		row->call = operation->call ? (uint32_t)(operation->call - trace->calls) : NO_CALL;
		row->stream = (uint32_t)(operation->form->stream - trace->streams);
		row->kind = (uint8_t)operation->form->kind;
		row->is_of_graph = trace_is_graph_launch(operation->call);
		row->is_behind_graph = is_behind_graph(model, &model->operations[i]);
	}
}

static struct timeline *begin_timeline(const struct model *model)
{
	struct timeline *timeline = memory_array(1, sizeof(*timeline));

	timeline->model = model;
	timeline->pool = replay_pool_create();
	timeline->bases = replay_bases_create();
	timeline->to_model = to_model_of(model);
	timeline->steps = model->steps;
	timeline->step_count = model->step_count;
	measure_span(timeline);
	timeline_find_windows(timeline);
	return timeline;
}

static void build_calls(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	uint32_t *ends;

	timeline->calls = memory_array(trace->call_count, sizeof(*timeline->calls));
	timeline_find_joins(timeline);
	ends = sort_ends(trace);
	chain_calls(timeline, ends);
	timeline_chain_handovers(timeline, ends);
	chain_groups(timeline, ends);
	chain_joins(timeline);
	timeline_chain_watchers(timeline, ends);
	free(ends);
	timeline_find_waits(timeline);
}

static void build_operations(struct timeline *timeline)
{
	const struct model *model = timeline->model;

	timeline->operations = memory_array(model->operation_count, sizeof(*timeline->operations));
	timeline->host_functions =
		memory_array(model->trace->host_function_count, sizeof(*timeline->host_functions));
	timeline->given = given_order(model->trace, timeline->to_model);
	take_operations(timeline);
	timeline_calibrate(timeline);
}

/* What calls take and wait for, and what operations come after, do not need each other. */
static void build_half(void *context, size_t half)
{
	if (half)
		build_operations(context);
	else
		build_calls(context);
}

struct timeline *timeline_build_waits(const struct model *model)
{
	struct timeline *timeline = begin_timeline(model);

	build_calls(timeline);
	return timeline;
}

struct timeline *timeline_build(const struct model *model)
{
	struct timeline *timeline = begin_timeline(model);

	parallel_run(2, build_half, timeline);
	timeline_find_tool_time(timeline);
	return timeline;
}

void timeline_rest(const struct timeline *timeline)
{
	replay_bases_rest(timeline);
	replay_pool_rest(timeline->pool);
}

void timeline_free(struct timeline *timeline)
{
	replay_bases_free(timeline, timeline->bases);
	replay_pool_free(timeline->pool);
	free(timeline->given);
	free(timeline->to_model);
	free(timeline->waits);
	free(timeline->baselines_ns);
	free(timeline->parts);
	free(timeline->windows);
	free(timeline->host_functions);
	free(timeline->operations);
	free(timeline->joins);
	free(timeline->calls);
	free(timeline);
}

int64_t timeline_measured_ns(const struct timeline *timeline)
{
	if (timeline->parts)
		return trace_recorded_ns(timeline->model->trace, INT64_MAX);
	return timeline->windows ? timeline_sum_windows(timeline, NULL)
				 : timeline->end_ns - timeline->origin_ns;
}

int64_t timeline_begin_ns(const struct timeline *timeline)
{
	return timeline->origin_ns;
}

const struct trace_call *timeline_call_before(const struct timeline *timeline,
					      const struct trace_call *call)
{
	const struct trace_call *calls = timeline->model->trace->calls;
	const uint32_t before = timeline->calls[call - calls].before;

	return before == NO_CALL ? NULL : &calls[before];
}
