/*
 * What each operation's constraints take beyond themselves, and which share of its engine it needs.
 */
#include "base/event_heap.h"
#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "model/queues.h"
#include "replay/observed/timeline_private.h"

#include <stdlib.h>

/* What an operation's constraints came to in the trace. */
struct bounds {
	int64_t call_ns, order_ns, engine_ns; /* INT64_MIN: none */
	/* The start of what came before it in its hardware queue, from another stream. */
	int64_t queue_ns;
	/* The operation whose end freed the engine, by index in model.operations; NO_RELEASER: the
	 * beginning of a last wave did. */
	uint32_t releaser;
};
#define NO_RELEASER UINT32_MAX

struct calibrating {
	struct timeline *timeline;
	struct bounds *bounds; /* by index in model.operations */
	int64_t *times;	       /* scratch */
};

static const struct trace_operation *operation_at(const struct calibrating *calibrating, size_t i)
{
	return calibrating->timeline->model->operations[i].operation;
}

/* The end of what comes before it, unless the operation started before that. */
static bool keep_constraint(int64_t end_ns, int64_t start_ns, int64_t *until_ns)
{
	if (end_ns == INT64_MIN || end_ns > start_ns)
		return false;
	*until_ns = max_ns(*until_ns, end_ns);
	return true;
}

static void note_constraints(struct calibrating *calibrating, size_t index)
{
	const struct model *model = calibrating->timeline->model;
	const struct model_operation *item = &model->operations[index];
	const struct trace_operation *operation = item->operation;
	struct timeline_operation *row = &calibrating->timeline->operations[index];
	struct bounds *bounds = &calibrating->bounds[index];
	int64_t reuses_ns =
		INT64_MIN; /* its edge is there in edited replays alone, without a lag */

	*bounds = (struct bounds){INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN, 0};
	if (operation->call)
		bounds->call_ns = operation->call->start_ns;
	row->has_order = keep_constraint(item->order_ns, operation->start_ns, &bounds->order_ns);
	row->has_barrier =
		keep_constraint(item->barrier_order_ns, operation->start_ns, &bounds->order_ns);
	row->has_needs = keep_constraint(model->nodes[item->needs].end_ns, operation->start_ns,
					 &bounds->order_ns);
	row->has_reuses =
		keep_constraint(model->nodes[item->reuses].end_ns, operation->start_ns, &reuses_ns);
}

/* An engine as it went through the trace. */
struct passing {
	/* When what runs gives back its share, by index in model.operations: at its end, and at the
	 * beginning of its last wave. */
	struct event_heap running;
	uint32_t room;
};

static void passing_add(struct passing *passing, const struct calibrating *calibrating,
			uint32_t index)
{
	const struct timeline_operation *row = &calibrating->timeline->operations[index];
	int64_t end_ns = operation_at(calibrating, index)->end_ns;

	passing->room -= row->share;
	if (row->tail_ns)
		event_heap_push(&passing->running, (struct event){end_ns - row->tail_ns, index,
								  row->share - row->tail_share});
	event_heap_push(&passing->running,
			(struct event){end_ns, index, row->tail_ns ? row->tail_share : row->share});
}

/* An operation that was ready before a last wave began, had room beside it, and yet started only
 * when that had ended, shows that there was none. */
static bool leaves_no_room(const struct passing *passing, struct event wave, int64_t end_ns,
			   uint32_t share, const struct bounds *bounds, int64_t start_ns)
{
	return wave.time_ns < end_ns && end_ns <= start_ns && passing->room + wave.share >= share &&
	       max_ns(bounds->call_ns, bounds->order_ns) <= wave.time_ns;
}

/* Removes what has ended by the start. Notes whose end made room for the share, if it had to wait.
 * If an operation runs beside others although their shares leave no room, the first of these to end
 * needs less by then. */
static void make_room(struct passing *passing, const struct calibrating *calibrating,
		      uint32_t share, struct bounds *bounds, int64_t start_ns)
{
	while (passing->running.count) {
		struct event first = passing->running.events[0];
		struct timeline_operation *row = &calibrating->timeline->operations[first.index];
		int64_t end_ns = operation_at(calibrating, first.index)->end_ns;
		bool is_needed = passing->room < share, is_end = first.time_ns == end_ns;

		if (first.time_ns > start_ns && !is_needed)
			return;
		event_heap_pop(&passing->running);
		if (is_needed && leaves_no_room(passing, first, end_ns, share, bounds, start_ns)) {
			row->tail_ns = 0;
			event_heap_push(&passing->running,
					(struct event){end_ns, first.index, first.share});
			continue;
		}
		passing->room += first.share;
		if (first.time_ns > start_ns && is_end) {
			row->release_ns = start_ns - end_ns;
		} else if (first.time_ns > start_ns) {
			row->tail_ns = end_ns - start_ns;
		} else if (is_needed && (is_end || passing->room >= share)) {
			bounds->engine_ns = first.time_ns;
			bounds->releaser = is_end ? first.index : NO_RELEASER;
		}
	}
}

/* Operations in the order of their starts. */
static void note_engines(struct calibrating *calibrating)
{
	struct timeline *timeline = calibrating->timeline;
	const uint32_t *to_model = timeline->to_model;
	const struct trace *trace = timeline->model->trace;
	size_t engine_count = timeline->model->device_count * ENGINE_COUNT;
	struct passing *passings = memory_array(engine_count, sizeof(*passings));

	for (size_t i = 0; i < engine_count; i++)
		passings[i] = (struct passing){.room = OCCUPANCY_WHOLE};
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		struct timeline_operation *row = &timeline->operations[to_model[i]];
		struct passing *passing;

		row->engine = model_engine_of(timeline->model, operation);
		row->share = timeline->model->loads[i].occupancy.share;
		row->tail_share = timeline->model->loads[i].occupancy.tail_share;
		row->tail_ns = timeline->model->loads[i].occupancy.tail_ns;
		passing = &passings[row->engine];
		make_room(passing, calibrating, row->share, &calibrating->bounds[to_model[i]],
			  operation->start_ns);
		passing_add(passing, calibrating, to_model[i]);
	}
	for (size_t i = 0; i < engine_count; i++)
		event_heap_free(&passings[i].running);
	free(passings);
}

/* In the order of being enqueued. */
static void note_queues(struct calibrating *calibrating)
{
	const struct model *model = calibrating->timeline->model;
	struct queues queues = {.number = 0};

	for (size_t i = 0; model->trace->stream_count > 1 && i < model->operation_count; i++) {
		const struct trace_operation *operation = operation_at(calibrating, i);
		const struct trace_operation *before = queues_pass(&queues, operation);

		if (before && before->start_ns <= operation->start_ns)
			calibrating->bounds[i].queue_ns = before->start_ns;
	}
	queues_free(&queues);
}

/* The median time from each constraint's end to the operation's start, for operations that nothing
 * else can have delayed. A kernel that fills the device frees it for the next in its stream with the
 * end that this one is ordered behind: that is an order. Staged copies do not count, nor operations after a staged copy between
 * devices: the driver stages the first part before the record starts, and the last one after its
 * end. */
struct lags {
	int64_t launch_ns; /* from the call's start */
	int64_t order_ns;  /* from the end of what was before it */
	int64_t engine_ns; /* from the end of what freed the engine */
};

static bool is_at_peer_half(const struct calibrating *calibrating, size_t index)
{
	const struct model *model = calibrating->timeline->model;
	const struct trace_operation *operation = operation_at(calibrating, index);
	uint32_t before = model->operations[index].stream;

	return rates_is_peer_half(operation, ENGINE_D2H) ||
	       rates_is_peer_half(operation, ENGINE_H2D) ||
	       (before != MODEL_NO_OPERATION &&
		rates_is_peer_half(&model->trace->operations[before], ENGINE_D2H));
}

enum constraint { FROM_CALL, FROM_ORDER, FROM_ENGINE };

static int64_t typical_lag(struct calibrating *calibrating, enum constraint constraint)
{
	size_t count = 0;

	for (size_t i = 0; i < calibrating->timeline->model->operation_count; i++) {
		const struct bounds *bounds = &calibrating->bounds[i];
		const struct trace_operation *operation = operation_at(calibrating, i);
		/* Enqueued long before: by then the launch had reached the device. */
		int64_t reached_ns = operation->call ? operation->call->end_ns : INT64_MIN;
		int64_t from_ns, other_ns;

		if (rates_is_pageable(operation) || is_at_peer_half(calibrating, i) ||
		    (constraint == FROM_ENGINE && bounds->releaser == NO_RELEASER))
			continue;
		if (constraint == FROM_CALL) {
			from_ns = bounds->call_ns;
			other_ns = max_ns(bounds->order_ns, bounds->engine_ns);
		} else if (constraint == FROM_ORDER) {
			from_ns = bounds->order_ns;
			other_ns = bounds->engine_ns == from_ns
					   ? reached_ns
					   : max_ns(reached_ns, bounds->engine_ns);
		} else {
			from_ns = bounds->engine_ns;
			other_ns = max_ns(reached_ns, bounds->order_ns);
		}
		other_ns = max_ns(other_ns, bounds->queue_ns);
		if (from_ns != INT64_MIN && from_ns > other_ns)
			calibrating->times[count++] = operation->start_ns - from_ns;
	}
	return median_ns(calibrating->times, count);
}

/* Whether the call returned only when what comes before was done, and the operation started right
 * then: what the call did before it enqueued the operation delayed it. */
static bool is_delayed_by_call(const struct trace_operation *operation, int64_t ordered_ns,
			       const struct lags *lags)
{
	const struct trace_call *call = operation->call;

	return call && call->end_ns - call->start_ns >= SURPRISE_NS && call->end_ns > ordered_ns &&
	       operation->start_ns >= call->end_ns - lags->launch_ns &&
	       operation->start_ns <= call->end_ns + lags->launch_ns;
}

/* Sets the lags so that the constraints give the measured start. Unexplained time goes to the call
 * or the order, whichever lasted longer. */
static void settle_lags(struct calibrating *calibrating, size_t index, const struct lags *lags)
{
	const struct bounds *bounds = &calibrating->bounds[index];
	struct timeline_operation *rows = calibrating->timeline->operations, *row = &rows[index];
	int64_t start_ns = operation_at(calibrating, index)->start_ns;
	int64_t reached_ns = INT64_MIN, ordered_ns = INT64_MIN, freed_ns = INT64_MIN;

	if (bounds->call_ns != INT64_MIN) {
		row->enqueue_lag_ns = min_ns(lags->launch_ns, start_ns - bounds->call_ns);
		reached_ns = bounds->call_ns + row->enqueue_lag_ns;
	}
	if (bounds->order_ns != INT64_MIN) {
		row->order_lag_ns = min_ns(lags->order_ns, start_ns - bounds->order_ns);
		ordered_ns = bounds->order_ns + row->order_lag_ns;
	}
	if (bounds->engine_ns != INT64_MIN && bounds->releaser == NO_RELEASER) {
		freed_ns = bounds->engine_ns;
	} else if (bounds->engine_ns != INT64_MIN) {
		rows[bounds->releaser].release_ns =
			min_ns(lags->engine_ns, start_ns - bounds->engine_ns);
		freed_ns = bounds->engine_ns + rows[bounds->releaser].release_ns;
	}
	if (max_ns(max_ns(reached_ns, ordered_ns), freed_ns) == start_ns)
		return;
	if (reached_ns != INT64_MIN &&
	    (reached_ns >= ordered_ns ||
	     is_delayed_by_call(operation_at(calibrating, index), ordered_ns, lags)))
		row->enqueue_lag_ns += start_ns - reached_ns;
	else if (ordered_ns != INT64_MIN)
		row->order_lag_ns += start_ns - ordered_ns;
}

/* The one thread that CUDA runs host functions on is an engine, unless the trace shows several. */
static void calibrate_host_functions(struct timeline *timeline)
{
	const struct model *model = timeline->model;
	const struct trace *trace = model->trace;
	int64_t before_ns = INT64_MIN;

	timeline->has_host_engine = true;
	for (size_t i = 0; i < trace->host_function_count; i++) {
		const struct trace_host_function *function = &trace->host_functions[i];
		struct timeline_host_function *row = &timeline->host_functions[i];
		int64_t ready_ns = INT64_MIN;

		if (!function->stream)
			continue;
		row->has_order = keep_constraint(model->host_function_order_ns[i],
						 function->start_ns, &ready_ns);
		ready_ns = max_ns(ready_ns, min_ns(function->call->start_ns, function->start_ns));
		if (before_ns > function->start_ns)
			timeline->has_host_engine = false;
		else
			ready_ns = max_ns(ready_ns, before_ns);
		row->lag_ns = function->start_ns - ready_ns;
		before_ns = max_ns(before_ns, function->end_ns);
	}
}

void timeline_calibrate(struct timeline *timeline)
{
	const struct model *model = timeline->model;
	struct calibrating calibrating = {
		.timeline = timeline,
		.bounds = memory_array(model->operation_count, sizeof(*calibrating.bounds)),
		.times = memory_array(model->operation_count, sizeof(*calibrating.times)),
	};
	struct lags lags;

	for (size_t i = 0; i < model->operation_count; i++)
		note_constraints(&calibrating, i);
	note_engines(&calibrating);
	note_queues(&calibrating);
	lags.launch_ns = typical_lag(&calibrating, FROM_CALL);
	lags.order_ns = typical_lag(&calibrating, FROM_ORDER);
	lags.engine_ns = typical_lag(&calibrating, FROM_ENGINE);
	timeline->launch_lag_ns = lags.launch_ns;
	timeline->order_lag_ns = lags.order_ns;
	for (size_t i = 0; i < model->operation_count; i++)
		settle_lags(&calibrating, i, &lags);
	calibrate_host_functions(timeline);
	free(calibrating.times);
	free(calibrating.bounds);
}
