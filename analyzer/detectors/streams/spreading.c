#include "detectors/streams/spreading.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool spreading_is_of_threads(const struct instance *instance)
{
	const struct trace_call *call = instance->operation->call, *before = instance->cause->call;

	return call && before && call->form->thread_id != before->form->thread_id;
}

/* What becomes of a stream. */
struct spread {
	uint32_t stream;
	size_t instances, of_threads;
	/* By chunks: the streams that they go round. The default stream is none of them: as long
	 * as anything stays there, the others wait for it. */
	uint32_t streams[SPREADING_MOST];
	size_t chunk;
	uint32_t before; /* where another finding's fix put the operation before */
};

struct spreading {
	const struct model *model;
	struct edits *edits;
	enum doubt doubt;
	size_t stream_count; /* that the fix has for one */
	uint8_t *begins;     /* by index in trace.operations: enum begin */
	uint32_t *spread;    /* by index in trace.streams: the index in `spreads`, or NOT_SPREAD */
	struct map threads;  /* of a stream and a thread, the stream that it gets */
	struct spread *spreads;
	size_t count;
};

#define NOT_SPREAD UINT32_MAX

/* Whether an operation begins a chunk, or does only with a second buffer. */
enum begin { BEGINS_NOT, BEGINS, BEGINS_DOUBLED };

/* As the stream itself: one that the default stream's barrier exempts stays exempt. */
static enum stream_flag kind_of_added(const struct trace_stream *stream)
{
	return stream->flag == STREAM_NON_BLOCKING ? STREAM_NON_BLOCKING : STREAM_BLOCKING;
}

static uint32_t add_stream(struct spreading *spreading, uint32_t stream)
{
	const struct model *model = spreading->model;

	return edits_add_stream(spreading->edits, model, stream,
				kind_of_added(&model->trace->streams[stream]));
}

static bool by_thread(const struct spread *spread)
{
	return spread->of_threads * 2 > spread->instances;
}

static void note_instances(struct spreading *spreading, const struct instance *instances,
			   size_t count)
{
	const struct trace *trace = spreading->model->trace;

	for (size_t i = 0; i < count; i++) {
		uint32_t stream = (uint32_t)(instances[i].operation->form->stream - trace->streams);
		uint8_t *begin = &spreading->begins[instances[i].operation - trace->operations];
		struct spread *spread;

		if (!*begin && (spreading->doubt != DOUBT_KEEP || !instances[i].is_doubtful))
			*begin = instances[i].takes_other_fix ? BEGINS_DOUBLED : BEGINS;
		if (spreading->spread[stream] == NOT_SPREAD) {
			spreading->spread[stream] = (uint32_t)spreading->count;
			spreading->spreads[spreading->count++] =
				(struct spread){.stream = stream, .before = stream};
		}
		spread = &spreading->spreads[spreading->spread[stream]];
		spread->instances++;
		spread->of_threads += spreading_is_of_threads(&instances[i]);
	}
}

static void add_streams(struct spreading *spreading)
{
	const struct trace *trace = spreading->model->trace;

	for (size_t i = 0; i < spreading->count; i++) {
		struct spread *spread = &spreading->spreads[i];
		bool is_default = trace->streams[spread->stream].flag == STREAM_NULL;

		if (by_thread(spread))
			continue;
		for (size_t k = 0; k < spreading->stream_count; k++)
			spread->streams[k] = k || is_default ? add_stream(spreading, spread->stream)
							     : spread->stream;
	}
}

static uint64_t thread_key(const struct spread *spread, uint32_t thread)
{
	return (uint64_t)spread->stream << 32 | thread;
}

/* Where the thread's work in the stream goes. */
static uint32_t stream_of_thread(struct spreading *spreading, const struct spread *spread,
				 uint32_t thread)
{
	uint64_t key = thread_key(spread, thread);
	size_t found = map_find(&spreading->threads, key);

	if (found == MAP_NONE) {
		found = add_stream(spreading, spread->stream);
		map_add(&spreading->threads, key, found);
	}
	return (uint32_t)found;
}

/* Whether the operation gets a second buffer: part of the fix, but not always one that does for
 * sure. */
static bool is_doubled(const struct spreading *spreading, const struct model_operation *item)
{
	return spreading->doubt != DOUBT_KEEP || item->fills_buffer;
}

/* Each operation that waited without need begins a chunk; chunks go round the streams. */
static uint32_t stream_of_chunk(struct spreading *spreading, struct spread *spread, size_t index)
{
	const struct model *model = spreading->model;
	const struct model_operation *item = &model->operations[index];
	uint8_t begins = spreading->begins[item->operation - model->trace->operations];
	uint32_t now = edits_stream_of(spreading->edits, model, index);

	/* A chunk that another finding's fix begins stays one. */
	spread->chunk += begins == BEGINS ||
			 (begins == BEGINS_DOUBLED && is_doubled(spreading, item)) ||
			 now != spread->before;
	spread->before = now;
	return spread->streams[spread->chunk % spreading->stream_count];
}

/* What becomes of the stream; NULL: it stays as it is. */
static struct spread *spread_of(const struct spreading *spreading,
				const struct trace_stream *stream)
{
	uint32_t index = spreading->spread[stream - spreading->model->trace->streams];

	return index == NOT_SPREAD ? NULL : &spreading->spreads[index];
}

static void move_operations(struct spreading *spreading)
{
	const struct model *model = spreading->model;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		struct spread *spread = spread_of(spreading, operation->form->stream);

		if (!spread)
			continue;
		if (!by_thread(spread)) {
			edits_move(spreading->edits, model, i,
				   stream_of_chunk(spreading, spread, i));
			if (is_doubled(spreading, &model->operations[i]))
				edits_double_buffer(spreading->edits, model, operation);
		} else if (operation->call) {
			edits_move(spreading->edits, model, i,
				   stream_of_thread(spreading, spread,
						    operation->call->form->thread_id));
		}
	}
}

/* The threads' last operations in the streams, during a pass over the calls. */
struct passing {
	struct map last; /* of a stream and a thread */
	size_t next;	 /* in model.operations */
};

/* Those that were enqueued before the call. */
static void pass_operations(const struct spreading *spreading, struct passing *passing,
			    const struct trace_call *call)
{
	const struct model *model = spreading->model;

	for (; passing->next < model->operation_count; passing->next++) {
		const struct trace_operation *operation =
			model->operations[passing->next].operation;
		const struct spread *spread = spread_of(spreading, operation->form->stream);

		if (model_enqueue_ns(operation) > call->start_ns ||
		    (operation->call && operation->call > call))
			return;
		if (spread && operation->call)
			map_set(&passing->last,
				thread_key(spread, operation->call->form->thread_id),
				(size_t)(operation - model->trace->operations));
	}
}

/* A thread that synchronizes with the stream then waits for its own work in it. */
static void narrow_waits(struct spreading *spreading)
{
	const struct model *model = spreading->model;
	const struct trace *trace = model->trace;
	struct passing passing = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		const struct trace_stream *stream;
		const struct spread *spread;
		size_t found;

		if (call->form->function->class != CLASS_STREAM_SYNC)
			continue;
		stream = model_stream_of(model, call);
		spread = stream ? spread_of(spreading, stream) : NULL;
		if (!spread || !by_thread(spread))
			continue;
		pass_operations(spreading, &passing, call);
		found = map_find(&passing.last, thread_key(spread, call->form->thread_id));
		if (found != MAP_NONE)
			edits_narrow_wait(spreading->edits, model, call, &trace->operations[found]);
	}
	map_free(&passing.last);
}

void spreading_apply(const struct model *model, const struct instance *instances, size_t count,
		     size_t stream_count, enum doubt doubt, struct edits *edits)
{
	struct spreading spreading = {
		.model = model,
		.edits = edits,
		.doubt = doubt,
		.stream_count = stream_count,
		.begins = memory_array(model->trace->operation_count, sizeof(*spreading.begins)),
		.spread = memory_array(model->trace->stream_count, sizeof(*spreading.spread)),
		.spreads = memory_array(count, sizeof(*spreading.spreads)),
	};
	bool has_threads = false;

	memset(spreading.spread, 0xff, model->trace->stream_count * sizeof(*spreading.spread));
	note_instances(&spreading, instances, count);
	add_streams(&spreading);
	move_operations(&spreading);
	for (size_t i = 0; i < spreading.count; i++)
		has_threads |= by_thread(&spreading.spreads[i]);
	if (has_threads)
		narrow_waits(&spreading);
	free(spreading.spreads);
	map_free(&spreading.threads);
	free(spreading.spread);
	free(spreading.begins);
}
