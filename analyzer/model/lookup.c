/*
 * Answers the detectors' questions to a model by binary search in sorted tables.
 */
#include "base/memory.h"
#include "base/mix.h"
#include "base/search.h"
#include "base/sort.h"
#include "model/model_private.h"
#include "model/results.h"
#include "model/thread_groups.h"
#include "trace/stream_handle.h"

#include <stdlib.h>

/* Indexes in trace.operations or trace.streams, sorted by a key, then a time. Operations: by the
 * enqueuing thread and their call's start; streams: by handle and creation. */
struct table {
	uint32_t *rows;
	size_t count;
};

struct model_index {
	struct table by_thread, per_thread; /* operations */
	struct table handles;		    /* streams */
	/* Indexes in trace.streams of the contexts' default streams; and the first of these, or
	 * NULL. */
	struct map null_streams;
	const struct trace_stream *null_stream;
	bool *gives_result; /* by index in trace.operations: a kernel's result */
	/* By index in model.operations: of the results up to it the index in trace.operations of
	 * the one that ended last; MODEL_NO_OPERATION: none. */
	uint32_t *last_result;
};

struct row {
	uint64_t key;
	int64_t time_ns;
};

static struct row row_of_operation(const struct trace *trace, uint32_t index)
{
	const struct trace_call *call = trace->operations[index].call;

	return (struct row){call->form->thread_id, call->start_ns};
}

static struct row row_of_stream(const struct trace *trace, uint32_t index)
{
	return (struct row){trace->streams[index].handle, trace->streams[index].created_ns};
}

typedef struct row (*row_function)(const struct trace *trace, uint32_t index);

static bool is_before(struct row row, struct row wanted)
{
	return row.key < wanted.key || (row.key == wanted.key && row.time_ns < wanted.time_ns);
}

/* Index of the first row of the key at or after the time. */
static size_t rows_before(const struct trace *trace, const struct table *table, row_function row_of,
			  struct row wanted)
{
	return search(table->count, i, is_before(row_of(trace, table->rows[i]), wanted));
}

/* The index in the last row with this key and before the time, or MODEL_NO_OPERATION. */
static uint32_t row_before(const struct trace *trace, const struct table *table,
			   row_function row_of, struct row wanted)
{
	size_t next = rows_before(trace, table, row_of, wanted);

	return next > 0 && row_of(trace, table->rows[next - 1]).key == wanted.key
		       ? table->rows[next - 1]
		       : MODEL_NO_OPERATION;
}

/* Rows of equal key and time stay in the order of their indexes. */
static void table_sort(const struct trace *trace, struct table *table, row_function row_of)
{
	struct sort_key *keys = memory_array(table->count, sizeof(*keys));

	for (size_t i = 0; i < table->count; i++)
		keys[i] = (struct sort_key){sort_signed(row_of(trace, table->rows[i]).time_ns),
					    table->rows[i]};
	sort_by_key_once(keys, table->count);
	for (size_t i = 0; i < table->count; i++)
		keys[i].key = row_of(trace, keys[i].index).key;
	sort_by_key_once(keys, table->count);
	for (size_t i = 0; i < table->count; i++)
		table->rows[i] = keys[i].index;
	free(keys);
}

static const struct trace_operation *later_to_end(const struct trace_operation *a,
						  const struct trace_operation *b)
{
	return !a || (b && b->end_ns > a->end_ns) ? b : a;
}

static bool is_per_thread(const struct trace_call *call)
{
	return call->form->has_stream &&
	       stream_handle_is_per_thread(call->form->stream_handle, call);
}

/* Indexes all operations, or only those in their thread's own default stream. */
static void index_operations(const struct trace *trace, struct table *table, bool is_all)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = trace->operations[i].call;

		table->count += call && (is_all || is_per_thread(call));
	}
	table->rows = memory_array(table->count, sizeof(*table->rows));
	table->count = 0;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = trace->operations[i].call;

		if (call && (is_all || is_per_thread(call)))
			table->rows[table->count++] = (uint32_t)i;
	}
	table_sort(trace, table, row_of_operation);
}

uint64_t model_result_bytes(const struct model *model, const struct trace_operation *operation)
{
	if (operation->form->is_gone)
		return 0;
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
	const struct trace_operation *operations = model->trace->operations, *last_result = NULL;

	index->last_result = memory_array(model->operation_count, sizeof(*index->last_result));
	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;

		if (model_result_bytes(model, operation))
			last_result = later_to_end(last_result, operation);
		index->last_result[i] =
			last_result ? (uint32_t)(last_result - operations) : MODEL_NO_OPERATION;
	}
}

static void index_streams(struct model *model, struct model_index *index)
{
	const struct trace *trace = model->trace;

	index->handles.rows = memory_array(trace->stream_count, sizeof(*index->handles.rows));
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		if (stream->handle)
			index->handles.rows[index->handles.count++] = (uint32_t)i;
		if (stream->flag != STREAM_NULL)
			continue;
		map_add(&index->null_streams, stream->context_id, i);
		index->null_stream = index->null_stream ? index->null_stream : stream;
	}
	table_sort(trace, &index->handles, row_of_stream);
}

void model_index_build(struct model *model)
{
	model->index = memory_array(1, sizeof(*model->index));
	index_operations(model->trace, &model->index->by_thread, true);
	index_operations(model->trace, &model->index->per_thread, false);
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

/* The default stream of the call's context; if that is unknown, of the context in which the thread
 * worked last; with a single context, of that one. */
static const struct trace_stream *null_stream_of(const struct model *model,
						 const struct trace_call *call)
{
	uint32_t row = row_before(model->trace, &model->index->by_thread, row_of_operation,
				  (struct row){call->form->thread_id, call->start_ns});
	size_t found = MAP_NONE;

	if (call->form->context_id)
		found = map_find(&model->index->null_streams, call->form->context_id);
	else if (row != MODEL_NO_OPERATION)
		found = map_find(&model->index->null_streams,
				 model->trace->operations[row].form->stream->context_id);
	return found == MAP_NONE ? model->index->null_stream : &model->trace->streams[found];
}

/* The stream that the call named, or NULL. */
const struct trace_stream *model_stream_of(const struct model *model, const struct trace_call *call)
{
	const struct trace *trace = model->trace;
	const struct trace_stream *stream;
	uint32_t row;

	if (is_per_thread(call)) {
		row = row_before(trace, &model->index->per_thread, row_of_operation,
				 (struct row){call->form->thread_id, INT64_MAX});
		return row == MODEL_NO_OPERATION ? NULL : trace->operations[row].form->stream;
	}
	if (stream_handle_is_legacy(call->form->stream_handle))
		return null_stream_of(model, call);
	row = row_before(trace, &model->index->handles, row_of_stream,
			 (struct row){call->form->stream_handle, call->start_ns + 1});
	stream = row == MODEL_NO_OPERATION ? NULL : &trace->streams[row];
	return stream && stream->destroyed_ns >= call->start_ns ? stream : NULL;
}

/* Index of the first operation that was enqueued at or after the time. */
static size_t operations_before(const struct model *model, int64_t time_ns)
{
	return search(model->operation_count, i, model->operations[i].step_ns < time_ns);
}

const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call)
{
	const struct table *table = &model->index->by_thread;
	size_t next = rows_before(model->trace, table, row_of_operation,
				  (struct row){call->form->thread_id, call->end_ns});
	const struct trace_operation *operation;

	if (next == table->count)
		return NULL;
	operation = &model->trace->operations[table->rows[next]];
	return operation->call->form->thread_id == call->form->thread_id ? operation : NULL;
}

uint64_t model_work_between(const struct model *model, const struct trace_call *since,
			    const struct trace_call *call)
{
	const struct table *table = &model->index->by_thread;
	size_t i =
		rows_before(model->trace, table, row_of_operation,
			    (struct row){call->form->thread_id, since ? since->end_ns : INT64_MIN});
	uint64_t hash = 0;

	for (; i < table->count; i++) {
		const struct trace_operation *operation = &model->trace->operations[table->rows[i]];
		const struct trace_operation_form *form = operation->form;

		if (operation->call->form->thread_id != call->form->thread_id ||
		    operation->call->start_ns >= call->start_ns)
			break;
		hash = mix(hash + 1, (uint64_t)form->kind << 8 | form->copy_kind);
		hash = mix(hash, (uintptr_t)form->name);
		hash = mix(hash, form->size_bytes);
		hash = mix(hash, form->blocks);
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
		uint32_t last = model->index->last_result[i];

		if (i < first && (last == MODEL_NO_OPERATION ||
				  model->trace->operations[last].end_ns <= since->end_ns))
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
