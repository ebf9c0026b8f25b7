/* Calls, operations and events pointed at each other. */
#include "base/parallel.h"
#include "base/search.h"
#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

/* Operations are joined in parts of so many. */
#define PART_ROWS 32768

/* Which graph the call launched; a launch with child graphs is of several. */
static void note_launched(struct trace_loader *loader, size_t call, uint64_t node_id)
{
	size_t node = map_find(&loader->node_map, node_id), before, graph;

	if (node == MAP_NONE)
		return;
	graph = loader->nodes.items[node].graph_id;
	before = map_find(&loader->launched, call);
	map_set(&loader->launched, call,
		before == MAP_NONE || before == graph ? graph : LAUNCHED_SEVERAL);
}

static size_t part_end(const struct trace *trace, size_t part)
{
	const size_t end = (part + 1) * PART_ROWS;

	return end < trace->operation_count ? end : trace->operation_count;
}

static size_t part_count(const struct trace *trace)
{
	return (trace->operation_count + PART_ROWS - 1) / PART_ROWS;
}

static void join_calls(void *context, size_t part)
{
	const struct trace_loader *loader = context;
	struct trace *trace = loader->trace;

	for (size_t i = part * PART_ROWS; i < part_end(trace, part); i++) {
		size_t call = trace_find_correlated(loader, loader->operation_correlations[i]);

		trace->operations[i].call = call == MAP_NONE ? NULL : &trace->calls[call];
	}
}

static void join_form(void *context, void *form)
{
	const struct trace_loader *loader = context;
	struct operation_row_form *row = form;

	row->form.stream = &loader->trace->streams[trace_stream_of_row(loader, row)];
	if (row->node_id == ROW_NULL)
		return;
	row->form.node_call = trace_node_call(loader, (uint64_t)row->node_id);
	row->form.node = trace_find_graph_node(loader, (uint64_t)row->node_id);
	row->form.child_call = trace_child_call(loader, row->form.node);
}

static void join_forms(struct trace_loader *loader)
{
	for (size_t i = 0; i < CONNECTIONS_MOST; i++)
		forms_each(&loader->trace->private->operation_forms[i], join_form, loader);
}

static void note_launches(struct trace_loader *loader)
{
	const struct trace *trace = loader->trace;

	for (size_t i = 0; i < trace->operation_count && loader->nodes.count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct operation_row_form *row = trace_row_form(operation);

		if (operation->call && row->node_id != ROW_NULL)
			note_launched(loader, (size_t)(operation->call - trace->calls),
				      (uint64_t)row->node_id);
	}
}

/* Connects operations and calls. Streams known only from events may still be added, which moves
 * all: trace_join_event_waits() sets the pointers to them. */
void trace_join_operations(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;

	parallel_run(part_count(trace), join_calls, loader);
	note_launches(loader);
	for (size_t i = 0; i < trace->operation_count; i++) {
		struct trace_operation *operation = &trace->operations[i];

		if (!operation->call)
			continue;
		trace->matched_operations++;
		if (!operation->call->operation)
			operation->call->operation = operation;
	}
}

static void read_records(struct trace_loader *loader)
{
	loader->record_count = row_shards_read(&loader->record_shards);
	for (size_t i = 0; i < loader->record_count; i++) {
		struct trace_record *record = &loader->records[i];

		if (record->sync_id != ROW_NULL)
			map_set(&loader->record_map, (uint64_t)record->sync_id, i);
		record->stream = trace_intern_stream(loader, record->context_id, record->stream_id);
	}
}

/* The call of that class with that correlation id, or NULL. */
static const struct trace_call *correlated_call(const struct trace_loader *loader,
						uint32_t correlation_id, enum function_class class)
{
	size_t index = trace_find_correlated(loader, correlation_id);
	const struct trace_call *call;

	if (index == MAP_NONE)
		return NULL;
	call = &loader->trace->calls[index];
	return call->form->function->class == class ? call : NULL;
}

/* Index of the first call that starts after time_ns. */
static size_t calls_until(const struct trace *trace, int64_t time_ns)
{
	return search(trace->call_count, i, trace->calls[i].start_ns <= time_ns);
}

/* The cudaStreamWaitEvent running at time_ns, or NULL. Looks back over a limited number of other
 * threads' calls: more hardly ever start during one such call. */
static const struct trace_call *waiting_call_at(const struct trace *trace, int64_t time_ns)
{
	size_t end = calls_until(trace, time_ns), i;
	const struct trace_call *call;

	for (i = end; i > 0 && end - i < 256; i--) {
		call = &trace->calls[i - 1];
		if (call->form->function->class == CLASS_STREAM_WAIT_EVENT &&
		    call->end_ns >= time_ns)
			return call;
	}
	return NULL;
}

/* False: nothing is known about the wait, because its event was recorded before the trace began or
 * has no time. */
static bool take_wait(struct trace_loader *loader, const struct trace_synchronization *row,
		      struct pending_wait *wait)
{
	size_t record = map_find(&loader->record_map, (uint64_t)row->sync_id);
	const bool has_time = row->start_ns != ROW_NULL;
	const struct trace_call *waiting;

	waiting = correlated_call(loader, row->correlation_id, CLASS_STREAM_WAIT_EVENT);
	if (!waiting && has_time)
		waiting = waiting_call_at(loader->trace, row->start_ns);
	if (record == MAP_NONE || (!waiting && !has_time))
		return false;
	*wait = (struct pending_wait){
		.wait_ns = waiting ? waiting->start_ns : row->start_ns,
		.event = waiting ? waiting->form->object : 0,
		.recording = correlated_call(loader, loader->records[record].correlation_id,
					     CLASS_EVENT_RECORD),
		.waiting = waiting,
		.recorder = loader->records[record].stream,
		.waiter = trace_intern_stream(loader, row->context_id, row->stream_id),
	};
	return true;
}

static void read_waits(struct trace_loader *loader, pending_wait_vector *waits)
{
	struct pending_wait wait;

	loader->synchronization_count = row_shards_read(&loader->synchronization_shards);
	for (size_t i = 0; i < loader->synchronization_count; i++)
		if (take_wait(loader, &loader->synchronizations[i], &wait))
			*vector_add(waits) = wait;
}

static int compare_waits(const void *a, const void *b)
{
	const struct pending_wait *x = a, *y = b;

	return (x->wait_ns > y->wait_ns) - (x->wait_ns < y->wait_ns);
}

/* Finds recording calls without a correlation id: the last one for the event that had ended when
 * the wait began. waits are sorted; one sweep over the calls by start. */
static void find_recording_calls(const struct trace *trace, const pending_wait_vector *waits)
{
	struct map last_records = {0}; /* event handle to call index */
	size_t next = 0, i, index;

	for (i = 0; i < waits->count; i++) {
		struct pending_wait *wait = &waits->items[i];

		for (; next < trace->call_count; next++) {
			if (trace->calls[next].start_ns >= wait->wait_ns)
				break;
			if (trace->calls[next].form->function->class == CLASS_EVENT_RECORD)
				map_set(&last_records, trace->calls[next].form->object, next);
		}
		index = map_find(&last_records, wait->event);
		if (!wait->recording && wait->event && index != MAP_NONE)
			wait->recording = &trace->calls[index];
	}
	map_free(&last_records);
}

/* CUPTI's records of events and waits were not asked for. */
static bool has_calls_only(const struct trace *trace)
{
	const char *event_waits = trace_metadata(trace, "event_waits");

	return event_waits && strcmp(event_waits, "calls") == 0;
}

void trace_join_event_waits(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	pending_wait_vector waits = {0};
	size_t i;

	if (has_calls_only(trace)) {
		trace_waits_of_calls(loader, &waits);
	} else {
		read_records(loader);
		read_waits(loader, &waits);
		vector_sort(&waits, compare_waits);
		find_recording_calls(trace, &waits);
	}
	i = waits.count;
	trace_waits_of_graphs(loader, &waits);
	if (waits.count > i)
		vector_sort(&waits, compare_waits);
	vector_move(&loader->streams, trace->streams, trace->stream_count);
	join_forms(loader);
	trace->event_waits = memory_array(waits.count, sizeof(*trace->event_waits));
	trace->event_wait_count = waits.count;
	for (i = 0; i < waits.count; i++) {
		const struct pending_wait *wait = &waits.items[i];

		trace->event_waits[i] = (struct trace_event_wait){
			.recorder = &trace->streams[wait->recorder],
			.waiter = &trace->streams[wait->waiter],
			.record_ns = wait->recording && !wait->before && !wait->behind
					     ? wait->recording->end_ns
					     : wait->wait_ns,
			.wait_ns = wait->wait_ns,
			.recording = wait->recording,
			.waiting = wait->waiting,
			.before = wait->before,
			.behind = wait->behind,
		};
	}
	vector_free(&waits);
}
