/*
 * Replays whose length is known by arithmetic, and what holds for any program: with a fix it
 * never takes longer than measured, and the same input gives the same timeline.
 */
#include "timeline_program.h"

#include <stdlib.h>
#include <string.h>

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

/* Thread 1 asks at 7, 17, 27 and at last_ns, for 1 each; its second call is of the function. */
static void add_watched(struct program *program, int function, int64_t last_ns)
{
	begin(program);
	add_call(program, STREAM_SYNC, 0, 0, 1);
	enqueue(program, ENGINE_H2D, 0, 1, 2, 12);
	add_call(program, STREAM_SYNC, 0, 2, 13);
	form_of_call(add_call(program, EVENT_QUERY, 0, 7, 8))->thread_id = 1;
	form_of_call(add_call(program, function, 0, 17, 18))->thread_id = 1;
	add_call(program, STREAM_SYNC, 1, 20, 21);
	form_of_call(add_call(program, EVENT_QUERY, 0, 27, 28))->thread_id = 1;
	add_call(program, STREAM_SYNC, 1, 31, 32);
	if (last_ns)
		form_of_call(add_call(program, EVENT_QUERY, 0, last_ns, last_ns + 1))->thread_id =
			1;
}

/* Without its wait the call at 2 takes 1. The one at 20, 7 later, returns behind the copy at 13, and
 * the last one 11 later. A thread that only asks ends with the work that it watches, or as long
 * behind it as it did. A thread that launches is no such thread: its times stay. */
TEST(test_watching_thread)
{
	static const struct {
		int function;
		int64_t last_ns, measured_ns, edited_ns;
	} cases[] = {
		{EVENT_QUERY, 0, 32, 24},
		{EVENT_QUERY, 37, 38, 24 + 5 + 1},
		{LAUNCH, 0, 32, 28},
		{LAUNCH, 37, 38, 38},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct program program;
		struct replayed replayed;

		add_watched(&program, cases[i].function, cases[i].last_ns);
		replayed = build(&program);
		edits_drop_wait(replayed.edits, replayed.model, &program.calls[2]);
		assert_replay(&replayed, cases[i].measured_ns, cases[i].edited_ns);
		release(&replayed);
	}
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

/* Kernels that fill the device start 2 behind the one before in their stream, a copy 5 behind: without the
 * wait the last kernel starts 2 behind the copy. */
TEST(test_order_of_full_kernels)
{
	struct program program;
	struct replayed replayed;
	const struct trace_call *wait;

	begin(&program);
	enqueue(&program, ENGINE_COMPUTE, 0, 0, 1, 11);
	enqueue(&program, ENGINE_COMPUTE, 0, 1, 13, 23);
	enqueue(&program, ENGINE_COMPUTE, 0, 2, 25, 35);
	enqueue(&program, ENGINE_D2H, 0, 3, 40, 45);
	wait = add_call(&program, STREAM_SYNC, 0, 4, 46);
	enqueue(&program, ENGINE_COMPUTE, 0, 50, 51, 61);
	replayed = build(&program);
	edits_drop_wait(replayed.edits, replayed.model, wait);
	assert_replay(&replayed, 61, 57);
	release(&replayed);
}

RUN_TESTS(NULL, NULL)
