/*
 * The questions that detectors ask of a model: sorted tables, answered by binary search.
 */
#include "model/private.h"

#include "base/memory.h"
#include "base/mix.h"
#include "base/sort.h"
#include "model/results.h"
#include "model/thread_groups.h"
#include "trace/stream_handle.h"

#include <stdlib.h>

/* Something under the key it is looked up by: a stream, a thread, a handle. Sorted by key, then
 * time. */
struct keyed {
	uint64_t key;
	int64_t time_ns; /* of the call that enqueued it; of a stream's creation */
	union {
		const struct trace_operation *operation;
		const struct trace_stream *stream;
	} of;
};

struct table {
	struct keyed *rows;
	size_t count;
};

struct model_index {
	struct table by_thread, per_thread;
	struct table handles; /* of streams */
	/* Of contexts: indexes in trace.streams of their default streams; and the first of all, or
	 * NULL. */
	struct map null_streams;
	const struct trace_stream *null_stream;
	bool *gives_result; /* by index in trace.operations: a kernel's result */
	/* By index in model.operations: of the results up to there the last to end. */
	const struct trace_operation **last_result;
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
	size_t next = rows_before(table, key, time_ns);

	return next > 0 && table->rows[next - 1].key == key ? &table->rows[next - 1] : NULL;
}

static void table_sort(struct table *table)
{
	struct sort_key *keys = memory_array(table->count, sizeof(*keys));
	struct keyed *rows = table->rows;

	for (size_t i = 0; i < table->count; i++)
		keys[i] = (struct sort_key){sort_signed(rows[i].time_ns), (uint32_t)i};
	sort_by_key_once(keys, table->count);
	for (size_t i = 0; i < table->count; i++)
		keys[i].key = rows[keys[i].index].key;
	sort_by_key_once(keys, table->count);
	sort_elements(rows, sizeof(*rows), keys, table->count);
	free(keys);
	/* Of one key and time there are few. */
	for (size_t first = 0, next; first < table->count; first = next) {
		for (next = first + 1; next < table->count && rows[next].key == rows[first].key &&
				       rows[next].time_ns == rows[first].time_ns;)
			next++;
		if (next - first > 1)
			qsort(rows + first, next - first, sizeof(*rows), compare_keyed);
	}
}

static const struct trace_operation *later(const struct trace_operation *a,
					   const struct trace_operation *b)
{
	return !a || (b && b->end_ns > a->end_ns) ? b : a;
}

static bool is_per_thread(const struct trace_call *call)
{
	return call->form->has_stream &&
	       stream_handle_is_per_thread(call->form->stream_handle, call);
}

static void index_operations(struct model *model, struct model_index *index)
{
	size_t count = model->operation_count;

	index->by_thread.rows = memory_array(count, sizeof(struct keyed));
	index->per_thread.rows = memory_array(count, sizeof(struct keyed));
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		struct keyed row = {0, model_enqueue_ns(operation), {.operation = operation}};

		if (!operation->call)
			continue;
		row.key = operation->call->form->thread_id;
		index->by_thread.rows[index->by_thread.count++] = row;
		if (is_per_thread(operation->call))
			index->per_thread.rows[index->per_thread.count++] = row;
	}
	table_sort(&index->by_thread);
	table_sort(&index->per_thread);
}

uint64_t model_result_bytes(const struct model *model, const struct trace_operation *operation)
{
	if (operation->form->engine == ENGINE_D2H)
		return operation->form->size_bytes ? operation->form->size_bytes : 1;
	return model->index->gives_result[operation - model->trace->operations];
}

static void index_results(const struct model *model, struct model_index *index)
{
	const struct trace *trace = model->trace;

	index->gives_result = memory_array(trace->operation_count, sizeof(*index->gives_result));
	for (size_t i = 0; i < model->operation_count; i++)
		index->gives_result[model->operations[i].operation - trace->operations] =
			model->operations[i].result == MODEL_RESULT_GIVEN;
}

static void index_ends(struct model *model, struct model_index *index)
{
	const struct trace_operation *last_result = NULL;

	index->last_result = memory_array(model->operation_count, sizeof(*index->last_result));
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (model_result_bytes(model, operation))
			last_result = later(last_result, operation);
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
		if (stream->flag != STREAM_NULL)
			continue;
		map_add(&index->null_streams, stream->context_id, i);
		index->null_stream = index->null_stream ? index->null_stream : stream;
	}
	table_sort(&index->handles);
}

void model_index_build(struct model *model)
{
	model->index = memory_array(1, sizeof(*model->index));
	index_operations(model, model->index);
	results_settle(model);
	index_results(model, model->index);
	index_ends(model, model->index);
	index_streams(model, model->index);
	model->thread_groups = thread_groups_find(model->trace);
}

void model_index_free(struct model *model)
{
	free(model->index->by_thread.rows);
	free(model->index->per_thread.rows);
	free(model->index->handles.rows);
	map_free(&model->index->null_streams);
	free(model->index->last_result);
	free(model->index->gives_result);
	free(model->index);
	free(model->thread_groups);
}

/* The default stream of the call's context; where that is not recorded, of the one in which the
 * thread worked last; with a single context, of that one. */
static const struct trace_stream *null_stream_of(const struct model *model,
						 const struct trace_call *call)
{
	const struct keyed *row =
		row_before(&model->index->by_thread, call->form->thread_id, call->start_ns);
	size_t found = MAP_NONE;

	if (call->form->context_id)
		found = map_find(&model->index->null_streams, call->form->context_id);
	else if (row)
		found = map_find(&model->index->null_streams,
				 row->of.operation->form->stream->context_id);
	return found == MAP_NONE ? model->index->null_stream : &model->trace->streams[found];
}

/* The stream that the call named, or NULL. */
const struct trace_stream *model_stream_of(const struct model *model, const struct trace_call *call)
{
	const struct keyed *row;

	if (is_per_thread(call)) {
		row = row_before(&model->index->per_thread, call->form->thread_id, INT64_MAX);
		return row ? row->of.operation->form->stream : NULL;
	}
	if (stream_handle_is_legacy(call->form->stream_handle))
		return null_stream_of(model, call);
	row = row_before(&model->index->handles, call->form->stream_handle, call->start_ns + 1);
	return row && row->of.stream->destroyed_ns >= call->start_ns ? row->of.stream : NULL;
}

/* Index of the first operation that was enqueued at or after the time. */
static size_t operations_before(const struct model *model, int64_t time_ns)
{
	size_t low = 0, high = model->operation_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (model->operations[middle].step_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call)
{
	const struct table *table = &model->index->by_thread;
	size_t next = rows_before(table, call->form->thread_id, call->end_ns);

	return next < table->count && table->rows[next].key == call->form->thread_id
		       ? table->rows[next].of.operation
		       : NULL;
}

uint64_t model_work_between(const struct model *model, const struct trace_call *since,
			    const struct trace_call *call)
{
	const struct table *table = &model->index->by_thread;
	size_t i = rows_before(table, call->form->thread_id, since ? since->end_ns : INT64_MIN);
	uint64_t hash = 0;

	for (; i < table->count && table->rows[i].key == call->form->thread_id &&
	       table->rows[i].time_ns < call->start_ns;
	     i++) {
		const struct trace_operation *operation = table->rows[i].of.operation;

		hash = mix(hash + 1,
			   (uint64_t)operation->form->kind << 8 | operation->form->copy_kind);
		hash = mix(hash, (uintptr_t)operation->form->name);
		hash = mix(hash, operation->form->size_bytes);
		hash = mix(hash, operation->form->blocks);
	}
	return hash;
}

const struct trace_operation *model_result_before(const struct model *model,
						  const struct trace_call *since,
						  const struct trace_call *call, size_t *cursor)
{
	size_t first = since ? operations_before(model, since->start_ns) : 0;
	size_t i = *cursor == SIZE_MAX ? operations_before(model, call->start_ns) : *cursor;

	while (i-- > 0) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct trace_operation *last = model->index->last_result[i];

		if (i < first && (!last || last->end_ns <= since->end_ns))
			break;
		if ((i < first && operation->end_ns <= since->end_ns) ||
		    !model_result_bytes(model, operation))
			continue;
		*cursor = i;
		return operation;
	}
	*cursor = 0;
	return NULL;
}
