/*
 * WHAT: independent copies and kernels in one stream: it runs them one after the other.
 * EVIDENCE: an operation was enqueued, there was room for it on its engine and what it needs was
 *   done, yet it started only when the operation before it in its stream had ended: one of another
 *   engine, or a kernel that left room beside it.
 * COST: the time between those two moments.
 * FALSE POSITIVES: a copy into a buffer that an earlier kernel still reads: independent in its
 * data, but a fix needs a second buffer (the fix says so when the copies share their target). Small
 *   copies in a row that wait for each other are tiny-copies.
 */
#include "detectors/detector.h"

#include "base/memory.h"
#include "detectors/copy_runs.h"

#include <stdio.h>
#include <stdlib.h>

#define FIX_OF_THREADS                                                                             \
	"Give each thread a stream of its own. For the default stream, nvcc --default-stream "     \
	"per-thread does that: otherwise it is one stream for all threads."
#define FIX_OF_KERNELS                                                                             \
	"Launch them into streams[i % 8] from cudaStreamCreateWithFlags(&s, "                      \
	"cudaStreamNonBlocking): these kernels fit on the device beside each other."

static bool is_of_threads(const struct instance *instance)
{
	const struct trace_call *call = instance->operation->call, *before = instance->cause->call;

	return call && before && call->form->thread_id != before->form->thread_id;
}

static bool is_of_kernels(const struct instance *instance)
{
	return instance->operation->form->engine == ENGINE_COMPUTE &&
	       instance->cause->form->engine == ENGINE_COMPUTE;
}

static void find(const struct model *model, struct instances *found)
{
	struct copy_runs runs = copy_runs_find(model);

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct model_operation *item = &model->operations[i];
		struct model_wait wait = model_delay_by_stream(model, item);
		struct instance instance = {.span = wait.span,
					    .reach = wait.reach,
					    .reach_of_both = wait.reach_of_both,
					    .site_call = item->operation->call,
					    .operation = item->operation,
					    .cause =
						    model_blocker_at(model, item->stream).operation,
					    .takes_other_fix = item->reuses_buffer};

		if (wait.span.end_ns <= wait.span.start_ns || !instance.cause ||
		    (copy_runs_have(&runs, model, item->operation) &&
		     copy_runs_have(&runs, model, instance.cause)))
			continue;
		if (is_of_threads(&instance))
			instance.fix = FIX_OF_THREADS;
		else if (is_of_kernels(&instance))
			instance.fix = FIX_OF_KERNELS;
		instance_add(found, instance);
	}
	copy_runs_free(&runs);
}

/* The fix's streams for one stream's chunks: a copy in, a kernel and a copy out at a time, and one
 * to spare. For kernels beside kernels as many as a program has hardware queues by default. */
#define CHUNK_STREAMS  4
#define KERNEL_STREAMS 8

/* What becomes of a stream. */
struct spread {
	uint32_t stream;
	size_t instances, of_threads, of_kernels;
	/* By chunks: the streams that they go round. The default stream is none of them: as long
	 * as anything stays there, the others wait for it. */
	uint32_t streams[KERNEL_STREAMS];
	size_t stream_count, chunk;
	uint32_t before; /* where another finding's fix put the operation before */
};

struct spreading {
	const struct model *model;
	struct edits *edits;
	enum doubt doubt;
	struct map begins;  /* operations that begin a chunk */
	struct map spread;  /* streams to their index in `spreads` */
	struct map threads; /* of a stream and a thread, the stream that it gets */
	struct spread *spreads;
	size_t count;
};

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
		struct spread *spread;

		/* Two copies into one buffer: a second one is part of the fix, but not for sure. */
		if (spreading->doubt != DOUBT_KEEP || !instances[i].takes_other_fix)
			map_add(&spreading->begins,
				(uint64_t)(instances[i].operation - trace->operations), i);
		if (map_add(&spreading->spread, stream, spreading->count))
			spreading->spreads[spreading->count++] =
				(struct spread){.stream = stream, .before = stream};
		spread = &spreading->spreads[map_find(&spreading->spread, stream)];
		spread->instances++;
		spread->of_threads += is_of_threads(&instances[i]);
		spread->of_kernels += is_of_kernels(&instances[i]);
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
		spread->stream_count =
			spread->of_kernels * 2 > spread->instances ? KERNEL_STREAMS : CHUNK_STREAMS;
		for (size_t k = 0; k < spread->stream_count; k++)
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

/* Each operation that waited without need begins a chunk; chunks go round the streams. */
static uint32_t stream_of_chunk(struct spreading *spreading, struct spread *spread, size_t index)
{
	const struct model *model = spreading->model;
	const struct trace_operation *operation = model->operations[index].operation;
	uint32_t now = edits_stream_of(spreading->edits, model, index);

	/* A chunk that another finding's fix begins stays one. */
	spread->chunk += map_find(&spreading->begins,
				  (uint64_t)(operation - model->trace->operations)) != MAP_NONE ||
			 now != spread->before;
	spread->before = now;
	return spread->streams[spread->chunk % spread->stream_count];
}

static void move_operations(struct spreading *spreading)
{
	const struct model *model = spreading->model;

	for (size_t i = 0; i < model->operation_count; i++) {
		const struct trace_operation *operation = model->operations[i].operation;
		size_t found = map_find(&spreading->spread, (uint64_t)(operation->form->stream -
								       model->trace->streams));
		struct spread *spread;

		if (found == MAP_NONE)
			continue;
		spread = &spreading->spreads[found];
		if (!by_thread(spread)) {
			edits_move(spreading->edits, model, i,
				   stream_of_chunk(spreading, spread, i));
			if (spreading->doubt != DOUBT_KEEP)
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
		size_t found = map_find(&spreading->spread, (uint64_t)(operation->form->stream -
								       model->trace->streams));

		if (model_enqueue_ns(operation) > call->start_ns ||
		    (operation->call && operation->call > call))
			return;
		if (found != MAP_NONE && operation->call)
			map_set(&passing->last,
				thread_key(&spreading->spreads[found],
					   operation->call->form->thread_id),
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
		size_t found;

		if (call->form->function->class != CLASS_STREAM_SYNC)
			continue;
		stream = model_stream_of(model, call);
		found = stream ? map_find(&spreading->spread, (uint64_t)(stream - trace->streams))
			       : MAP_NONE;
		if (found == MAP_NONE || !by_thread(&spreading->spreads[found]))
			continue;
		pass_operations(spreading, &passing, call);
		found = map_find(&passing.last,
				 thread_key(&spreading->spreads[found], call->form->thread_id));
		if (found != MAP_NONE)
			edits_narrow_wait(spreading->edits, model, call, &trace->operations[found]);
	}
	map_free(&passing.last);
}

static void apply(const struct model *model, const struct instance *instances, size_t count,
		  enum doubt doubt, struct edits *edits)
{
	struct spreading spreading = {
		.model = model,
		.edits = edits,
		.doubt = doubt,
		.spreads = memory_array(count, sizeof(*spreading.spreads)),
	};
	bool has_threads = false;

	note_instances(&spreading, instances, count);
	add_streams(&spreading);
	move_operations(&spreading);
	for (size_t i = 0; i < spreading.count; i++)
		has_threads |= by_thread(&spreading.spreads[i]);
	if (has_threads)
		narrow_waits(&spreading);
	free(spreading.spreads);
	map_free(&spreading.threads);
	map_free(&spreading.spread);
	map_free(&spreading.begins);
}

static void describe(const struct model *model, const struct instance *instance, char *text,
		     size_t size)
{
	char waiter[160], holder[160], stream[32];

	snprintf(text, size, "%s waited for %s ahead of it in %s",
		 describe_operation(model, instance->operation, waiter, sizeof(waiter)),
		 describe_cause(model, instance->cause, holder, sizeof(holder)),
		 describe_stream(instance->operation, stream, sizeof(stream)));
}

const struct detector detector_serial_stream = {
	.id = "serial-stream",
	.title = "Independent copies and kernels are serialized in one stream",
	.fix = "Spread the chunks over streams[i % 4] from cudaStreamCreate(): the copy of one "
	       "chunk "
	       "then overlaps with the kernel of another.",
	.other_fix =
		"Spread the chunks over streams[i % 4] from cudaStreamCreate(), each with its own "
		"device buffer: these copies all write to the same one.",
	.cost = "delayed",
	.find = find,
	.apply = apply,
	.describe = describe,
};
