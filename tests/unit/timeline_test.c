/*
 * Replays whose length is known by arithmetic, and what holds for any program: with a fix it
 * never takes longer than measured, and the same input gives the same timeline.
 *
 * Times are small numbers of ns. A call takes 1 and its operation starts 1 after the call began,
 * or when what it waits for has ended; a wait returns 1 after the end that it waited for.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "base/minmax.h"
#include "replay/timeline.h"

#include <stdlib.h>
#include <string.h>

#define MOST	    64
#define STREAMS	    4
#define NULL_STREAM (STREAMS - 1) /* the legacy default one; stream 0 does not block, others do */

enum { LAUNCH, COPY, DEVICE_SYNC, STREAM_SYNC, HOST_FUNCTION, FUNCTIONS };

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream streams[STREAMS];
	struct trace_event_wait event_waits[MOST];
};

static void begin(struct program *program)
{
	*program = (struct program){
		.functions = {{"cudaLaunchKernel", CLASS_LAUNCH},
			      {"cudaMemcpyAsync", CLASS_COPY},
			      {"cudaDeviceSynchronize", CLASS_DEVICE_SYNC},
			      {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
			      {"cudaLaunchHostFunc", CLASS_HOST_FUNCTION}},
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

static struct trace_call *add_call(struct program *program, int function, int stream,
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
static struct trace_operation *enqueue(struct program *program, enum engine engine, int stream,
				       int64_t call_ns, int64_t start_ns, int64_t end_ns)
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

/* One that eight blocks fill. */
static struct trace_device small_device = {.multiprocessors = 1, .max_warps = 8};

/* The operation that was added last is a kernel of so many. */
static void set_blocks(struct program *program, uint64_t blocks)
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

static struct replayed build(const struct program *program)
{
	struct model *model = model_build(&program->trace);

	return (struct replayed){model, timeline_build(model), edits_create(model)};
}

static void release(struct replayed *replayed)
{
	edits_free(replayed->edits);
	timeline_free(replayed->timeline);
	model_free(replayed->model);
}

static void assert_replay(struct replayed *replayed, int64_t measured_ns, int64_t edited_ns)
{
	assert_int_equal(timeline_measured_ns(replayed->timeline), measured_ns);
	assert_int_equal(timeline_replay(replayed->timeline, NULL), measured_ns);
	assert_int_equal(timeline_replay(replayed->timeline, replayed->edits), edited_ns);
}

/* Index in model.operations. */
static size_t index_of(const struct replayed *replayed, const struct trace_operation *operation)
{
	size_t i = 0;

	while (replayed->model->operations[i].operation != operation)
		i++;
	return i;
}

static void move(struct replayed *replayed, const struct trace_operation *operation,
		 uint32_t stream)
{
	edits_move(replayed->edits, replayed->model, index_of(replayed, operation), stream);
}

/* The host waits, works for 7 of its own and goes on: without the wait the work stays. */
TEST(test_host_gap)
{
	struct program program;
	struct trace_call *wait;
	struct replayed replayed;
	struct timeline_times times;

	begin(&program);
	add_call(&program, STREAM_SYNC, 0, 0, 1); /* takes 1 by itself */
	enqueue(&program, ENGINE_H2D, 0, 1, 2, 12);
	wait = add_call(&program, STREAM_SYNC, 0, 2, 13);
	enqueue(&program, ENGINE_D2H, 1, 20, 21, 31);
	add_call(&program, STREAM_SYNC, 1, 21, 32);
	replayed = build(&program);
	edits_drop_wait(replayed.edits, replayed.model, wait);
	/* The wait is over at 3, the copy's call begins at 10, the copy at 11. */
	assert_replay(&replayed, 32, 22);
	assert_int_equal(timeline_replay_times(replayed.timeline, replayed.edits, &times), 22);
	assert_int_equal(times.calls[2].start_ns, 2);
	assert_int_equal(times.calls[2].end_ns, 3);
	assert_int_equal(times.waited_ns[2], 0);
	assert_int_equal(times.calls[3].start_ns, 10);
	assert_int_equal(times.operations[0].start_ns, 2);
	assert_int_equal(times.operations[1].start_ns, 11);
	assert_int_equal(times.operations[1].end_ns, 21);
	assert_int_equal(times.calls[4].end_ns, 22);
	assert_int_equal(times.waited_ns[4], 22 - 11 - 1);
	timeline_times_free(&times);
	release(&replayed);
}

/* A wait for the device ends after the last of two streams, whichever that is by then. */
TEST(test_device_sync)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	begin(&program);
	copy = enqueue(&program, ENGINE_H2D, 0, 0, 1, 101);
	enqueue(&program, ENGINE_COMPUTE, 1, 1, 2, 52);
	add_call(&program, DEVICE_SYNC, 0, 2, 102);
	replayed = build(&program);
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 20};
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 102, 53); /* the copy takes 20 + 100 / 10 and ends at 31 */
	release(&replayed);
}

/* The kernel runs on another device, and nobody waits for it: the run ends with it. */
TEST(test_device_sync_of_its_context)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	begin(&program);
	program.streams[0].context_id = 1;
	program.streams[1].context_id = 2;
	copy = enqueue(&program, ENGINE_H2D, 0, 0, 1, 101);
	enqueue(&program, ENGINE_COMPUTE, 1, 1, 2, 52);
	form_of_call(add_call(&program, DEVICE_SYNC, 0, 2, 102))->context_id = 1;
	replayed = build(&program);
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 20};
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 102, 52);
	release(&replayed);
}

/* Rate and latency; a pinned copy is never slower than the one it replaces. */
TEST(test_pin)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	begin(&program);
	copy = enqueue(&program, ENGINE_H2D, 0, 0, 1, 101);
	replayed = build(&program);
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 101, 101); /* no rate is known */
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 2, .latency_ns = 0};
	assert_replay(&replayed, 101, 51);
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 2, .latency_ns = 7};
	assert_replay(&replayed, 101, 58);
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 0.5, .latency_ns = 0};
	assert_replay(&replayed, 101, 101);
	release(&replayed);
}

/* A copy blocks its call until 6 after its end, where a synchronize returns after 1: pinned, that is
 * the copy's too. But a page is staged at once, and what its call takes it takes with pinned memory. */
TEST(test_pin_of_a_page)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	for (uint64_t more = 0; more < 2; more++) {
		begin(&program);
		enqueue(&program, ENGINE_COMPUTE, 0, 0, 1, 11);
		add_call(&program, STREAM_SYNC, 0, 2, 12);
		copy = enqueue(&program, ENGINE_D2H, 0, 20, 21, 31);
		form_of(copy)->dst_kind = MEMORY_PAGEABLE;
		form_of(copy)->size_bytes = 4096 + more;
		copy->call->end_ns = 37;
		enqueue(&program, ENGINE_COMPUTE, 0, 40, 41, 51);
		replayed = build(&program);
		edits_pin(replayed.edits, replayed.model, copy);
		assert_replay(&replayed, 51, more ? 46 : 51);
		release(&replayed);
	}
}

/* A rate between 1 and 4 bytes a ns: edits that take different ends of it make different changes,
 * unless they pin nothing or the ends are one. */
TEST(test_pin_ends)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;
	struct edits *likely;

	begin(&program);
	copy = enqueue(&program, ENGINE_H2D, 0, 0, 1, 101);
	replayed = build(&program);
	likely = edits_create(replayed.model);
	replayed.model->pinned_copies[ENGINE_H2D] =
		(struct copy_rate){.bytes_per_ns = 2, .slower = 0.5, .faster = 1};
	replayed.edits->pinned_end = RATE_FASTEST;
	assert_true(edits_equal(replayed.edits, likely, replayed.model));
	edits_pin(replayed.edits, replayed.model, copy);
	edits_pin(likely, replayed.model, copy);
	assert_false(edits_equal(replayed.edits, likely, replayed.model));
	assert_replay(&replayed, 101, 26);
	replayed.edits->pinned_end = RATE_SLOWEST;
	assert_false(edits_equal(replayed.edits, likely, replayed.model));
	assert_replay(&replayed, 101, 101);
	replayed.edits->pinned_end = RATE_LIKELY;
	assert_true(edits_equal(replayed.edits, likely, replayed.model));
	assert_replay(&replayed, 101, 51);
	replayed.edits->pinned_end = RATE_SLOWEST;
	replayed.model->pinned_copies[ENGINE_H2D] = (struct copy_rate){.bytes_per_ns = 2};
	assert_true(edits_equal(replayed.edits, likely, replayed.model));
	edits_free(likely);
	release(&replayed);
}

/* What came after a dropped operation comes after what that came after, and no later. */
TEST(test_drop_operation)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;
	struct timeline_times times;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	copy = enqueue(&program, ENGINE_D2H, 1, 1, 11, 21);
	enqueue(&program, ENGINE_COMPUTE, 1, 2, 21, 31);
	add_call(&program, STREAM_SYNC, 1, 3, 32);
	replayed = build(&program);
	edits_drop_operation(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 32, 22);
	assert_int_equal(timeline_replay_times(replayed.timeline, replayed.edits, &times), 22);
	assert_int_equal(times.operations[1].start_ns, 11);
	assert_int_equal(times.operations[1].end_ns, 11);
	assert_int_equal(times.operations[2].start_ns, 11);
	timeline_times_free(&times);
	release(&replayed);
}

/* It leaves its engine to the others. Nothing is left to be waited for. */
TEST(test_drop_from_engine)
{
	struct program program;
	struct trace_operation *kernel;
	struct replayed replayed;

	begin(&program);
	kernel = enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	enqueue(&program, ENGINE_COMPUTE, 2, 1, 11, 21);
	replayed = build(&program);
	edits_drop_operation(replayed.edits, replayed.model, kernel);
	assert_replay(&replayed, 21, 12);
	release(&replayed);

	begin(&program);
	add_call(&program, STREAM_SYNC, 1, 0, 1);
	kernel = enqueue(&program, ENGINE_COMPUTE, 1, 1, 2, 12);
	add_call(&program, STREAM_SYNC, 1, 2, 13);
	replayed = build(&program);
	edits_drop_operation(replayed.edits, replayed.model, kernel);
	edits_drop_call(replayed.edits, replayed.model, kernel->call);
	assert_replay(&replayed, 13, 2);
	release(&replayed);
}

TEST(test_set_duration)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	copy = enqueue(&program, ENGINE_D2H, 1, 1, 11, 21);
	enqueue(&program, ENGINE_COMPUTE, 1, 2, 21, 31);
	replayed = build(&program);
	edits_set_duration(replayed.edits, replayed.model, copy, 4);
	assert_replay(&replayed, 31, 25);
	edits_set_duration(replayed.edits, replayed.model, copy, 14);
	assert_replay(&replayed, 31, 35);
	release(&replayed);
}

/* A launch that takes longer than its kernel. */
TEST(test_set_call_time)
{
	struct program program;
	struct trace_operation *kernel;
	struct replayed replayed;

	begin(&program);
	add_call(&program, STREAM_SYNC, 1, 0, 1);
	kernel = enqueue(&program, ENGINE_COMPUTE, 1, 1, 22, 24);
	kernel->call->end_ns = 21;
	add_call(&program, STREAM_SYNC, 1, 21, 25);
	replayed = build(&program);
	edits_set_call_time(replayed.edits, replayed.model, kernel->call, 5);
	assert_replay(&replayed, 25, 10);
	edits_drop_call(replayed.edits, replayed.model, kernel->call);
	assert_replay(&replayed, 25, 5);
	release(&replayed);
}

/* What a call does behind its wait is its own time. The synchronize that is not made leaves the host
 * to launch back to back. */
TEST(test_set_waiting_call_time)
{
	struct program program;
	struct trace_call *wait;
	struct replayed replayed;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	wait = add_call(&program, DEVICE_SYNC, 0, 1, 18); /* 7 behind the kernel's end */
	enqueue(&program, ENGINE_COMPUTE, 1, 18, 19, 29);
	add_call(&program, DEVICE_SYNC, 0, 19, 30);
	replayed = build(&program);
	edits_set_call_time(replayed.edits, replayed.model, wait, 2);
	assert_replay(&replayed, 30, 25);
	edits_set_call_time(replayed.edits, replayed.model, wait, 20);
	assert_replay(&replayed, 30, 33);
	edits_drop_call(replayed.edits, replayed.model, wait);
	assert_replay(&replayed, 30, 22);
	release(&replayed);
}

/* Kernels from 1 to 3, 11 to 13 and 21 to 23, of calls at 0, 10 and 20: as a graph the first call
 * takes 4, the others nothing, and 2 pass from kernel to kernel. */
TEST(test_graph)
{
	static struct program program;
	struct replayed replayed;

	begin(&program);
	for (int i = 0; i < 3; i++)
		enqueue(&program, ENGINE_COMPUTE, 1, 10 * i, 10 * i + 1, 10 * i + 3);
	replayed = build(&program);
	assert_int_equal(timeline_replay(replayed.timeline, NULL), 23);
	edits_set_call_time(replayed.edits, replayed.model, &program.calls[0], 4);
	for (int i = 1; i < 3; i++) {
		edits_drop_call(replayed.edits, replayed.model, &program.calls[i]);
		edits_drop_work(replayed.edits, replayed.model, &program.calls[i]);
	}
	/* The others reach the device when the call has returned: from 4 on, back to back. */
	assert_int_equal(timeline_replay(replayed.timeline, replayed.edits), 4 + 2 + 2);
	for (int i = 1; i < 3; i++)
		edits_make_node(replayed.edits, replayed.model, &program.operations[i], 2);
	assert_int_equal(timeline_replay(replayed.timeline, replayed.edits), 1 + 3 * 2 + 2 * 2);
	release(&replayed);
}

/* Calls at 0, 10 and 20; the host works 9 before each. Another thread does the work before the last
 * one from the return of the first one on, at 1: it is ready at 10, before the second call has
 * returned at 11. Then that work takes nothing. */
TEST(test_work_ahead)
{
	static struct program program;
	struct replayed replayed;
	struct timeline_times times;

	begin(&program);
	for (int i = 0; i < 3; i++)
		enqueue(&program, ENGINE_COMPUTE, 1, 10 * i, 10 * i + 1, 10 * i + 3);
	replayed = build(&program);
	edits_work_ahead(replayed.edits, replayed.model, &program.calls[2], &program.calls[0]);
	assert_int_equal(timeline_replay_times(replayed.timeline, replayed.edits, &times), 15);
	assert_int_equal(times.calls[2].start_ns, 11);
	assert_int_equal(times.waited_ns[2], 0);
	timeline_times_free(&times);
	/* From the return of the call before it on, as it was. */
	edits_work_ahead(replayed.edits, replayed.model, &program.calls[2], &program.calls[1]);
	assert_int_equal(timeline_replay_times(replayed.timeline, replayed.edits, &times), 23);
	assert_int_equal(times.calls[2].start_ns, 20);
	timeline_times_free(&times);
	release(&replayed);
}

/* The work of 9 before the third call takes 4 of it, or as long as it did; in another thread, that
 * comes so long after the first call, it starts at 1 + 4. */
TEST(test_set_work)
{
	static struct program program;
	struct replayed replayed;

	begin(&program);
	for (int i = 0; i < 3; i++)
		enqueue(&program, ENGINE_COMPUTE, 1, 10 * i, 10 * i + 1, 10 * i + 3);
	replayed = build(&program);
	edits_set_work(replayed.edits, replayed.model, &program.calls[2], 20);
	assert_replay(&replayed, 23, 23);
	edits_set_work(replayed.edits, replayed.model, &program.calls[2], 4);
	assert_replay(&replayed, 23, 11 + 4 + 3);
	edits_set_work(replayed.edits, replayed.model, &program.calls[1], 0);
	assert_replay(&replayed, 23, 2 + 4 + 3);
	release(&replayed);

	form_of_call(&program.calls[2])->thread_id = 1;
	replayed = build(&program);
	edits_set_work(replayed.edits, replayed.model, &program.calls[2], 4);
	edits_work_ahead(replayed.edits, replayed.model, &program.calls[2], &program.calls[0]);
	/* Its thread has no call before, and waits for the stream: the second kernel ends at 13. */
	assert_replay(&replayed, 23, 15);
	release(&replayed);
}

/* A copy of pinned memory from 5 to 15, in a call to 20, that takes 30: only a call that is not
 * asynchronous lasts until 5 behind its end. */
TEST(test_asynchronous)
{
	static struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	for (int is_async = 0; is_async < 2; is_async++) {
		begin(&program);
		copy = enqueue(&program, ENGINE_D2H, 1, 0, 5, 15);
		form_of(copy)->is_async = is_async;
		copy->call->end_ns = 20;
		enqueue(&program, ENGINE_COMPUTE, 2, 30, 31, 41);
		replayed = build(&program);
		edits_set_duration(replayed.edits, replayed.model, copy, 30);
		assert_replay(&replayed, 41, is_async ? 41 : 61);
		release(&replayed);
	}
}

/* A kernel of 2. */
static void enqueue_at(struct program *program, int64_t call_ns)
{
	enqueue(program, ENGINE_COMPUTE, 1, call_ns, call_ns + 1, call_ns + 3);
}

/* Three turns of 8 calls, 10 from each to the next, of the first thread, the second and the first:
 * 230 + 3. The second thread's calls without the work between them save 7 x 9, where the first
 * thread waits for it; not where the first one's calls come between them, at any time. */
TEST(test_turns)
{
	static struct program program;
	struct replayed replayed;

	for (int is_beside = 0; is_beside < 2; is_beside++) {
		begin(&program);
		for (int i = 0; i < 24; i++)
			enqueue_at(&program,
				   is_beside && i < 16 && i % 2 ? 10 * i - 8 + i / 2 % 7 : 10 * i);
		for (int i = 8; i < 16; i++)
			form_of_call(&program.calls[i])->thread_id = 1;
		if (is_beside)
			for (int i = 0; i < 16; i++)
				form_of_call(&program.calls[i])->thread_id = i % 2;
		replayed = build(&program);
		for (int i = 9; i < 16; i++)
			if (program.calls[i].form->thread_id == 1)
				edits_drop_work(replayed.edits, replayed.model, &program.calls[i]);
		assert_replay(&replayed, 233, is_beside ? 233 : 233 - 7 * 9);
		release(&replayed);
	}
}

TEST(test_equal_edits)
{
	struct program program;
	struct trace_operation *kernel;
	struct replayed replayed;
	struct edits *other;

	begin(&program);
	kernel = enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	replayed = build(&program);
	other = edits_create(replayed.model);
	assert_true(edits_equal(replayed.edits, other, replayed.model));
	edits_set_duration(replayed.edits, replayed.model, kernel, 4);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_set_duration(other, replayed.model, kernel, 5);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_set_duration(other, replayed.model, kernel, 4);
	assert_true(edits_equal(replayed.edits, other, replayed.model));
	edits_work_ahead(other, replayed.model, kernel->call, kernel->call);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_work_ahead(replayed.edits, replayed.model, kernel->call, kernel->call);
	assert_true(edits_equal(replayed.edits, other, replayed.model));
	edits_set_work(other, replayed.model, kernel->call, 3);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_set_work(replayed.edits, replayed.model, kernel->call, 4);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_set_work(replayed.edits, replayed.model, kernel->call, 3);
	assert_true(edits_equal(replayed.edits, other, replayed.model));
	edits_make_node(other, replayed.model, kernel, 7);
	edits_make_node(replayed.edits, replayed.model, kernel, 8);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_make_node(replayed.edits, replayed.model, kernel, 7);
	edits_set_call_time(other, replayed.model, kernel->call, 0);
	assert_false(edits_equal(replayed.edits, other, replayed.model));
	edits_free(other);
	release(&replayed);
}

/* What comes behind an event of another stream moves with it, and no further; a copy in has no
 * other reason to wait for a copy out. */
TEST(test_event_wait)
{
	struct program program;
	struct trace_operation *copy;
	struct replayed replayed;

	begin(&program);
	copy = enqueue(&program, ENGINE_D2H, 0, 0, 1, 101);
	program.trace.event_wait_count = 1;
	program.event_waits[0] = (struct trace_event_wait){.recorder = &program.streams[0],
							   .waiter = &program.streams[1],
							   .record_ns = 2,
							   .wait_ns = 3};
	enqueue(&program, ENGINE_H2D, 1, 4, 101, 131);
	replayed = build(&program);
	replayed.model->pinned_copies[ENGINE_D2H] =
		(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 30};
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 131, 71); /* the copy ends at 41 */
	release(&replayed);
}

/* A synchronize waits for a host function as for an operation: when that comes earlier, the end of
 * the other stream's kernel is what counts. */
TEST(test_host_function)
{
	struct program program;
	struct trace_operation *copy;
	struct trace_host_function function = {.start_ns = 101, .end_ns = 131};
	struct replayed replayed;

	begin(&program);
	copy = enqueue(&program, ENGINE_D2H, 1, 0, 1, 101);
	function.call = add_call(&program, HOST_FUNCTION, 1, 1, 2);
	function.stream = &program.streams[1];
	program.trace.host_functions = &function;
	program.trace.host_function_count = 1;
	enqueue(&program, ENGINE_COMPUTE, 2, 2, 3, 126);
	add_call(&program, DEVICE_SYNC, 0, 3, 132);
	replayed = build(&program);
	replayed.model->pinned_copies[ENGINE_D2H] =
		(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 20};
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 132, 127); /* the copy ends at 31, the function at 61 */
	function.end_ns = 151;
	program.calls[3].end_ns = 152;
	release(&replayed);
	replayed = build(&program);
	replayed.model->pinned_copies[ENGINE_D2H] =
		(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 70};
	edits_pin(replayed.edits, replayed.model, copy);
	assert_replay(&replayed, 152, 132); /* at 81 and 131: after the kernel */
	release(&replayed);
}

/* Two host functions behind each other, of 10 each, 5 after what they wait for, and then a kernel. The
 * second need not be woken; or neither runs. */
TEST(test_host_function_edits)
{
	struct program program;
	struct trace_host_function functions[] = {{.start_ns = 7, .end_ns = 17},
						  {.start_ns = 22, .end_ns = 32}};
	struct replayed replayed;

	begin(&program);
	for (int i = 0; i < 2; i++) {
		functions[i].call = add_call(&program, HOST_FUNCTION, 1, 1 + i, 2 + i);
		functions[i].stream = &program.streams[1];
	}
	program.trace.host_functions = functions;
	program.trace.host_function_count = 2;
	enqueue(&program, ENGINE_COMPUTE, 1, 3, 32, 42);
	replayed = build(&program);
	assert_replay(&replayed, 41, 41);
	edits_run_at_once(replayed.edits, replayed.model, &functions[1]);
	assert_replay(&replayed, 41, 36);
	edits_drop_host_function(replayed.edits, replayed.model, &functions[0]);
	edits_drop_host_function(replayed.edits, replayed.model, &functions[1]);
	assert_replay(&replayed, 41, 12); /* the kernel starts with its call */
	release(&replayed);
}

/* A kernel in the legacy default stream holds a copy in a blocking one; out of it, it does not. */
TEST(test_barrier)
{
	struct program program;
	struct trace_operation *kernel;
	struct replayed replayed;

	begin(&program);
	kernel = enqueue(&program, ENGINE_COMPUTE, NULL_STREAM, 0, 1, 31);
	enqueue(&program, ENGINE_H2D, 1, 1, 31, 41);
	replayed = build(&program);
	move(&replayed, kernel,
	     edits_add_stream(replayed.edits, replayed.model, NULL_STREAM, STREAM_BLOCKING));
	assert_replay(&replayed, 41, 31);
	move(&replayed, kernel, NULL_STREAM);
	assert_replay(&replayed, 41, 41);
	release(&replayed);
}

/* Two chunks in one stream: over two, the second copy runs beside the first kernel, and its kernel
 * has the engine behind it. */
TEST(test_split_streams)
{
	struct program program;
	struct trace_operation *copy, *kernel;
	struct replayed replayed;
	uint32_t stream;

	begin(&program);
	enqueue(&program, ENGINE_H2D, 0, 0, 1, 11);
	enqueue(&program, ENGINE_COMPUTE, 0, 1, 11, 41);
	copy = enqueue(&program, ENGINE_H2D, 0, 2, 41, 51);
	kernel = enqueue(&program, ENGINE_COMPUTE, 0, 3, 51, 81);
	replayed = build(&program);
	stream = edits_add_stream(replayed.edits, replayed.model, 0, STREAM_NON_BLOCKING);
	move(&replayed, copy, stream);
	move(&replayed, kernel, stream);
	assert_replay(&replayed, 81, 71);
	release(&replayed);
}

/* Streams of their own do not help two copies of one engine. */
TEST(test_one_engine)
{
	struct program program;
	struct trace_operation *second;
	struct replayed replayed;

	begin(&program);
	enqueue(&program, ENGINE_H2D, 0, 0, 1, 51);
	second = enqueue(&program, ENGINE_H2D, 0, 1, 51, 101);
	replayed = build(&program);
	move(&replayed, second,
	     edits_add_stream(replayed.edits, replayed.model, 0, STREAM_NON_BLOCKING));
	assert_replay(&replayed, 101, 101);
	form_of(second)->engine = ENGINE_D2H;
	release(&replayed);
	replayed = build(&program);
	move(&replayed, second,
	     edits_add_stream(replayed.edits, replayed.model, 0, STREAM_NON_BLOCKING));
	/* A copy out needs what was written to the device before it in its stream. */
	assert_replay(&replayed, 101, 101);
	release(&replayed);
}

static int compare_operations(const void *a, const void *b)
{
	const struct trace_operation *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->call > y->call) - (x->call < y->call);
}

/* A host thread that enqueues, waits and works at random; streams and engines keep their order, and
 * the legacy default stream stays unused. With shares, kernels are of any size, and some start beside
 * others whether they fit or not. */
static void make_random(struct program *program, unsigned int *seed, bool has_shares)
{
	int64_t now_ns = 0, streams_ns[STREAMS] = {0}, engines_ns[ENGINE_COUNT] = {0};
	int64_t all_ns = 0;

	begin(program);
	for (int i = 0; i < 30; i++) {
		int stream = rand_r(seed) % NULL_STREAM, choice = rand_r(seed) % 8;
		int64_t start_ns = now_ns, took_ns = 1 + rand_r(seed) % 40;

		if (choice == 0 || choice == 1) {
			now_ns = 1 + max_ns(start_ns, choice ? streams_ns[stream] : all_ns);
			add_call(program, choice ? STREAM_SYNC : DEVICE_SYNC, stream, start_ns,
				 now_ns);
		} else {
			enum engine engine = (enum engine)(choice % 3);
			int64_t begin_ns = max_ns(start_ns + 1, streams_ns[stream]);

			if (!has_shares || engine != ENGINE_COMPUTE || rand_r(seed) % 2)
				begin_ns = max_ns(begin_ns, engines_ns[engine]);
			enqueue(program, engine, stream, start_ns, begin_ns, begin_ns + took_ns);
			if (has_shares)
				set_blocks(program, 1 + rand_r(seed) % 20);
			now_ns = start_ns + 1;
			streams_ns[stream] = begin_ns + took_ns;
			engines_ns[engine] = max_ns(engines_ns[engine], begin_ns + took_ns);
			all_ns = max_ns(all_ns, begin_ns + took_ns);
		}
		now_ns += rand_r(seed) % 10;
	}
	qsort(program->operations, program->trace.operation_count, sizeof(*program->operations),
	      compare_operations);
	for (size_t i = 0; i < program->trace.operation_count; i++)
		program->operations[i].call->operation = &program->operations[i];
}

/* Pins, waits dropped and streams split, each with a chance of one in three. */
static void edit_random(struct replayed *replayed, unsigned int *seed)
{
	const struct trace *trace = replayed->model->trace;
	uint32_t added[STREAMS];

	for (uint32_t i = 0; i < STREAMS; i++)
		added[i] =
			edits_add_stream(replayed->edits, replayed->model, i, STREAM_NON_BLOCKING);
	for (size_t i = 0; i < trace->call_count; i++)
		if (rand_r(seed) % 3 == 0)
			edits_drop_wait(replayed->edits, replayed->model, &trace->calls[i]);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		if (rand_r(seed) % 3 == 0)
			edits_pin(replayed->edits, replayed->model, operation);
		if (rand_r(seed) % 3 == 0)
			move(replayed, operation, added[operation->form->stream - trace->streams]);
	}
}

static void assert_same_times(const struct replayed *replayed)
{
	const struct trace *trace = replayed->model->trace;
	struct timeline_times first, second;
	int64_t first_ns = timeline_replay_times(replayed->timeline, replayed->edits, &first);
	int64_t last_ns = 0;

	assert_int_equal(timeline_replay_times(replayed->timeline, replayed->edits, &second),
			 first_ns);
	assert_memory_equal(first.operations, second.operations,
			    trace->operation_count * sizeof(*first.operations));
	assert_memory_equal(first.calls, second.calls, trace->call_count * sizeof(*first.calls));
	for (size_t i = 0; i < trace->operation_count; i++)
		last_ns = max_ns(last_ns, first.operations[i].end_ns);
	for (size_t i = 0; i < trace->call_count; i++)
		last_ns = max_ns(last_ns, first.calls[i].end_ns);
	assert_int_equal(last_ns, first_ns);
	timeline_times_free(&first);
	timeline_times_free(&second);
}

/* Without edits the replay is the trace, each operation and call where it was; unless the engines
 * would have done better in another order than that of the calls. */
static bool is_as_measured(const struct replayed *replayed)
{
	const struct trace *trace = replayed->model->trace;
	int64_t measured_ns = timeline_measured_ns(replayed->timeline);
	struct timeline_times times;
	int64_t replayed_ns = timeline_replay_times(replayed->timeline, NULL, &times);

	assert_in_range(replayed_ns, 1, measured_ns);
	for (size_t i = 0; replayed_ns == measured_ns && i < trace->operation_count; i++) {
		assert_int_equal(times.operations[i].start_ns, trace->operations[i].start_ns);
		assert_int_equal(times.operations[i].end_ns, trace->operations[i].end_ns);
	}
	for (size_t i = 0; replayed_ns == measured_ns && i < trace->call_count; i++)
		assert_int_equal(times.calls[i].end_ns, trace->calls[i].end_ns);
	timeline_times_free(&times);
	return replayed_ns == measured_ns;
}

static void replay_random(bool has_shares)
{
	unsigned int seed = 1;
	int measured = 0, shorter = 0;

	for (int i = 0; i < 2000; i++) {
		struct program program;
		struct replayed replayed;
		int64_t measured_ns, edited_ns;

		make_random(&program, &seed, has_shares);
		replayed = build(&program);
		replayed.model->pinned_copies[ENGINE_H2D] =
			(struct copy_rate){.bytes_per_ns = 10, .latency_ns = 1};
		replayed.model->pinned_copies[ENGINE_D2H] =
			(struct copy_rate){.bytes_per_ns = 5, .latency_ns = 2};
		measured += is_as_measured(&replayed);
		measured_ns = timeline_measured_ns(replayed.timeline);
		edit_random(&replayed, &seed);
		edited_ns = timeline_replay(replayed.timeline, replayed.edits);
		if (edited_ns < 0 || edited_ns > measured_ns)
			fail_msg("program %d: %lld ns with edits, measured %lld", i,
				 (long long)edited_ns, (long long)measured_ns);
		shorter += edited_ns < measured_ns;
		assert_same_times(&replayed);
		release(&replayed);
	}
	assert_in_range(measured, 500, 2000);
	assert_in_range(shorter, 1000, 2000);
}

TEST(test_random)
{
	replay_random(false);
}

TEST(test_random_shares)
{
	replay_random(true);
}

/* Three kernels in one stream, 10 each: two of four blocks, which fill the device together, and one of
 * a single block. */
TEST(test_beside)
{
	struct program program;
	struct replayed replayed;
	const struct trace_operation *second, *third;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	set_blocks(&program, 4);
	second = enqueue(&program, ENGINE_COMPUTE, 1, 1, 11, 21);
	set_blocks(&program, 4);
	third = enqueue(&program, ENGINE_COMPUTE, 1, 2, 21, 31);
	set_blocks(&program, 1);
	/* Which copies nothing: by the order of writers each needs those before it. */
	replayed = build(&program);
	replayed.model->operations[1].needs = replayed.model->operations[2].needs = NODE_NONE;
	timeline_free(replayed.timeline);
	replayed.timeline = timeline_build(replayed.model);
	move(&replayed, second, 0);
	move(&replayed, third, 2);
	/* The second starts at 2; the third finds room when the first has ended. */
	assert_replay(&replayed, 31, 21);
	release(&replayed);
}

/* Two kernels of stream 1, which take turns, and a third one that fits beside them in a stream of its
 * own: in one hardware queue with them it starts no earlier than the second. */
static void replay_queues(char *connections, uint32_t first_channel, uint32_t second_channel,
			  int64_t edited_ns)
{
	struct program program;
	struct replayed replayed;
	const struct trace_operation *third;
	struct trace_metadata_row metadata = {"cuda_device_max_connections", connections};

	begin(&program);
	form_of(enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11))->channel_id = first_channel;
	set_blocks(&program, 1);
	form_of(enqueue(&program, ENGINE_COMPUTE, 2, 1, 2, 3))->channel_id = second_channel;
	set_blocks(&program, 1);
	form_of(enqueue(&program, ENGINE_COMPUTE, 1, 2, 11, 21))->channel_id = first_channel;
	set_blocks(&program, 1);
	third = enqueue(&program, ENGINE_COMPUTE, 1, 3, 21, 51);
	set_blocks(&program, 1);
	program.trace.metadata = &metadata;
	program.trace.metadata_count = 1;
	replayed = build(&program);
	replayed.model->operations[3].needs = NODE_NONE;
	timeline_free(replayed.timeline);
	replayed.timeline = timeline_build(replayed.model);
	move(&replayed, third,
	     edits_add_stream(replayed.edits, replayed.model, 1, STREAM_NON_BLOCKING));
	assert_replay(&replayed, 51, edited_ns);
	release(&replayed);
}

TEST(test_queues)
{
	/* One queue for each of the three streams: the kernel starts at 4. */
	replay_queues("3", NO_CHANNEL, NO_CHANNEL, 34);
	replay_queues("8", NO_CHANNEL, NO_CHANNEL, 34);
	replay_queues("0", NO_CHANNEL, NO_CHANNEL, 34);
	/* The third stream's queue is the first one's: it starts with the second kernel, at 11. */
	replay_queues("2", NO_CHANNEL, NO_CHANNEL, 41);
	replay_queues("2", 5, 9, 41);
	replay_queues("1", 7, 7, 41);
	/* The streams of the trace share one, and the third has the other. */
	replay_queues("2", 7, 7, 34);
}

/* A kernel of twelve blocks, 20 long, leaves half of the device for its last 10. */
TEST(test_last_wave)
{
	struct program program;
	struct replayed replayed;
	const struct trace_operation *second;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 21);
	set_blocks(&program, 12);
	second = enqueue(&program, ENGINE_COMPUTE, 1, 1, 21, 41);
	set_blocks(&program, 4);
	replayed = build(&program);
	replayed.model->operations[1].needs = NODE_NONE;
	timeline_free(replayed.timeline);
	replayed.timeline = timeline_build(replayed.model);
	move(&replayed, second, 0);
	assert_replay(&replayed, 41, 31);
	release(&replayed);
}

/* As before, but the trace shows that the last wave left no room: the second was in a stream of its
 * own, and ready. */
TEST(test_full_last_wave)
{
	struct program program;
	struct replayed replayed;
	const struct trace_operation *third;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 21);
	set_blocks(&program, 12);
	enqueue(&program, ENGINE_COMPUTE, 2, 1, 21, 41);
	set_blocks(&program, 4);
	third = enqueue(&program, ENGINE_COMPUTE, 1, 2, 41, 71);
	set_blocks(&program, 4);
	replayed = build(&program);
	replayed.model->operations[2].needs = NODE_NONE;
	timeline_free(replayed.timeline);
	replayed.timeline = timeline_build(replayed.model);
	move(&replayed, third, 0);
	/* Both halves, at the end of the first: the third ends last. */
	assert_replay(&replayed, 71, 51);
	release(&replayed);
}

RUN_TESTS(NULL, NULL)
