/*
 * A program by hand, and its replay.
 *
 * Times are small numbers of ns. A call takes 1 and its operation starts 1 after the call began,
 * or when what it waits for has ended; a wait returns 1 after the end that it waited for.
 */
#ifndef STREAMTRACE_TIMELINE_PROGRAM_H
#define STREAMTRACE_TIMELINE_PROGRAM_H

#include "cmocka_test.h"
#include "test_forms.h"
#include "base/minmax.h"
#include "replay/timeline.h"

#define MOST	    64
#define STREAMS	    4
#define NULL_STREAM (STREAMS - 1) /* the legacy default one; stream 0 does not block, others do */

enum { LAUNCH, COPY, DEVICE_SYNC, STREAM_SYNC, HOST_FUNCTION, EVENT_QUERY, FUNCTIONS };

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream streams[STREAMS];
	struct trace_event_wait event_waits[MOST];
};

static inline void begin(struct program *program)
{
	*program = (struct program){
		.functions = {{"cudaLaunchKernel", CLASS_LAUNCH},
			      {"cudaMemcpyAsync", CLASS_COPY},
			      {"cudaDeviceSynchronize", CLASS_DEVICE_SYNC},
			      {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
			      {"cudaLaunchHostFunc", CLASS_HOST_FUNCTION},
			      {"cudaEventQuery", CLASS_EVENT_QUERY}},
	};
	program->trace = (struct trace){.functions = program->functions,
					.function_count = FUNCTIONS,
					.calls = program->calls,
					.operations = program->operations,
					.streams = program->streams,
					.stream_count = STREAMS,
					.event_waits = program->event_waits};
	for (uint32_t i = 0; i < STREAMS; i++)
		program->streams[i] =
			(struct trace_stream){.id = i,
					      .flag = i == 0		 ? STREAM_NON_BLOCKING
						      : i == NULL_STREAM ? STREAM_NULL
									 : STREAM_BLOCKING,
					      .handle = 0x100 + i,
					      .created_ns = INT64_MIN,
					      .destroyed_ns = INT64_MAX};
}

static inline struct trace_call *add_call(struct program *program, int function, int stream,
					  int64_t start_ns, int64_t end_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){.start_ns = start_ns,
				    .end_ns = end_ns,
				    .form = call_form((struct trace_call_form){
					    .function = &program->functions[function],
					    .stream_handle = program->streams[stream].handle,
					    .has_stream = function != DEVICE_SYNC})};
	return call;
}

/* A call of 1 ns and its operation. Operations must be added in the order of their starts. */
static inline struct trace_operation *enqueue(struct program *program, enum engine engine,
					      int stream, int64_t call_ns, int64_t start_ns,
					      int64_t end_ns)
{
	bool is_kernel = engine == ENGINE_COMPUTE;
	struct trace_call *call =
		add_call(program, is_kernel ? LAUNCH : COPY, stream, call_ns, call_ns + 1);
	struct trace_operation *operation = &program->operations[program->trace.operation_count++];

	*operation = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.call = call,
		.form = operation_form((struct trace_operation_form){
			.stream = &program->streams[stream],
			.kind = is_kernel ? OPERATION_KERNEL : OPERATION_COPY,
			.engine = engine,
			.src_kind = engine == ENGINE_H2D ? MEMORY_PINNED : MEMORY_DEVICE,
			.dst_kind = engine == ENGINE_D2H ? MEMORY_PINNED : MEMORY_DEVICE,
			.size_bytes = 100})};
	call->operation = operation;
	/* Each copy has memory of its own. */
	form_of_call(call)->src = 0x10000 + 0x1000 * program->trace.operation_count;
	form_of_call(call)->dst = 0x90000 + 0x1000 * program->trace.operation_count;
	return operation;
}

/* One that eight blocks fill, each a multiprocessor. */
static struct trace_device small_device = {.multiprocessors = 8, .max_warps = 1};

/* The operation that was added last is a kernel of so many. */
static inline void set_blocks(struct program *program, uint64_t blocks)
{
	struct trace_operation *last = &program->operations[program->trace.operation_count - 1];

	form_of(last)->blocks = blocks;
	form_of(last)->block_threads = 32;
	program->trace.devices = &small_device;
	program->trace.device_count = 1;
}

struct replayed {
	struct model *model;
	struct timeline *timeline;
	struct edits *edits;
};

static inline struct replayed build(const struct program *program)
{
	struct model *model = model_build(&program->trace);

	return (struct replayed){model, timeline_build(model), edits_create(model)};
}

static inline void release(struct replayed *replayed)
{
	edits_free(replayed->edits);
	timeline_free(replayed->timeline);
	model_free(replayed->model);
}

static inline void assert_replay(struct replayed *replayed, int64_t measured_ns, int64_t edited_ns)
{
	assert_int_equal(timeline_measured_ns(replayed->timeline), measured_ns);
	assert_int_equal(timeline_replay(replayed->timeline, NULL), measured_ns);
	assert_int_equal(timeline_replay(replayed->timeline, replayed->edits), edited_ns);
}

/* Index in model.operations. */
static inline size_t index_of(const struct replayed *replayed,
			      const struct trace_operation *operation)
{
	size_t i = 0;

	while (replayed->model->operations[i].operation != operation)
		i++;
	return i;
}

static inline void move(struct replayed *replayed, const struct trace_operation *operation,
			uint32_t stream)
{
	edits_move(replayed->edits, replayed->model, index_of(replayed, operation), stream);
}

#endif
