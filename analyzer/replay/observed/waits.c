/*
 * Finds what each call waits for, and its own time with nothing to wait for. A call's class tells
 * what it can wait for (the runtime's manual, and measurements of an H100's driver:
 * samples/sync_matrix). The times tell whether it did: an operation that ended after the call's
 * return was not waited for.
 */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "model/order.h"
#include "replay/observed/ends.h"
#include "replay/observed/own_waits.h"
#include "replay/observed/polls.h"
#include "replay/observed/timeline_private.h"

#include <stdlib.h>

#define NO_OPERATION UINT32_MAX

/* The last operation or host function of a stream so far, as in struct timeline_wait. */
struct last_end {
	uint32_t operation;
	uint32_t waited_thread;	   /* the thread that waited for it last, */
	uint32_t waited_operation; /* and what was the last one then */
};

/* All, for the host waits for all: that an operation runs behind the function is what its fix changes.
 * branch: of the graph that came last, the branch in another stream that ended last. */
struct stream_end {
	struct last_end operation, function, branch;
};

struct finding_waits {
	struct timeline *timeline;
	const struct model *model;
	struct stream_end *streams; /* by index in trace.streams */
	uint32_t *active;	    /* streams with operations */
	size_t active_count;
	/* Handles to what they were recorded behind. */
	struct map events, event_functions, event_branches;
	struct polls polls;
	struct map own;	  /* of a stream and a thread: the thread's last operation there */
	size_t capacity;  /* of timeline->waits */
	uint32_t *by_end; /* indexes in trace.operations, by their ends */
};

static const struct trace *trace_of(const struct finding_waits *finding)
{
	return finding->model->trace;
}

static int64_t end_of(const struct finding_waits *finding, uint32_t operation)
{
	const struct model *model = finding->model;

	return timeline_is_function(finding->timeline, operation)
		       ? model->trace->host_functions[operation - model->operation_count].end_ns
		       : model->operations[operation].operation->end_ns;
}

static void add_wait(struct finding_waits *finding, struct timeline_wait wait)
{
	struct timeline *timeline = finding->timeline;

	timeline->waits = memory_grow(timeline->waits, timeline->wait_count, &finding->capacity,
				      sizeof(*timeline->waits));
	timeline->waits[timeline->wait_count++] = wait;
}

static uint32_t index_of(const struct finding_waits *finding,
			 const struct trace_operation *operation)
{
	return finding->timeline->to_model[operation - trace_of(finding)->operations];
}

/* Unless the same thread has waited for it before: by then the thread's own order says it. */
static void wait_for_end(struct finding_waits *finding, uint32_t call, struct last_end *end,
			 bool is_of_stream)
{
	uint32_t thread = trace_of(finding)->calls[call].form->thread_id;

	if (end->operation == NO_OPERATION ||
	    (end->waited_operation == end->operation && end->waited_thread == thread))
		return;
	end->waited_operation = end->operation;
	end->waited_thread = thread;
	add_wait(finding, (struct timeline_wait){call, end->operation, 0, is_of_stream});
}

static void wait_for_stream(struct finding_waits *finding, uint32_t call, uint32_t stream)
{
	wait_for_end(finding, call, &finding->streams[stream].operation, true);
	wait_for_end(finding, call, &finding->streams[stream].function, false);
	wait_for_end(finding, call, &finding->streams[stream].branch, false);
}

/* Waits for all streams, or for those covered by synchronizing with the named one; in the call's
 * context, if recorded. */
static void wait_for_streams(struct finding_waits *finding, uint32_t call,
			     const struct trace_stream *named)
{
	const struct trace *trace = trace_of(finding);
	const uint32_t context_id = trace->calls[call].form->context_id;

	for (size_t i = 0; i < finding->active_count; i++) {
		const struct trace_stream *stream = &trace->streams[finding->active[i]];

		if ((!context_id || stream->context_id == context_id) &&
		    (!named || order_sync_covers(named, stream)))
			wait_for_stream(finding, call, finding->active[i]);
	}
}

static void wait_for_named_stream(struct finding_waits *finding, uint32_t call)
{
	const struct trace *trace = trace_of(finding);
	const struct trace_stream *stream = model_stream_of(finding->model, &trace->calls[call]);

	if (stream && stream->flag == STREAM_NULL)
		wait_for_streams(finding, call, stream);
	else if (stream)
		wait_for_stream(finding, call, (uint32_t)(stream - trace->streams));
}

static void record_event(struct finding_waits *finding, const struct trace_call *call)
{
	const struct trace_stream *stream = model_stream_of(finding->model, call);
	const struct stream_end *end;

	if (!stream)
		return;
	end = &finding->streams[stream - trace_of(finding)->streams];
	map_set(&finding->events, call->form->object, end->operation.operation);
	map_set(&finding->event_functions, call->form->object, end->function.operation);
	map_set(&finding->event_branches, call->form->object, end->branch.operation);
}

static void wait_for_recorded(struct finding_waits *finding, uint32_t index,
			      const struct map *events, bool is_of_stream)
{
	size_t found = map_find(events, trace_of(finding)->calls[index].form->object);

	if (found != MAP_NONE && found != NO_OPERATION)
		add_wait(finding, (struct timeline_wait){index, (uint32_t)found, 0, is_of_stream});
}

static void wait_for_event(struct finding_waits *finding, uint32_t index)
{
	wait_for_recorded(finding, index, &finding->events, true);
	wait_for_recorded(finding, index, &finding->event_functions, false);
	wait_for_recorded(finding, index, &finding->event_branches, false);
}

static void wait_for_own(struct finding_waits *finding, uint32_t index)
{
	const struct trace_call *call = &trace_of(finding)->calls[index];

	if (call->operation && own_waits_is_one(call))
		add_wait(finding, (struct timeline_wait){index, index_of(finding, call->operation),
							 0, false});
}

/* A host that asks until work is done waits for it with the last query. */
static void wait_for_queried(struct finding_waits *finding, uint32_t index)
{
	const struct trace_call *call = &trace_of(finding)->calls[index];

	if (call->form->result || !polls_before(&finding->polls, call))
		return;
	if (call->form->function->class == CLASS_STREAM_QUERY)
		wait_for_named_stream(finding, index);
	else
		wait_for_event(finding, index);
}

/* What the call's class can wait for. */
static void add_possible(struct finding_waits *finding, uint32_t index)
{
	const struct trace_call *call = &trace_of(finding)->calls[index];

	switch (call->form->function->class) {
	case CLASS_DEVICE_SYNC:
		wait_for_streams(finding, index, NULL);
		break;
	case CLASS_STREAM_SYNC:
		wait_for_named_stream(finding, index);
		break;
	case CLASS_EVENT_SYNC:
		wait_for_event(finding, index);
		break;
	case CLASS_FREE:
	case CLASS_HOST_FREE:
	case CLASS_UNREGISTER:
		if (!call->form->has_stream)
			wait_for_streams(finding, index, NULL);
		break;
	case CLASS_COPY:
	case CLASS_SET:
		wait_for_own(finding, index);
		break;
	case CLASS_EVENT_RECORD:
		record_event(finding, call);
		break;
	case CLASS_STREAM_QUERY:
	case CLASS_EVENT_QUERY:
		wait_for_queried(finding, index);
		break;
	default:
		break;
	}
}

static uint64_t own_key(const struct finding_waits *finding,
			const struct trace_operation *operation, const struct trace_call *call)
{
	return (uint64_t)(operation->form->stream - trace_of(finding)->streams) << 32 |
	       call->form->thread_id;
}

/* What other threads launched meanwhile can have come behind the call, though their calls began
 * before it. What its own thread launched before it has not. */
static uint32_t own_before(const struct finding_waits *finding, const struct trace_call *call,
			   uint32_t operation)
{
	const struct trace_operation *others;
	size_t own;

	if (timeline_is_function(finding->timeline, operation))
		return operation;
	others = finding->model->operations[operation].operation;
	if (!others->call || others->call->form->thread_id == call->form->thread_id)
		return operation;
	own = map_find(&finding->own, own_key(finding, others, call));
	return own == MAP_NONE ? operation : (uint32_t)own;
}

/* Takes back what ended after the call had returned, all of it when the class waits for all or
 * nothing; true when something that the call waited for ended inside it. */
static bool keep_confirmed(struct finding_waits *finding, uint32_t index, size_t first)
{
	struct timeline *timeline = finding->timeline;
	const struct trace_call *call = &trace_of(finding)->calls[index];
	const struct trace_call *poll = polls_before(&finding->polls, call);
	enum function_class class = call->form->function->class;
	bool is_all = class == CLASS_FREE || class == CLASS_HOST_FREE || class == CLASS_UNREGISTER;
	size_t kept = first;
	int64_t last_ns = INT64_MIN;

	for (size_t i = first; i < timeline->wait_count; i++) {
		int64_t end_ns = end_of(finding, timeline->waits[i].operation);

		if (end_ns > call->end_ns && class == CLASS_STREAM_SYNC) {
			timeline->waits[i].operation =
				own_before(finding, call, timeline->waits[i].operation);
			end_ns = end_of(finding, timeline->waits[i].operation);
		}
		if (end_ns > call->end_ns && class != CLASS_COPY) {
			if (!is_all || timeline_is_function(timeline, timeline->waits[i].operation))
				continue;
			timeline->wait_count = first;
			return false;
		}
		last_ns = max_ns(end_ns, last_ns);
		timeline->waits[kept++] = timeline->waits[i];
	}
	timeline->wait_count = kept;
	if (last_ns <= (poll ? poll : call)->start_ns)
		return false;
	for (size_t i = first; i < kept; i++)
		timeline->waits[i].lag_ns = call->end_ns - last_ns;
	return true;
}

/* A wait of a call whose class does not wait: it took long, and returned right after the end of an
 * operation that was running when it began. */
static bool add_surprise(struct finding_waits *finding, uint32_t index)
{
	const struct trace_call *call = &trace_of(finding)->calls[index];
	const struct trace_operation *operation;

	if (call->end_ns - call->start_ns < SURPRISE_NS)
		return false;
	operation = ends_last_by(trace_of(finding), finding->by_end, call->end_ns);
	if (!operation || operation->end_ns - call->start_ns < SURPRISE_NS ||
	    call->end_ns - operation->end_ns > SURPRISE_NS ||
	    model_enqueue_ns(operation) >= call->start_ns)
		return false;
	add_wait(finding, (struct timeline_wait){index, index_of(finding, operation),
						 call->end_ns - operation->end_ns, false});
	return true;
}

static struct stream_end *end_in(struct finding_waits *finding, const struct trace_stream *stream)
{
	uint32_t index = (uint32_t)(stream - trace_of(finding)->streams);
	struct stream_end *end = &finding->streams[index];

	if (end->operation.operation == NO_OPERATION && end->function.operation == NO_OPERATION &&
	    end->branch.operation == NO_OPERATION)
		finding->active[finding->active_count++] = index;
	return end;
}

static void pass_operation(struct finding_waits *finding, const struct trace_operation *operation)
{
	uint32_t index = index_of(finding, operation);
	struct stream_end *end = end_in(finding, operation->form->stream);

	end->operation.operation = index;
	end->branch.operation = NO_OPERATION; /* the operation is behind it */
	if (operation->call)
		map_set(&finding->own, own_key(finding, operation, operation->call), index);
}

static void pass_branch(struct finding_waits *finding, const struct trace_event_wait *wait)
{
	const uint32_t index = index_of(finding, &trace_of(finding)->operations[wait->before - 1]);
	struct last_end *branch = &end_in(finding, wait->waiter)->branch;

	if (branch->operation == NO_OPERATION ||
	    end_of(finding, branch->operation) < end_of(finding, index))
		branch->operation = index;
}

static void pass_step(struct finding_waits *finding, const struct model_place *step)
{
	const struct trace *trace = trace_of(finding);

	if (step->kind == STEP_OPERATION)
		pass_operation(finding, &trace->operations[step->index]);
	else if (step->kind == STEP_HOST_FUNCTION)
		end_in(finding, trace->host_functions[step->index].stream)->function.operation =
			(uint32_t)finding->model->operation_count + step->index;
	else if (step->kind == STEP_WAIT && trace_ends_branch(&trace->event_waits[step->index]))
		pass_branch(finding, &trace->event_waits[step->index]);
}

/* Calls of the same ns are in their order. */
static bool is_before(const struct finding_waits *finding, const struct model_place *step,
		      const struct trace_call *call)
{
	const struct trace *trace = trace_of(finding);
	const struct trace_operation *operation;

	switch (step->kind) {
	case STEP_OPERATION:
		operation = &trace->operations[step->index];
		return operation->call ? operation->call < call
				       : operation->start_ns < call->start_ns;
	case STEP_HOST_FUNCTION:
		return trace->host_functions[step->index].call < call;
	case STEP_RECORD:
		return trace->event_waits[step->index].record_ns < call->start_ns;
	case STEP_WAIT:
		return trace->event_waits[step->index].wait_ns < call->start_ns;
	}
	return false;
}

static void pass_calls(struct finding_waits *finding, bool *has_waited)
{
	const struct trace *trace = trace_of(finding);
	size_t next = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		size_t first = finding->timeline->wait_count;

		while (next < finding->timeline->step_count &&
		       is_before(finding, &finding->timeline->steps[next], &trace->calls[i]))
			pass_step(finding, &finding->timeline->steps[next++]);
		add_possible(finding, (uint32_t)i);
		has_waited[i] = keep_confirmed(finding, (uint32_t)i, first) ||
				add_surprise(finding, (uint32_t)i);
		polls_note(&finding->polls, &trace->calls[i]);
	}
}

static int compare_waits(const void *a, const void *b)
{
	const struct timeline_wait *x = a, *y = b;

	if (x->operation != y->operation)
		return x->operation < y->operation ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

void timeline_find_waits(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	const struct last_end none = {.operation = NO_OPERATION, .waited_operation = NO_OPERATION};
	struct finding_waits finding = {
		.timeline = timeline,
		.model = timeline->model,
		.streams = memory_array(trace->stream_count, sizeof(*finding.streams)),
		.active = memory_array(trace->stream_count, sizeof(*finding.active)),
		.by_end = ends_sort(trace),
		.polls = {.trace = trace},
	};
	bool *has_waited = memory_array(trace->call_count, sizeof(*has_waited));

	for (size_t i = 0; i < trace->stream_count; i++)
		finding.streams[i] = (struct stream_end){none, none, none};
	pass_calls(&finding, has_waited);
	timeline_find_own_times(timeline, has_waited);
	if (timeline->wait_count)
		qsort(timeline->waits, timeline->wait_count, sizeof(*timeline->waits),
		      compare_waits);
	timeline_find_return_lag(timeline);
	map_free(&finding.own);
	polls_free(&finding.polls);
	map_free(&finding.event_branches);
	map_free(&finding.event_functions);
	map_free(&finding.events);
	free(has_waited);
	free(finding.by_end);
	free(finding.active);
	free(finding.streams);
}
