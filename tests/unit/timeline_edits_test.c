/* What each edit does to a replay whose length is known by arithmetic. */
#include "timeline_program.h"

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

/* Of the work of 9 before each call its own thread keeps 3: another thread does the other 6, from the
 * first call's return on, at 1. The second call ends at 1 + 6 + 1 = 8, the third at 8 + 3 + 1, or with 1
 * less, or with nothing of it at 9, behind which its kernel waits for the one before, until 10. */
TEST(test_keep_work)
{
	static struct program program;
	struct replayed replayed;

	begin(&program);
	for (int i = 0; i < 3; i++)
		enqueue(&program, ENGINE_COMPUTE, 1, 10 * i, 10 * i + 1, 10 * i + 3);
	replayed = build(&program);
	for (int i = 1; i < 3; i++) {
		edits_work_ahead(replayed.edits, replayed.model, &program.calls[i],
				 &program.calls[0]);
		edits_keep_work(replayed.edits, replayed.model, &program.calls[i], 3);
	}
	assert_replay(&replayed, 23, 12 + 2);
	edits_shorten_work(replayed.edits, replayed.model, &program.calls[2], 1);
	assert_replay(&replayed, 23, 11 + 2);
	edits_shorten_work(replayed.edits, replayed.model, &program.calls[2], 5);
	assert_replay(&replayed, 23, 10 + 2);
	/* All of it, at most: the second call ends at 1 + 9 + 1, its kernel at 13. */
	edits_keep_work(replayed.edits, replayed.model, &program.calls[1], 20);
	assert_replay(&replayed, 23, 13 + 2);
	release(&replayed);
}

/* The host waits for a kernel until 12 and copies at 20. Issued behind the kernel's call, which ends at
 * 1, the copy runs beside the kernel, from 2 to 12, and the last wait finds it done. */
TEST(test_issue_ahead)
{
	static struct program program;
	struct trace_operation *kernel, *copy;
	struct replayed replayed;

	begin(&program);
	kernel = enqueue(&program, ENGINE_COMPUTE, 1, 0, 1, 11);
	add_call(&program, DEVICE_SYNC, 0, 1, 12);
	copy = enqueue(&program, ENGINE_H2D, 2, 20, 21, 31);
	add_call(&program, DEVICE_SYNC, 0, 21, 32);
	replayed = build(&program);
	edits_issue_ahead(replayed.edits, replayed.model, copy, kernel->call);
	assert_replay(&replayed, 32, 22);
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

RUN_TESTS(NULL, NULL)
