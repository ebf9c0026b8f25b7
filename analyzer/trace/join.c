/* Calls, operations and events put in order of time, and pointed at each other. */
#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

/* When an element was, and its index before it is moved. */
struct sort_key {
	int64_t time_ns;
	size_t index;
};

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Keys of count elements in time order. Threads write their own batches, so rows are sorted but
 * for short stretches, or already sorted. */
static void sort_keys(struct sort_key *keys, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (keys[i].time_ns < keys[i - 1].time_ns)
			break;
	if (i < count)
		qsort(keys, count, sizeof(*keys), compare_keys);
}

/* Sorts the calls, and points the correlations and the graphs' nodes at the new indexes. */
void trace_join_calls(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t count = trace->call_count, i;
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	struct trace_call *sorted = memory_array(count, sizeof(*sorted));
	size_t *new_index = memory_array(count, sizeof(*new_index));
	struct map *map = &loader->correlation_map;

	for (i = 0; i < count; i++)
		keys[i] = (struct sort_key){trace->calls[i].start_ns, i};
	sort_keys(keys, count);
	for (i = 0; i < count; i++) {
		sorted[i] = trace->calls[keys[i].index];
		new_index[keys[i].index] = i;
	}
	for (i = 0; i < map->size; i++)
		if (map->entries[i].value_plus_one)
			map->entries[i].value_plus_one =
				new_index[map->entries[i].value_plus_one - 1] + 1;
	for (i = 0; i < loader->nodes.count; i++)
		if (loader->nodes.items[i].call != MAP_NONE)
			loader->nodes.items[i].call = new_index[loader->nodes.items[i].call];
	free(trace->calls);
	trace->calls = sorted;
	free(new_index);
	free(keys);
}

/* Sorts the operations. Streams are all known by now but those of events, which may move them:
 * trace_join_event_waits() sets the pointers. */
void trace_join_operations(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t count = trace->operation_count, i;
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	struct trace_operation *sorted = memory_array(count, sizeof(*sorted));
	uint32_t *streams = memory_array(count, sizeof(*streams));

	for (i = 0; i < count; i++)
		keys[i] = (struct sort_key){trace->operations[i].start_ns, i};
	sort_keys(keys, count);
	for (i = 0; i < count; i++) {
		struct trace_operation *operation = &sorted[i];

		*operation = trace->operations[keys[i].index];
		streams[i] = loader->operation_streams.items[keys[i].index];
		if (!operation->call)
			continue;
		trace->matched_operations++;
		if (!operation->call->operation)
			operation->call->operation = operation;
	}
	free(trace->operations);
	free(loader->operation_streams.items);
	trace->operations = sorted;
	loader->operation_streams.items = streams;
	free(keys);
}

static void read_records(struct trace_loader *loader)
{
	struct event_records_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_event_records, "ORDER BY id");
	while (rows_next_event_records(&rows, &row)) {
		if (row.sync_id != ROW_NULL)
			map_set(&loader->record_map, (uint64_t)row.sync_id, loader->records.count);
		*vector_add(&loader->records) = (struct trace_record){
			.stream = trace_intern_stream(loader, row.context_id, row.stream_id),
			.correlation_id = (uint64_t)row.correlation_id,
		};
	}
	rows_close(&rows);
}

/* The call of that class with that correlation id, or NULL. */
static const struct trace_call *correlated_call(const struct trace_loader *loader,
						uint64_t correlation_id, enum function_class class)
{
	size_t index = map_find(&loader->correlation_map, correlation_id);
	const struct trace_call *call;

	if (index == MAP_NONE)
		return NULL;
	call = &loader->trace->calls[index];
	return call->function->class == class ? call : NULL;
}

/* Index of the first call that starts after time_ns. */
static size_t calls_until(const struct trace *trace, int64_t time_ns)
{
	size_t low = 0, high = trace->call_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (trace->calls[middle].start_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The cudaStreamWaitEvent that was being made at time_ns, or NULL. Other threads' calls stand
 * between: more than these start within one such call only by accident. */
static const struct trace_call *waiting_call_at(const struct trace *trace, int64_t time_ns)
{
	size_t end = calls_until(trace, time_ns), i;
	const struct trace_call *call;

	for (i = end; i > 0 && end - i < 256; i--) {
		call = &trace->calls[i - 1];
		if (call->function->class == CLASS_STREAM_WAIT_EVENT && call->end_ns >= time_ns)
			return call;
	}
	return NULL;
}

/* False where nothing is known about the wait: its event was recorded before the trace began, or it
 * has no time at all. */
static bool take_wait(struct trace_loader *loader, const struct synchronizations_row *row,
		      struct pending_wait *wait)
{
	const uint64_t correlation_id = (uint64_t)row->correlation_id;
	size_t record = map_find(&loader->record_map, (uint64_t)row->sync_id);
	const bool has_time = row->start_ns != ROW_NULL;
	const struct trace_call *waiting;

	waiting = correlated_call(loader, correlation_id, CLASS_STREAM_WAIT_EVENT);
	if (!waiting && has_time)
		waiting = waiting_call_at(loader->trace, row->start_ns);
	if (record == MAP_NONE || (!waiting && !has_time))
		return false;
	*wait = (struct pending_wait){
		.wait_ns = waiting ? waiting->start_ns : row->start_ns,
		.event = waiting ? waiting->object : 0,
		.recording = correlated_call(loader, loader->records.items[record].correlation_id,
					     CLASS_EVENT_RECORD),
		.waiting = waiting,
		.recorder = loader->records.items[record].stream,
		.waiter = trace_intern_stream(loader, row->context_id, row->stream_id),
	};
	return true;
}

static void read_waits(struct trace_loader *loader, pending_wait_vector *waits)
{
	struct synchronizations_row row;
	struct pending_wait wait;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_synchronizations,
		  "WHERE type = 2 AND sync_id IS NOT NULL AND stream_id IS NOT NULL ORDER BY id");
	while (rows_next_synchronizations(&rows, &row))
		if (take_wait(loader, &row, &wait))
			*vector_add(waits) = wait;
	rows_close(&rows);
}

static int compare_waits(const void *a, const void *b)
{
	const struct pending_wait *x = a, *y = b;

	return (x->wait_ns > y->wait_ns) - (x->wait_ns < y->wait_ns);
}

/* Finds recording calls that no correlation names: the last one on the same event that had ended
 * when the wait began. waits are sorted; one sweep over the calls in the order of their starts. */
static void find_recording_calls(const struct trace *trace, const pending_wait_vector *waits)
{
	struct map last_records = {0}; /* event handle to call index */
	size_t next = 0, i, index;

	for (i = 0; i < waits->count; i++) {
		struct pending_wait *wait = &waits->items[i];

		for (; next < trace->call_count; next++) {
			if (trace->calls[next].start_ns >= wait->wait_ns)
				break;
			if (trace->calls[next].function->class == CLASS_EVENT_RECORD)
				map_set(&last_records, trace->calls[next].object, next);
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
	vector_move(&loader->streams, trace->streams, trace->stream_count);
	for (i = 0; i < trace->operation_count; i++)
		trace->operations[i].stream = &trace->streams[loader->operation_streams.items[i]];
	trace->event_waits = memory_array(waits.count, sizeof(*trace->event_waits));
	trace->event_wait_count = waits.count;
	for (i = 0; i < waits.count; i++) {
		const struct pending_wait *wait = &waits.items[i];

		trace->event_waits[i] = (struct trace_event_wait){
			.recorder = &trace->streams[wait->recorder],
			.waiter = &trace->streams[wait->waiter],
			.record_ns = wait->recording ? wait->recording->end_ns : wait->wait_ns,
			.wait_ns = wait->wait_ns,
			.recording = wait->recording,
			.waiting = wait->waiting,
		};
	}
	vector_free(&waits);
}
