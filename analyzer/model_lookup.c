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

/* An operation under the key it is looked up by: a stream, a thread. Sorted by key, then time. */
struct keyed {
	uint64_t key;
	int64_t time_ns; /* of the call that enqueued it, or that recorded the event */
	const struct trace_operation
		*operation;	       /* of all up to here, under this key, the last to end */
	const struct trace_call *call; /* event records */
};

struct model_index {
	struct keyed *by_stream, *by_thread, *events, *per_thread_streams;
	size_t stream_rows, thread_rows, event_rows, per_thread_rows;
};

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->operation > y->operation) - (x->operation < y->operation);
}

/* Index of the first row of the key at or after the time. */
static size_t rows_before(const struct keyed *rows, size_t count, uint64_t key, int64_t time_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].key < key ||
		    (rows[middle].key == key && rows[middle].time_ns < time_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last row of the key before the time, or NULL. */
static const struct keyed *row_before(const struct keyed *rows, size_t count, uint64_t key,
				      int64_t time_ns)
{
	size_t place = rows_before(rows, count, key, time_ns);

	return place > 0 && rows[place - 1].key == key ? &rows[place - 1] : NULL;
}

static void keep_latest_ends(struct keyed *rows, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (rows[i].key == rows[i - 1].key &&
		    rows[i - 1].operation->end_ns > rows[i].operation->end_ns)
			rows[i].operation = rows[i - 1].operation;
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

	index->by_stream = memory_array(count, sizeof(*index->by_stream));
	index->by_thread = memory_array(count, sizeof(*index->by_thread));
	index->per_thread_streams = memory_array(count, sizeof(*index->per_thread_streams));
	for (size_t i = 0; i < count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		const struct trace_call *call = operation->call;
		struct keyed row = {(uint64_t)(operation->stream - trace->streams),
				    call ? call->start_ns : operation->start_ns, operation, call};

		index->by_stream[index->stream_rows++] = row;
		if (!call)
			continue;
		row.key = call->thread_id;
		index->by_thread[index->thread_rows++] = row;
		if (is_per_thread(call))
			index->per_thread_streams[index->per_thread_rows++] = row;
	}
	qsort(index->by_stream, index->stream_rows, sizeof(struct keyed), compare_keyed);
	keep_latest_ends(index->by_stream, index->stream_rows);
	qsort(index->by_thread, index->thread_rows, sizeof(struct keyed), compare_keyed);
	qsort(index->per_thread_streams, index->per_thread_rows, sizeof(struct keyed),
	      compare_keyed);
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
		index->events = memory_grow(index->events, index->event_rows, &capacity,
					    sizeof(*index->events));
		index->events[index->event_rows++] =
			(struct keyed){call->object, call->start_ns, NULL, call};
	}
	if (index->event_rows)
		qsort(index->events, index->event_rows, sizeof(struct keyed), compare_keyed);
}

void model_index_build(struct model *model)
{
	model->index = memory_array(1, sizeof(*model->index));
	index_operations(model, model->index);
	index_calls(model, model->index);
}

void model_index_free(struct model *model)
{
	free(model->index->by_stream);
	free(model->index->by_thread);
	free(model->index->events);
	free(model->index->per_thread_streams);
	free(model->index);
}

/* The stream that the call named, or NULL. */
static const struct trace_stream *stream_of(const struct model *model,
					    const struct trace_call *call)
{
	const struct trace *trace = model->trace;
	const struct model_index *index = model->index;
	const struct keyed *row;

	if (is_per_thread(call)) {
		row = row_before(index->per_thread_streams, index->per_thread_rows, call->thread_id,
				 INT64_MAX);
		return row ? row->operation->stream : NULL;
	}
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		if (call->stream_handle <= HANDLE_LEGACY) {
			if (stream->flag == STREAM_NULL)
				return stream;
		} else if (stream->handle == call->stream_handle &&
			   stream->created_ns <= call->start_ns &&
			   stream->destroyed_ns >= call->start_ns) {
			return stream;
		}
	}
	return NULL;
}

static const struct trace_operation *later(const struct trace_operation *a,
					   const struct trace_operation *b)
{
	return !a || (b && b->end_ns > a->end_ns) ? b : a;
}

static const struct trace_operation *
last_of_stream(const struct model *model, const struct trace_stream *stream, int64_t before_ns)
{
	const struct keyed *row = row_before(model->index->by_stream, model->index->stream_rows,
					     (uint64_t)(stream - model->trace->streams), before_ns);

	return row ? row->operation : NULL;
}

/* Of all streams, or of one, or of the legacy default stream and those that it waits for. */
static const struct trace_operation *last_before(const struct model *model,
						 const struct trace_stream *only, int64_t before_ns)
{
	const struct trace *trace = model->trace;
	const struct trace_operation *last = NULL;

	if (only && only->flag != STREAM_NULL)
		return last_of_stream(model, only, before_ns);
	for (size_t i = 0; i < trace->stream_count; i++) {
		const struct trace_stream *stream = &trace->streams[i];

		if (!only || stream == only ||
		    (stream->context_id == only->context_id && stream->flag == STREAM_BLOCKING))
			last = later(last, last_of_stream(model, stream, before_ns));
	}
	return last;
}

const struct trace_operation *model_waited_for(const struct model *model,
					       const struct trace_call *call)
{
	const struct trace_stream *stream;
	const struct keyed *record;

	switch (call->function->class) {
	case CLASS_DEVICE_SYNC:
		return last_before(model, NULL, call->start_ns);
	case CLASS_STREAM_SYNC:
		stream = stream_of(model, call);
		return stream ? last_before(model, stream, call->start_ns) : NULL;
	case CLASS_EVENT_SYNC:
		record = row_before(model->index->events, model->index->event_rows, call->object,
				    call->start_ns);
		stream = record ? stream_of(model, record->call) : NULL;
		return stream ? last_before(model, stream, record->call->start_ns) : NULL;
	default:
		return call->operation;
	}
}

const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call)
{
	const struct model_index *index = model->index;
	size_t place =
		rows_before(index->by_thread, index->thread_rows, call->thread_id, call->end_ns);

	return place < index->thread_rows && index->by_thread[place].key == call->thread_id
		       ? index->by_thread[place].operation
		       : NULL;
}

/* Index of the first operation that was enqueued at or after the time. */
static size_t operations_before(const struct model *model, int64_t time_ns)
{
	size_t low = 0, high = model->operation_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (model_enqueue_order(model->operations[middle].operation) < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t model_smallest_result(const struct model *model, int64_t since_ns, int64_t until_ns)
{
	uint64_t smallest = 0;

	for (size_t i = operations_before(model, since_ns); i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		uint64_t bytes = 0;

		if (model_enqueue_order(operation) >= until_ns)
			break;
		if (operation->engine == ENGINE_D2H)
			bytes = operation->size_bytes ? operation->size_bytes : 1;
		else if (operation->kind == OPERATION_KERNEL && model->uses_managed_memory)
			bytes = 1;
		if (bytes && (!smallest || bytes < smallest))
			smallest = bytes;
	}
	return smallest;
}

static int compare_rates(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool is_pinned_copy(const struct trace_operation *operation, enum engine engine)
{
	return operation->kind == OPERATION_COPY && operation->engine == engine &&
	       (engine == ENGINE_H2D ? operation->src_kind : operation->dst_kind) ==
		       MEMORY_PINNED &&
	       operation->end_ns > operation->start_ns;
}

/* The median: a few copies share the bus with others, and small ones are all start-up. */
void model_note_rates(struct model *model)
{
	const struct trace *trace = model->trace;
	double *rates = memory_array(trace->operation_count, sizeof(*rates));

	for (int engine = ENGINE_H2D; engine <= ENGINE_D2H; engine++) {
		size_t count = 0;

		for (size_t i = 0; i < trace->operation_count; i++) {
			const struct trace_operation *operation = &trace->operations[i];

			if (is_pinned_copy(operation, (enum engine)engine))
				rates[count++] = (double)operation->size_bytes /
						 (double)(operation->end_ns - operation->start_ns);
		}
		qsort(rates, count, sizeof(*rates), compare_rates);
		model->pinned_bytes_per_ns[engine] = count ? rates[count / 2] : 0;
	}
	free(rates);
}
