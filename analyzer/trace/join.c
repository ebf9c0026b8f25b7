#include "trace/private.h"

#include <stdlib.h>

/* An element's place in time, before it is moved there. */
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

/* Sorts the calls, and points the correlations and the graphs' nodes at the new places. */
void trace_join_calls(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	size_t count = trace->call_count, i;
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	struct trace_call *sorted = memory_array(count, sizeof(*sorted));
	size_t *places = memory_array(count, sizeof(*places));
	struct map *map = &loader->correlation_map;

	for (i = 0; i < count; i++)
		keys[i] = (struct sort_key){trace->calls[i].start_ns, i};
	sort_keys(keys, count);
	for (i = 0; i < count; i++) {
		sorted[i] = trace->calls[keys[i].index];
		places[keys[i].index] = i;
	}
	for (i = 0; i < map->size; i++)
		if (map->entries[i].value_plus_one)
			map->entries[i].value_plus_one =
				places[map->entries[i].value_plus_one - 1] + 1;
	for (i = 0; i < loader->node_count; i++)
		if (loader->nodes[i].call != MAP_NONE)
			loader->nodes[i].call = places[loader->nodes[i].call];
	free(trace->calls);
	trace->calls = sorted;
	free(places);
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
		streams[i] = loader->operation_streams[keys[i].index];
		if (!operation->call)
			continue;
		trace->matched_operations++;
		if (!operation->call->operation)
			operation->call->operation = operation;
	}
	free(trace->operations);
	free(loader->operation_streams);
	trace->operations = sorted;
	loader->operation_streams = streams;
	free(keys);
}

static void read_records(struct trace_loader *loader)
{
	struct trace_record *record;
	struct query query;

	query_open(&query, &loader->database, "event_records",
		   "SELECT sync_id, context_id, stream_id, correlation_id FROM event_records "
		   "ORDER BY id");
	while (query_next(&query)) {
		uint32_t context_id = trace_read_id32(&query, 1);
		uint32_t stream_id = trace_read_id32(&query, 2);

		loader->records = memory_grow(loader->records, loader->record_count,
					      &loader->record_capacity, sizeof(*record));
		record = &loader->records[loader->record_count];
		record->stream = trace_intern_stream(loader, context_id, stream_id);
		record->correlation_id = trace_read_id32(&query, 3);
		if (!query_is_null(&query, 0))
			map_set(&loader->record_map, query_bits(&query, 0), loader->record_count);
		loader->record_count++;
	}
	query_close(&query);
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

/* A wait before the streams and the calls behind it are settled. */
struct pending_wait {
	int64_t wait_ns;
	uint64_t event; /* handle, or 0 */
	const struct trace_call *recording, *waiting;
	uint32_t recorder, waiter;
};

static bool read_wait(struct trace_loader *loader, struct query *query, struct pending_wait *wait)
{
	size_t record = map_find(&loader->record_map, query_bits(query, 0));
	uint32_t context_id = trace_read_id32(query, 1);
	uint32_t stream_id = trace_read_id32(query, 2);
	uint64_t correlation_id = trace_read_id32(query, 3);
	int64_t start_ns = query_optional(query, 4, 0, TIME_LIMIT_NS, -1);
	const struct trace_call *waiting;

	waiting = correlated_call(loader, correlation_id, CLASS_STREAM_WAIT_EVENT);
	if (!waiting && start_ns >= 0)
		waiting = waiting_call_at(loader->trace, start_ns);
	/* Recorded before the trace began, or without any time: nothing is known about it. */
	if (record == MAP_NONE || (!waiting && start_ns < 0))
		return false;
	*wait = (struct pending_wait){
		.wait_ns = waiting ? waiting->start_ns : start_ns,
		.event = waiting ? waiting->object : 0,
		.recording = correlated_call(loader, loader->records[record].correlation_id,
					     CLASS_EVENT_RECORD),
		.waiting = waiting,
		.recorder = loader->records[record].stream,
		.waiter = trace_intern_stream(loader, context_id, stream_id),
	};
	return true;
}

static struct pending_wait *read_waits(struct trace_loader *loader, size_t *count)
{
	struct pending_wait *waits = NULL;
	size_t capacity = 0;
	struct query query;

	query_open(&query, &loader->database, "synchronizations",
		   "SELECT sync_id, context_id, stream_id, correlation_id, start_ns "
		   "FROM synchronizations "
		   "WHERE type = 2 AND sync_id IS NOT NULL AND stream_id IS NOT NULL ORDER BY id");
	while (query_next(&query)) {
		waits = memory_grow(waits, *count, &capacity, sizeof(*waits));
		*count += read_wait(loader, &query, &waits[*count]);
	}
	query_close(&query);
	return waits;
}

static int compare_waits(const void *a, const void *b)
{
	const struct pending_wait *x = a, *y = b;

	return (x->wait_ns > y->wait_ns) - (x->wait_ns < y->wait_ns);
}

/* Finds recording calls that no correlation names: the last one on the same event that had ended
 * when the wait began. waits are sorted; one sweep over the calls in the order of their starts. */
static void find_recording_calls(const struct trace *trace, struct pending_wait *waits,
				 size_t count)
{
	struct map last_records = {0}; /* event handle to call index */
	size_t next = 0, i, index;

	for (i = 0; i < count; i++) {
		for (; next < trace->call_count; next++) {
			if (trace->calls[next].start_ns >= waits[i].wait_ns)
				break;
			if (trace->calls[next].function->class == CLASS_EVENT_RECORD)
				map_set(&last_records, trace->calls[next].object, next);
		}
		index = map_find(&last_records, waits[i].event);
		if (!waits[i].recording && waits[i].event && index != MAP_NONE)
			waits[i].recording = &trace->calls[index];
	}
	map_free(&last_records);
}

void trace_join_event_waits(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct pending_wait *waits;
	size_t count = 0, i;

	read_records(loader);
	waits = read_waits(loader, &count);
	if (count)
		qsort(waits, count, sizeof(*waits), compare_waits);
	find_recording_calls(trace, waits, count);
	for (i = 0; i < trace->operation_count; i++)
		trace->operations[i].stream = &trace->streams[loader->operation_streams[i]];
	trace->event_waits = memory_array(count, sizeof(*trace->event_waits));
	trace->event_wait_count = count;
	for (i = 0; i < count; i++)
		trace->event_waits[i] = (struct trace_event_wait){
			.recorder = &trace->streams[waits[i].recorder],
			.waiter = &trace->streams[waits[i].waiter],
			.record_ns =
				waits[i].recording ? waits[i].recording->end_ns : waits[i].wait_ns,
			.wait_ns = waits[i].wait_ns,
			.recording = waits[i].recording,
			.waiting = waits[i].waiting,
		};
	free(waits);
}
