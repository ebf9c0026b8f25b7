/*
 * The questions that detectors ask of a model: sorted tables, answered by binary search.
 */
#include "model_private.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

/* The handles that mean a default stream: cudaStreamLegacy and cudaStreamPerThread. */
#define HANDLE_DEFAULT	  0
#define HANDLE_LEGACY	  1
#define HANDLE_PER_THREAD 2

/* Something under the key it is looked up by: a stream, a thread, a handle. Sorted by key, then
 * time. */
struct keyed {
	uint64_t key;
	int64_t time_ns; /* of the call that enqueued or recorded it; of a stream's creation */
	union {
		/* by_stream and by_context: of all up to here, under this key, the last to end. */
		const struct trace_operation *operation;
		const struct trace_call *call;
		const struct trace_stream *stream;
	} of;
};

struct table {
	struct keyed *rows;
	size_t count;
};

struct model_index {
	struct table by_stream, by_thread, per_thread;
	struct table by_context; /* of the legacy default stream and those that it waits for */
	struct table records;	 /* of events, by handle */
	struct table handles;	 /* of streams */
	/* By place in model.operations: the last to end up to there, of all and of the results. */
	const struct trace_operation **last, **last_result;
};

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->of.operation > y->of.operation) - (x->of.operation < y->of.operation);
}

/* Index of the first row of the key at or after the time. */
static size_t rows_before(const struct table *table, uint64_t key, int64_t time_ns)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct keyed *row = &table->rows[middle];

		if (row->key < key || (row->key == key && row->time_ns < time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last row of the key before the time, or NULL. */
static const struct keyed *row_before(const struct table *table, uint64_t key, int64_t time_ns)
{
	size_t place = rows_before(table, key, time_ns);

	return place > 0 && table->rows[place - 1].key == key ? &table->rows[place - 1] : NULL;
}

static void table_sort(struct table *table)
{
	if (table->count)
		qsort(table->rows, table->count, sizeof(*table->rows), compare_keyed);
}

static const struct trace_operation *later(const struct trace_operation *a,
					   const struct trace_operation *b)
{
	return !a || (b && b->end_ns > a->end_ns) ? b : a;
}

static void keep_latest_ends(struct table *table)
{
	for (size_t i = 1; i < table->count; i++)
		if (table->rows[i].key == table->rows[i - 1].key)
			table->rows[i].of.operation =
				later(table->rows[i - 1].of.operation, table->rows[i].of.operation);
}

static bool is_per_thread(const struct trace_call *call)
{
	return call->has_stream &&
	       (call->stream_handle == HANDLE_PER_THREAD ||
		(call->stream_handle == HANDLE_DEFAULT && call->per_thread_stream));
}

static void index_operations(struct model *model, struct model_index *index)
{
	const struct trace *trace = model->trace;
	size_t count = model->operation_count;

	index->by_stream.rows = memory_array(count, sizeof(struct keyed));
	index->by_context.rows = memory_array(count, sizeof(struct keyed));
	index->by_thread.rows = memory_array(count, sizeof(struct keyed));
	index->per_thread.rows = memory_array(count, sizeof(struct keyed));
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct trace_stream *stream = operation->stream;
		struct keyed row = {(uint64_t)(stream - trace->streams),
				    model_enqueue_ns(operation),
				    {.operation = operation}};

		index->by_stream.rows[index->by_stream.count++] = row;
		row.key = stream->context_id;
		if (stream->flag == STREAM_NULL || stream->flag == STREAM_BLOCKING)
			index->by_context.rows[index->by_context.count++] = row;
		if (!operation->call)
			continue;
		row.key = operation->call->thread_id;
		index->by_thread.rows[index->by_thread.count++] = row;
		if (is_per_thread(operation->call))
			index->per_thread.rows[index->per_thread.count++] = row;
	}
	table_sort(&index->by_stream);
	keep_latest_ends(&index->by_stream);
	table_sort(&index->by_context);
	keep_latest_ends(&index->by_context);
	table_sort(&index->by_thread);
	table_sort(&index->per_thread);
}

/* One pass over the calls: events, and whether managed memory is used. */
static void index_calls(struct model *model, struct model_index *index)
{
	const struct trace *trace = model->trace;
	size_t capacity = 0;

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (!strcmp(call->function->name, "cudaMallocManaged"))
			model->uses_managed_memory = true;
		if (call->function->class != CLASS_EVENT_RECORD)
			continue;
		index->records.rows = memory_grow(index->records.rows, index->records.count,
						  &capacity, sizeof(struct keyed));
		index->records.rows[index->records.count++] =
			(struct keyed){call->object, call->start_ns, {.call = call}};
	}
	table_sort(&index->records);
}

/* The bytes of what the host can read when the operation is done, 0 when that is nothing. */
static uint64_t result_bytes(const struct model *model, const struct trace_operation *operation)
{
	if (operation->engine == ENGINE_D2H)
		return operation->size_bytes ? operation->size_bytes : 1;
	return operation->kind == OPERATION_KERNEL && model->uses_managed_memory;
}

static void index_ends(struct model *model, struct model_index *index)
{
	const struct trace_operation *last = NULL, *last_result = NULL;

	index->last = memory_array(model->operation_count, sizeof(*index->last));
	index->last_result = memory_array(model->operation_count, sizeof(*index->last_result));
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		last = later(last, operation);
		if (result_bytes(model, operation))
			last_result = later(last_result, operation);
		index->last[i] = last;
		index->last_result[i] = last_result;
	}
}

static void index_streams(struct model *model, struct model_index *index)
{
	const struct trace *trace = model->trace;

	index->handles.rows = memory_array(trace->stream_count, sizeof(struct keyed));
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		if (stream->handle)
			index->handles.rows[index->handles.count++] = (struct keyed){
				stream->handle, stream->created_ns, {.stream = stream}};
	}
	table_sort(&index->handles);
}

void model_index_build(struct model *model)
{
	model->index = memory_array(1, sizeof(*model->index));
	index_operations(model, model->index);
	index_calls(model, model->index);
	index_ends(model, model->index);
	index_streams(model, model->index);
}

void model_index_free(struct model *model)
{
	free(model->index->by_stream.rows);
	free(model->index->by_context.rows);
	free(model->index->by_thread.rows);
	free(model->index->per_thread.rows);
	free(model->index->records.rows);
	free(model->index->handles.rows);
	free(model->index->last);
	free(model->index->last_result);
	free(model->index);
}

/* The default stream of the context in which the thread worked last; with a single context, of
 * that one. */
static const struct trace_stream *null_stream_of(const struct model *model,
						 const struct trace_call *call)
{
	const struct keyed *row =
		row_before(&model->index->by_thread, call->thread_id, call->start_ns);
	const struct trace_stream *found = NULL;

	for (size_t i = 0; i < model->trace->stream_count; i++) {
		const struct trace_stream *stream = &model->trace->streams[i];

		if (stream->flag != STREAM_NULL)
			continue;
		if (row && row->of.operation->stream->context_id == stream->context_id)
			return stream;
		found = found ? found : stream;
	}
	return found;
}

/* The stream that the call named, or NULL. */
const struct trace_stream *model_stream_of(const struct model *model, const struct trace_call *call)
{
	const struct keyed *row;

	if (is_per_thread(call)) {
		row = row_before(&model->index->per_thread, call->thread_id, INT64_MAX);
		return row ? row->of.operation->stream : NULL;
	}
	if (call->stream_handle <= HANDLE_LEGACY)
		return null_stream_of(model, call);
	row = row_before(&model->index->handles, call->stream_handle, call->start_ns + 1);
	return row && row->of.stream->destroyed_ns >= call->start_ns ? row->of.stream : NULL;
}

/* The last to end among the operations that were enqueued in the stream before the time, and among
 * those that it waits for when it is the legacy default stream. */
static const struct trace_operation *
last_of_stream(const struct model *model, const struct trace_stream *stream, int64_t before_ns)
{
	const struct model_index *index = model->index;
	const struct keyed *row;

	if (stream->flag == STREAM_NULL)
		row = row_before(&index->by_context, stream->context_id, before_ns);
	else
		row = row_before(&index->by_stream, (uint64_t)(stream - model->trace->streams),
				 before_ns);
	return row ? row->of.operation : NULL;
}

/* Index of the first operation that was enqueued at or after the time. */
static size_t operations_before(const struct model *model, int64_t time_ns)
{
	size_t low = 0, high = model->operation_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (model_enqueue_ns(model->operations[middle].operation) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct trace_operation *model_waited_for(const struct model *model,
					       const struct trace_call *call)
{
	const struct trace_stream *stream;
	const struct keyed *record;
	size_t place;

	switch (call->function->class) {
	case CLASS_DEVICE_SYNC:
		place = operations_before(model, call->start_ns);
		return place > 0 ? model->index->last[place - 1] : NULL;
	case CLASS_STREAM_SYNC:
		stream = model_stream_of(model, call);
		return stream ? last_of_stream(model, stream, call->start_ns) : NULL;
	case CLASS_EVENT_SYNC:
		record = row_before(&model->index->records, call->object, call->start_ns);
		stream = record ? model_stream_of(model, record->of.call) : NULL;
		return stream ? last_of_stream(model, stream, record->of.call->start_ns) : NULL;
	default:
		return call->operation;
	}
}

const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call)
{
	const struct table *table = &model->index->by_thread;
	size_t place = rows_before(table, call->thread_id, call->end_ns);

	return place < table->count && table->rows[place].key == call->thread_id
		       ? table->rows[place].of.operation
		       : NULL;
}

bool model_has_result(const struct model *model, const struct trace_call *since,
		      const struct trace_call *call, uint64_t most_bytes)
{
	size_t first = since ? operations_before(model, since->start_ns) : 0;

	for (size_t i = operations_before(model, call->start_ns); i-- > 0;) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct trace_operation *last = model->index->last_result[i];
		uint64_t bytes = result_bytes(model, operation);

		if (i < first && (!last || last->end_ns <= since->end_ns))
			return false;
		if (i < first && operation->end_ns <= since->end_ns)
			continue;
		if (bytes > 0 && bytes <= most_bytes)
			return true;
	}
	return false;
}
