#include "replay/retiming/retimed.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"
#include "model/model.h"
#include "replay/observed/timeline_private.h"
#include "replay/retiming/allocation_times.h"
#include "replay/retiming/loading.h"
#include "replay/retiming/stream_lives.h"
#include "replay/timeline.h"
#include "trace/forms.h"

#include <stdlib.h>
#include <string.h>

struct retimed {
	struct trace trace;
	const struct trace *before;
	const struct edits *edits; /* while it is built */
	struct forms forms;	   /* of its operations */
	struct timeline_times times;
	int64_t origin_ns;
	/* By index here the index in the trace, and the other way round. */
	uint32_t *calls, *operations, *host_functions;
	uint32_t *new_calls, *new_operations;
	uint32_t *to_before; /* by index here: the index in the model before */
	struct observed observed;
};

/* The indexes in the order of the new starts. */
static uint32_t *sort_spans(const struct span *spans, size_t count)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	uint32_t *order = memory_array(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){sort_signed(spans[i].start_ns), (uint32_t)i};
	sort_by_key_once(keys, count);
	for (size_t i = 0; i < count; i++)
		order[i] = keys[i].index;
	free(keys);
	return order;
}

static uint32_t *invert_order(const uint32_t *order, size_t count)
{
	uint32_t *inverse = memory_array(count, sizeof(*inverse));

	for (size_t i = 0; i < count; i++)
		inverse[order[i]] = (uint32_t)i;
	return inverse;
}

static struct trace_call *new_call(const struct retimed *retimed, const struct trace_call *call)
{
	return call ? &retimed->trace.calls[retimed->new_calls[call - retimed->before->calls]]
		    : NULL;
}

static bool is_of(const struct trace *trace, const struct trace_call *call)
{
	return call >= trace->calls && call < trace->calls + trace->call_count;
}

/* The call that captured a graph's node only tells the call site. In a sample it may be a call of
 * the whole run. */
static struct trace_call *new_node_call(const struct retimed *retimed, struct trace_call *call)
{
	return is_of(retimed->before, call) ? new_call(retimed, call) : call;
}

static struct trace_stream *new_stream(const struct retimed *retimed,
				       const struct trace_stream *stream)
{
	return stream ? &retimed->trace.streams[stream - retimed->before->streams] : NULL;
}

/* The trace's, then the added ones. */
static void make_streams(struct retimed *retimed)
{
	const struct trace *before = retimed->before;
	const struct edits *edits = retimed->edits;
	size_t count = before->stream_count + edits->added.count;
	uint32_t next_id = 0;

	retimed->trace.stream_count = count;
	retimed->trace.streams = memory_array(count, sizeof(*retimed->trace.streams));
	for (size_t i = 0; i < before->stream_count; i++) {
		retimed->trace.streams[i] = before->streams[i];
		if (before->streams[i].id >= next_id)
			next_id = before->streams[i].id + 1;
	}
	for (size_t i = 0; i < edits->added.count; i++) {
		const struct order_added *added = &edits->added.items[i];
		struct trace_stream *stream = &retimed->trace.streams[before->stream_count + i];

		*stream = retimed->trace.streams[added->parent];
		stream->flag = added->flag;
		stream->handle = 0;
		stream->id = next_id++;
	}
}

static void make_calls(struct retimed *retimed)
{
	const struct trace *before = retimed->before;

	retimed->trace.calls = memory_array(before->call_count, sizeof(*retimed->trace.calls));
	for (size_t i = 0; i < before->call_count; i++) {
		const struct span *span = &retimed->times.calls[retimed->calls[i]];
		struct trace_call *call = &retimed->trace.calls[i];

		*call = before->calls[retimed->calls[i]];
		call->start_ns = retimed->origin_ns + span->start_ns;
		call->end_ns = retimed->origin_ns + max_ns(span->start_ns, span->end_ns);
		if (call->operation)
			call->operation =
				&retimed->trace
					 .operations[retimed->new_operations[call->operation -
									     before->operations]];
	}
}

static void pin_memory(struct trace_operation_form *form)
{
	if (form->src_kind == MEMORY_PAGEABLE)
		form->src_kind = MEMORY_PINNED;
	if (form->dst_kind == MEMORY_PAGEABLE)
		form->dst_kind = MEMORY_PINNED;
}

/* With the streams and the calls of the new trace. index: in the trace before. */
static const struct trace_operation_form *
new_form(struct retimed *retimed, const struct model *model, uint32_t index, uint32_t in_model)
{
	const struct trace_operation_form *before = retimed->before->operations[index].form;
	struct trace_operation_form form;

	memcpy(&form, before, sizeof(form)); /* with its padding, which is compared */
	form.node_call = new_node_call(retimed, before->node_call);
	form.child_call = new_node_call(retimed, before->child_call);
	form.stream = &retimed->trace.streams[edits_stream_of(retimed->edits, model, in_model)];
	if (form.stream != new_stream(retimed, before->stream))
		form.channel_id = NO_CHANNEL;
	if (retimed->edits->operations[index] & EDIT_PIN)
		pin_memory(&form);
	form.is_gone = retimed->edits->operations[index] & EDIT_DROP;
	return forms_keep(&retimed->forms, &form);
}

static void make_operations(struct retimed *retimed, const struct timeline *timeline)
{
	const struct trace *before = retimed->before;

	retimed->to_before = memory_array(before->operation_count, sizeof(*retimed->to_before));
	retimed->forms.element_bytes = sizeof(struct trace_operation_form);
	for (size_t i = 0; i < before->operation_count; i++) {
		uint32_t index = retimed->operations[i];
		const struct span *span = &retimed->times.operations[index];

		retimed->to_before[i] = timeline->to_model[index];
		retimed->trace.operations[i] = (struct trace_operation){
			.start_ns = retimed->origin_ns + span->start_ns,
			.end_ns = retimed->origin_ns + span->end_ns,
			.form = new_form(retimed, timeline->model, index, retimed->to_before[i]),
			.call = new_call(retimed, before->operations[index].call),
		};
	}
	forms_forget(&retimed->forms);
}

static int compare_waits(const void *a, const void *b)
{
	const struct trace_event_wait *x = a, *y = b;

	return (x->wait_ns > y->wait_ns) - (x->wait_ns < y->wait_ns);
}

/* Those whose calls are known: when the others would have come is not. */
static void make_event_waits(struct retimed *retimed)
{
	const struct trace *before = retimed->before;
	struct trace *trace = &retimed->trace;

	trace->event_waits = memory_array(before->event_wait_count, sizeof(*trace->event_waits));
	trace->event_wait_count = 0;
	for (size_t i = 0; i < before->event_wait_count; i++) {
		struct trace_event_wait wait = before->event_waits[i];

		if (!wait.recording || !wait.waiting)
			continue;
		wait.recording = new_call(retimed, wait.recording);
		wait.waiting = new_call(retimed, wait.waiting);
		wait.recorder = new_stream(retimed, wait.recorder);
		wait.waiter = new_stream(retimed, wait.waiter);
		wait.wait_ns = wait.waiting->start_ns;
		wait.record_ns = trace_is_graph_wait(&wait) ? wait.wait_ns : wait.recording->end_ns;
		if (wait.before)
			wait.before = retimed->new_operations[wait.before - 1] + 1;
		if (wait.behind)
			wait.behind = retimed->new_operations[wait.behind - 1] + 1;
		trace->event_waits[trace->event_wait_count++] = wait;
	}
	if (trace->event_wait_count)
		qsort(trace->event_waits, trace->event_wait_count, sizeof(*trace->event_waits),
		      compare_waits);
}

/* No stream waits for one that runs on a thread of the program's own. */
static void make_host_functions(struct retimed *retimed)
{
	const struct trace *before = retimed->before;
	size_t count = before->host_function_count;

	retimed->host_functions = sort_spans(retimed->times.host_functions, count);
	retimed->trace.host_functions = memory_array(count, sizeof(*retimed->trace.host_functions));
	for (size_t i = 0; i < count; i++) {
		uint32_t index = retimed->host_functions[i];
		struct trace_host_function *function = &retimed->trace.host_functions[i];

		*function = before->host_functions[index];
		function->start_ns =
			retimed->origin_ns + retimed->times.host_functions[index].start_ns;
		function->end_ns = retimed->origin_ns + retimed->times.host_functions[index].end_ns;
		function->call = new_call(retimed, function->call);
		function->node_call =
			new_node_call(retimed, (struct trace_call *)function->node_call);
		function->stream = retimed->edits->host_functions[index] & EDIT_TO_THREAD
					   ? NULL
					   : new_stream(retimed, function->stream);
	}
}

/* A touch stays where it was before its thread's next call; without one, behind the wait. */
static void make_first_uses(struct retimed *retimed)
{
	const struct trace *before = retimed->before;
	struct trace *trace = &retimed->trace;

	trace->first_uses = memory_array(before->first_use_count, sizeof(*trace->first_uses));
	for (size_t i = 0; i < before->first_use_count; i++) {
		const struct trace_first_use *old = &before->first_uses[i];
		struct trace_first_use *use = &trace->first_uses[i];

		*use = *old;
		use->copy =
			&trace->operations[retimed->new_operations[old->copy - before->operations]];
		use->wait = new_call(retimed, old->wait);
		use->before = new_call(retimed, old->before);
		if (old->touch_ns == INT64_MAX)
			continue;
		if (use->before)
			use->touch_ns += use->before->start_ns - old->before->start_ns;
		else if (use->wait)
			use->touch_ns += use->wait->end_ns - old->wait->end_ns;
	}
	trace_sort_first_uses(trace);
}

/* Shifts the window's end by the saving. A sample's windows keep their start, unless they continue
 * the slice before: then they start at their first counted call. */
static void make_windows(struct retimed *retimed, int64_t saved_ns)
{
	const struct trace *before = retimed->before;
	struct trace_window *windows;

	if (!before->window_count)
		return;
	windows = memory_array(before->window_count, sizeof(*windows));
	memcpy(windows, before->windows, before->window_count * sizeof(*windows));
	retimed->trace.windows = windows;
	if (!before->is_sample) {
		windows[0].end_ns -= saved_ns;
		return;
	}
	for (size_t i = 0; i < before->window_count; i++) {
		windows[i].counted_call = retimed->new_calls[windows[i].counted_call];
		if (windows[i].goes_on)
			windows[i].start_ns =
				retimed->trace.calls[windows[i].counted_call].start_ns;
		if (windows[i].end_call != NO_END_CALL)
			windows[i].end_call = retimed->new_calls[windows[i].end_call];
	}
	trace_measure_windows(&retimed->trace);
}

struct retimed *retimed_build(const struct timeline *timeline, const struct edits *edits)
{
	const struct trace *before = timeline->model->trace;
	struct retimed *retimed;
	int64_t replayed_ns;

	if (before->window_count > 1 && !before->is_sample)
		return NULL;
	retimed = memory_array(1, sizeof(*retimed));
	retimed->before = before;
	retimed->edits = edits;
	retimed->origin_ns = timeline->origin_ns;
	timeline_rest(timeline);
	replayed_ns = timeline_replay_times(timeline, edits, &retimed->times);
	if (replayed_ns < 0) {
		timeline_times_free(&retimed->times);
		free(retimed);
		return NULL;
	}
	timeline_rest(timeline);
	retimed->trace = *before;
	retimed->trace.tool_cost_count = 0; /* the replay left the tracer out */
	retimed->trace.overheads = NULL;    /* where the tracer's would be is not known */
	retimed->trace.overhead_count = 0;
	retimed->trace.ranges = NULL; /* nor where calls would be in ranges */
	retimed->trace.range_count = 0;
	retimed->trace.migrations = NULL; /* nor when memory would move */
	retimed->trace.migration_count = 0;
	retimed->trace.thread_times = NULL; /* nor for how long threads would wait */
	retimed->trace.thread_times_count = 0;
	retimed->trace.host_states = NULL; /* nor what threads would do when */
	retimed->trace.host_state_count = 0;
	retimed->trace.copy_watches = NULL; /* nor when the host would touch memory */
	retimed->trace.copy_watch_count = 0;
	retimed->calls = sort_spans(retimed->times.calls, before->call_count);
	retimed->operations = sort_spans(retimed->times.operations, before->operation_count);
	retimed->new_calls = invert_order(retimed->calls, before->call_count);
	retimed->new_operations = invert_order(retimed->operations, before->operation_count);
	retimed->trace.operations =
		memory_array(before->operation_count, sizeof(*retimed->trace.operations));
	make_streams(retimed);
	make_calls(retimed);
	loading_move(&retimed->trace, before, retimed->new_calls);
	stream_lives_move(&retimed->trace, before, retimed->new_calls);
	allocation_times_move(&retimed->trace, before, retimed->new_calls);
	make_operations(retimed, timeline);
	make_event_waits(retimed);
	make_host_functions(retimed);
	make_first_uses(retimed);
	make_windows(retimed, timeline_measured_ns(timeline) - replayed_ns);
	timeline_times_free(&retimed->times);
	retimed->observed = observed_build_waits(
		model_build_again(&retimed->trace, timeline->model, retimed->to_before));
	return retimed;
}

void retimed_free(struct retimed *retimed)
{
	if (!retimed)
		return;
	observed_free(&retimed->observed);
	if (retimed->trace.window_count)
		free(retimed->trace.windows);
	free(retimed->trace.allocations);
	free(retimed->trace.first_uses);
	free(retimed->trace.host_functions);
	free(retimed->trace.event_waits);
	free(retimed->trace.operations);
	forms_free(&retimed->forms);
	free(retimed->trace.overheads);
	free(retimed->trace.calls);
	free(retimed->trace.streams);
	free(retimed->to_before);
	free(retimed->new_operations);
	free(retimed->new_calls);
	free(retimed->host_functions);
	free(retimed->operations);
	free(retimed->calls);
	free(retimed);
}

const struct observed *retimed_observed(const struct retimed *retimed)
{
	return &retimed->observed;
}

const struct trace_call *retimed_call(const struct retimed *retimed, const struct trace_call *call)
{
	const struct trace *trace = &retimed->trace;

	return is_of(trace, call) ? &retimed->before->calls[retimed->calls[call - trace->calls]]
				  : call;
}

const struct trace_operation *retimed_operation(const struct retimed *retimed,
						const struct trace_operation *operation)
{
	return operation ? &retimed->before->operations
				    [retimed->operations[operation - retimed->trace.operations]]
			 : NULL;
}

const struct trace_host_function *retimed_host_function(const struct retimed *retimed,
							const struct trace_host_function *function)
{
	return function ? &retimed->before->host_functions
				   [retimed->host_functions[function -
							    retimed->trace.host_functions]]
			: NULL;
}
