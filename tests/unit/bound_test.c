/*
 * Bounds whose value is known by arithmetic. Times are small numbers of ns: each operation is
 * enqueued by a call of a single ns, and nothing else happens.
 */
#include "replay/edits/bound.h"
#include "test_forms.h"
#include "cmocka_test.h"

#define MOST 8

static const struct trace_function copy_function = {"cudaMemcpyAsync", CLASS_COPY};

/* A trace on one device with one blocking stream for each operation, in the order of the starts. */
struct program {
	struct trace trace;
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream streams[MOST];
};

static void add(struct program *program, enum engine engine, int stream, int64_t call_ns,
		int64_t start_ns, int64_t end_ns)
{
	size_t i = program->trace.operation_count++;

	program->trace.call_count = program->trace.operation_count;
	program->trace.stream_count = MOST;
	program->trace.calls = program->calls;
	program->trace.operations = program->operations;
	program->trace.streams = program->streams;
	program->streams[stream] = (struct trace_stream){.flag = STREAM_NON_BLOCKING};
	program->calls[i] = (struct trace_call){
		.start_ns = call_ns,
		.end_ns = call_ns + 1,
		.operation = &program->operations[i],
		.form = call_form((struct trace_call_form){
			.function = &copy_function, .dst = 0x1000 + i, .src = 0x2000 + i})};
	program->operations[i] = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.call = &program->calls[i],
		.form = operation_form((struct trace_operation_form){
			.stream = &program->streams[stream],
			.kind = engine == ENGINE_COMPUTE ? OPERATION_KERNEL : OPERATION_COPY,
			.engine = engine,
			.src_kind = engine == ENGINE_H2D ? MEMORY_PINNED : MEMORY_DEVICE,
			.dst_kind = engine == ENGINE_D2H ? MEMORY_PINNED : MEMORY_DEVICE,
			.size_bytes = 1})};
}

static void assert_least(const struct program *program, bool pins_copies, int64_t least_ns)
{
	struct model *model = model_build(&program->trace);
	struct edits *edits = edits_create(model);
	struct bound_change change;

	for (size_t i = 0; pins_copies && i < program->trace.operation_count; i++)
		if (rates_is_pageable(&program->operations[i]))
			edits_pin(edits, model, &program->operations[i]);
	change = bound_change_of(model, edits);
	assert_int_equal(change.unblocks_host, pins_copies);
	assert_int_equal(bound_least_time(model, (struct span){0, 1000}, &change), least_ns);
	edits_free(edits);
	model_free(model);
}

/* Two kernels of half the device each, which took turns, could run side by side. */
TEST(test_shares)
{
	struct program program = {0};
	struct trace_device device = {.multiprocessors = 2, .max_warps = 32};

	add(&program, ENGINE_COMPUTE, 0, 0, 1, 11);
	add(&program, ENGINE_COMPUTE, 1, 1, 11, 21);
	program.trace.devices = &device;
	program.trace.device_count = 1;
	for (int i = 0; i < 2; i++) {
		form_of(&program.operations[i])->blocks = 1;
		form_of(&program.operations[i])->block_threads = 1024;
	}
	assert_least(&program, false, 10);
	form_of(&program.operations[0])->blocks = 2; /* the first fills it */
	assert_least(&program, false, 10 + 5);
	/* For 8 ns they run side by side although each fills it. */
	form_of(&program.operations[1])->blocks = 2;
	program.operations[1].start_ns = 3;
	program.operations[1].end_ns = 13;
	assert_least(&program, false, 12);
}

/* The second wave of a kernel, 10 of its 20 ns, leaves half of the device. */
TEST(test_tails)
{
	struct program program = {0};
	struct trace_device device = {.multiprocessors = 2, .max_warps = 32};
	const struct bound_change fills = {.fills_tails = true};
	struct model *model;

	add(&program, ENGINE_COMPUTE, 0, 0, 1, 21);
	add(&program, ENGINE_COMPUTE, 1, 1, 21, 31);
	program.trace.devices = &device;
	program.trace.device_count = 1;
	form_of(&program.operations[0])->blocks = 3;
	form_of(&program.operations[1])->blocks = 1;
	form_of(&program.operations[0])->block_threads =
		form_of(&program.operations[1])->block_threads = 1024;
	assert_least(&program, false, 20 + 5);
	model = model_build(&program.trace);
	assert_int_equal(bound_least_time(model, (struct span){0, 1000}, &fills), 15 + 5);
	model_free(model);
}

/* A kernel that takes a tiny part of the device takes its time all the same. */
TEST(test_chain)
{
	struct program program = {0};
	struct trace_device device = {.multiprocessors = 100, .max_warps = 64, .max_blocks = 32};

	add(&program, ENGINE_H2D, 0, 0, 1, 5);
	add(&program, ENGINE_COMPUTE, 0, 1, 5, 45);
	add(&program, ENGINE_D2H, 0, 2, 45, 48);
	program.trace.devices = &device;
	program.trace.device_count = 1;
	form_of(&program.operations[1])->blocks = 1;
	form_of(&program.operations[1])->block_threads = 32;
	assert_least(&program, false, 4 + 40 + 3);
}

TEST(test_covered)
{
	struct span spans[] = {{50, 60}, {0, 10}, {5, 20}, {6, 7}, {20, 30}};
	struct trace whole = {0};

	assert_int_equal(bound_covered(&whole, spans, 5), 40);
	assert_int_equal(bound_covered(&whole, NULL, 0), 0);
}

/* Two chunks: an engine's time, with what must come before its first and after its last. */
TEST(test_busiest_engine)
{
	struct program program = {0};

	add(&program, ENGINE_H2D, 0, 0, 1, 11);
	add(&program, ENGINE_COMPUTE, 0, 1, 11, 41);
	add(&program, ENGINE_D2H, 0, 2, 41, 46);
	add(&program, ENGINE_H2D, 1, 3, 46, 56);
	add(&program, ENGINE_COMPUTE, 1, 4, 56, 86);
	add(&program, ENGINE_D2H, 1, 5, 86, 91);
	assert_least(&program, false, 10 + 30 + 30 + 5);
}

/* The host works for 99 ns before the second copy: 10 come after that, whatever the device does. */
TEST(test_host_work)
{
	struct program program = {0};

	add(&program, ENGINE_H2D, 0, 0, 1, 11);
	add(&program, ENGINE_H2D, 1, 100, 101, 111);
	assert_least(&program, false, 99 + 10);
	form_of_call(&program.calls[1])->thread_id =
		1; /* another thread's: it may have waited for the first */
	assert_least(&program, false, 20);
}

/* A driver's call inside the runtime's: the host's own work begins when both have returned. */
TEST(test_nested_calls)
{
	struct program program = {0};

	add(&program, ENGINE_H2D, 0, 0, 90, 91);
	add(&program, ENGINE_H2D, 1, 10, 91, 92);
	add(&program, ENGINE_H2D, 2, 100, 101, 111);
	program.calls[0].end_ns = 80;
	assert_least(&program, false, 20 + 10);
}

TEST(test_pageable)
{
	struct program program = {0};

	add(&program, ENGINE_H2D, 0, 0, 1, 101);
	add(&program, ENGINE_H2D, 1, 101, 102, 112);
	form_of(&program.operations[0])->src_kind = MEMORY_PAGEABLE;
	form_of(&program.operations[0])->size_bytes = 3000000;
	form_of(&program.operations[1])->size_bytes = 1000000; /* and takes 10 ns */
	program.calls[0].end_ns = 101;
	assert_least(&program, false, 110);
	assert_least(&program, true, 40);
}

/* What edits take away counts beside the spans, and no longer keeps its engine busy. */
TEST(test_shortened)
{
	struct program program = {0};
	struct bound_change change;
	struct model *model;
	struct edits *edits;

	add(&program, ENGINE_H2D, 0, 0, 1, 31);
	add(&program, ENGINE_H2D, 0, 1, 31, 61);
	add(&program, ENGINE_COMPUTE, 0, 2, 61, 71);
	model = model_build(&program.trace);
	edits = edits_create(model);
	change = bound_change_of(model, edits);
	assert_false(change.unblocks_host);
	assert_int_equal(bound_saving(model, NULL, 0, &change), 0);
	assert_int_equal(bound_change_shortened_ns(model, edits), 0);
	edits_drop_operation(edits, model, &program.operations[1]);
	edits_drop_call(edits, model, &program.calls[1]);
	edits_set_duration(edits, model, &program.operations[2], 8);
	change = bound_change_of(model, edits);
	assert_true(change.unblocks_host);
	assert_int_equal(bound_change_shortened_ns(model, edits), 30 + 1 + 2);
	assert_int_equal(bound_least_time(model, (struct span){0, 1000}, &change), 30 + 8);
	/* 30 of the copy, 2 of the kernel; its call lay beside the first copy. */
	assert_int_equal(bound_saving(model, NULL, 0, &change), 70 - 38);
	edits_free(edits);
	model_free(model);
}

/* Which constraint falls follows from where operations go. */
TEST(test_changes)
{
	struct program program = {0};
	struct bound_change change;
	struct model *model;
	struct edits *edits;

	add(&program, ENGINE_H2D, 0, 0, 1, 31);
	add(&program, ENGINE_COMPUTE, 1, 1, 31, 61);
	program.streams[1].flag = STREAM_NULL;
	model = model_build(&program.trace);
	edits = edits_create(model);
	edits_move(edits, model, 0, edits_add_stream(edits, model, 0, STREAM_NON_BLOCKING));
	change = bound_change_of(model, edits);
	assert_true(change.frees_stream);
	assert_false(change.frees_barrier);
	assert_false(change.unblocks_host);
	edits_move(edits, model, 1, 0);
	assert_true(bound_change_of(model, edits).frees_barrier);
	edits_free(edits);
	model_free(model);
}

/* Two engines that take turns in one stream: the copy could run beside the first kernel, from 2. */
TEST(test_saving)
{
	struct program program = {0};
	struct bound_change change = {0};
	struct model_wait wait;
	struct model *model;

	add(&program, ENGINE_COMPUTE, 0, 0, 1, 31);
	add(&program, ENGINE_H2D, 0, 1, 31, 41);
	add(&program, ENGINE_COMPUTE, 0, 2, 41, 71);
	model = model_build(&program.trace);
	wait = model_delay_by_stream(model, &model->operations[1]);
	assert_int_equal(wait.span.start_ns, 2);
	assert_int_equal(wait.span.end_ns, 31);
	assert_int_equal(bound_saving(model, &wait.span, 1, &change), 71 - 60);
	assert_int_equal(bound_saving(model, NULL, 0, &change), 0);
	/* The kernel needs the copy: the stream did not hold it. */
	wait = model_delay_by_stream(model, &model->operations[2]);
	assert_int_equal(wait.span.start_ns, wait.span.end_ns);
	model_free(model);
}

/* Another stream's copy uses the engine between: the wait begins anew after it, the reach does
 * not. */
TEST(test_reach)
{
	struct program program = {0};
	struct model_wait wait;
	struct model *model;

	add(&program, ENGINE_COMPUTE, 0, 0, 1, 31);
	add(&program, ENGINE_H2D, 1, 2, 10, 20);
	add(&program, ENGINE_H2D, 0, 1, 31, 41);
	model = model_build(&program.trace);
	assert_ptr_equal(model->operations[1].operation, &program.operations[2]);
	wait = model_delay_by_stream(model, &model->operations[1]);
	assert_int_equal(wait.span.start_ns, 20);
	assert_int_equal(wait.span.end_ns, 31);
	assert_int_equal(wait.reach.start_ns, 2);
	assert_int_equal(wait.reach.end_ns, 31);
	model_free(model);
}

static uint32_t below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * limit) >> 32);
}

static void add_random(struct program *program, uint32_t *seed)
{
	const enum engine engines[] = {ENGINE_COMPUTE, ENGINE_H2D, ENGINE_D2H};
	int64_t call_ns = 0, start_ns = 0;

	for (int i = 0; i < MOST; i++) {
		call_ns += 1 + below(seed, 12);
		start_ns = 1 + (start_ns > call_ns ? start_ns : call_ns) + below(seed, 10);
		add(program, engines[below(seed, 3)], (int)below(seed, 3), call_ns, start_ns,
		    start_ns + 1 + below(seed, 20));
		program->calls[i].end_ns = call_ns + below(seed, i < MOST / 2 ? 20 : 100);
		form_of_call(&program->calls[i])->thread_id = below(seed, 8) == 0;
		if (below(seed, 4) == 0)
			form_of(&program->operations[i])->src_kind = MEMORY_PAGEABLE;
	}
}

static void edit_random(struct program *program, const struct model *model, struct edits *edits,
			uint32_t *seed)
{
	for (int i = below(seed, 4) == 0 ? MOST : 0; i < MOST; i++) {
		if (below(seed, 4) == 0)
			edits_drop_call(edits, model, &program->calls[i]);
		if (below(seed, 6) == 0)
			edits_drop_work(edits, model, &program->calls[i]);
		if (below(seed, 6) == 0)
			edits_keep_work(edits, model, &program->calls[i], below(seed, 9));
		if (below(seed, 6) == 0)
			edits_shorten_work(edits, model, &program->calls[i], below(seed, 9));
		if (below(seed, 6) == 0)
			edits_drop_operation(edits, model, &program->operations[i]);
		if (rates_is_pageable(&program->operations[i]) && below(seed, 2))
			edits_pin(edits, model, &program->operations[i]);
		if (below(seed, 40) == 0)
			edits_set_duration(edits, model, &program->operations[i], 30);
	}
}

/* The most that the least time can be spares many bounds the least time, and changes none. */
TEST(test_most_least_time)
{
	uint32_t seed = 1, spared = 0;

	for (int round = 0; round < 8000; round++) {
		struct program program = {0};
		struct bound_change change;
		struct model *model;
		struct edits *edits;
		int64_t saving_ns;
		struct span spans[3]; /* in no order */

		add_random(&program, &seed);
		model = model_build(&program.trace);
		edits = edits_create(model);
		edit_random(&program, model, edits, &seed);
		for (int i = 0; i < 3; i++) {
			spans[i].start_ns = below(&seed, 100);
			spans[i].end_ns = spans[i].start_ns + below(&seed, 60);
		}
		change = bound_change_of(model, edits);
		change.fills_tails = below(&seed, 2);
		saving_ns = bound_saving(model, spans, 3, &change);
		change.most_least_ns = bound_most_least_time(model);
		assert_int_equal(bound_saving(model, spans, 3, &change), saving_ns);
		assert_false(bound_reaches(model, spans, 3, &change, saving_ns + 1));
		spared += saving_ns && bound_reaches(model, spans, 3, &change, saving_ns);
		edits_free(edits);
		model_free(model);
	}
	assert_true(spared > 400);
}

TEST(test_next_edit)
{
	static const edit_mask edits[] = {0, 0, 0, EDIT_PIN, 0, 0, EDIT_DROP};

	assert_int_equal(edits_next(edits, 0, 7), 3);
	assert_int_equal(edits_next(edits, 3, 7), 3);
	assert_int_equal(edits_next(edits, 4, 7), 6);
	assert_int_equal(edits_next(edits, 7, 7), 7);
	assert_int_equal(edits_next(edits, 0, 3), 3);
}

RUN_TESTS(NULL, NULL)
