/*
 * Why the device was idle, in traces whose gaps are known by arithmetic. Times are in ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "replay/observed.h"
#include "replay/idle_pieces.h"

#include <string.h>

#define MOST 8

enum { COPY, LAUNCH, SYNC, ALLOCATE, CALLBACK, FUNCTION_COUNT };

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTION_COUNT];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream stream;
	struct trace_overhead overheads[2];
	struct trace_host_function host_function;
};

static void init(struct program *program)
{
	*program = (struct program){
		.functions = {[COPY] = {"cudaMemcpy", CLASS_COPY},
			      [LAUNCH] = {"cudaLaunchKernel", CLASS_LAUNCH},
			      [SYNC] = {"cudaDeviceSynchronize", CLASS_DEVICE_SYNC},
			      [ALLOCATE] = {"cudaMalloc", CLASS_ALLOC},
			      [CALLBACK] = {"cudaLaunchHostFunc", CLASS_HOST_FUNCTION}},
		.stream = {.flag = STREAM_BLOCKING,
			   .handle = 1300,
			   .created_ns = INT64_MIN,
			   .destroyed_ns = INT64_MAX},
	};
	program->trace = (struct trace){.functions = program->functions,
					.streams = &program->stream,
					.calls = program->calls,
					.operations = program->operations,
					.overheads = program->overheads,
					.host_functions = &program->host_function,
					.function_count = FUNCTION_COUNT,
					.stream_count = 1};
}

static struct trace_call *add_call(struct program *program, int function, uint32_t thread_id,
				   int64_t start_ns, int64_t end_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){.start_ns = start_ns,
				    .end_ns = end_ns,
				    .form = call_form((struct trace_call_form){
					    .thread_id = thread_id,
					    .function = &program->functions[function],
					    .stream_handle = program->stream.handle,
					    .has_stream = true})};
	return call;
}

static struct trace_operation *add_operation(struct program *program, struct trace_call *call,
					     int64_t start_ns, int64_t end_ns)
{
	struct trace_operation *operation = &program->operations[program->trace.operation_count++];

	*operation = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.call = call,
		.form = operation_form((struct trace_operation_form){.stream = &program->stream,
								     .kind = OPERATION_KERNEL,
								     .engine = ENGINE_COMPUTE,
								     .src_kind = MEMORY_DEVICE,
								     .dst_kind = MEMORY_DEVICE})};
	call->operation = operation;
	return operation;
}

/* What was seen of the pieces. */
struct found {
	int64_t ns[IDLE_CAUSE_COUNT];
	int64_t start_ns;		      /* in calls before the first operation */
	const struct trace_call *from, *call; /* of the longest work between calls */
	int64_t longest_ns;
};

static void note(void *context, const struct idle_piece *piece)
{
	struct found *found = context;
	int64_t ns = piece->span.end_ns - piece->span.start_ns;

	assert_true(ns > 0);
	found->ns[piece->cause] += ns;
	found->start_ns += piece->cause == IDLE_START && piece->call ? ns : 0;
	if (piece->cause == IDLE_HOST_WORK && ns > found->longest_ns) {
		found->from = piece->from;
		found->call = piece->call;
		found->longest_ns = ns;
	}
}

static struct found find_in(const struct program *program, size_t device, int64_t end_ns)
{
	struct observed observed = observed_build(model_build(&program->trace));
	struct idle_walk *walk =
		idle_walk_create(observed.model, observed.timeline, observed.evidence);
	struct found found = {0};

	idle_walk_each(walk, device, (struct span){0, end_ns}, note, &found);
	idle_walk_free(walk);
	observed_free(&observed);
	return found;
}

/* Those that are not named took nothing. */
#define EXPECT(found, ...)                                                                         \
	do {                                                                                       \
		const int64_t expected[IDLE_CAUSE_COUNT] = {__VA_ARGS__};                          \
                                                                                                   \
		for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++)                             \
			if ((found).ns[cause] != expected[cause])                                  \
				fail_msg("cause %d: %lld, expected %lld", cause,                   \
					 (long long)(found).ns[cause],                             \
					 (long long)expected[cause]);                              \
	} while (0)

/* Kernels from 7 to 8 and from 18 to 19, of calls from 0 to 5 and from 10 to 15. */
TEST(test_launches)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 5), 7, 8);
	add_operation(&program, add_call(&program, LAUNCH, 1, 10, 15), 18, 19);
	found = find_in(&program, IDLE_ALL_DEVICES, 30);
	EXPECT(found, [IDLE_START] = 7, [IDLE_HOST_WORK] = 2, [IDLE_LAUNCHING] = 5,
	       [IDLE_KERNEL_START] = 3, [IDLE_END] = 11);
	assert_ptr_equal(found.from, &program.calls[0]);
	assert_ptr_equal(found.call, &program.calls[1]);
}

/* Before the first kernel, at 17: 4 in an allocation, 3 to the launch, 5 in that, 2 on the way. */
TEST(test_start)
{
	static struct program program;
	struct found found;

	init(&program);
	add_call(&program, ALLOCATE, 1, 3, 7);
	add_operation(&program, add_call(&program, LAUNCH, 1, 10, 15), 17, 20);
	found = find_in(&program, IDLE_ALL_DEVICES, 20);
	EXPECT(found, [IDLE_START] = 17);
	assert_int_equal(found.start_ns, 4 + 5 + 2);
}

/* The gap from 10 to 40: 2 until the wait returns, 3 to the allocation, 10 in it, 5 to the launch,
 * 6 of that, 4 on the way. */
TEST(test_calls_before_the_launch)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	add_call(&program, SYNC, 1, 3, 12);
	add_call(&program, ALLOCATE, 1, 15, 25);
	add_operation(&program, add_call(&program, LAUNCH, 1, 30, 36), 40, 50);
	found = find_in(&program, IDLE_ALL_DEVICES, 50);
	EXPECT(found, [IDLE_START] = 2, [IDLE_BLOCKED] = 2, [IDLE_HOST_WORK] = 8,
	       [IDLE_OTHER_CALLS] = 10, [IDLE_LAUNCHING] = 6, [IDLE_KERNEL_START] = 4);
	assert_ptr_equal(found.from, &program.calls[2]);
}

/* A call from 3 to 20 that makes another one from 5 to 8: the gap from 10 to 30 begins in it. */
TEST(test_a_call_in_a_call)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	add_call(&program, ALLOCATE, 1, 3, 20);
	add_call(&program, SYNC, 1, 5, 8);
	add_operation(&program, add_call(&program, LAUNCH, 1, 24, 28), 30, 31);
	found = find_in(&program, IDLE_ALL_DEVICES, 31);
	EXPECT(found, [IDLE_START] = 2, [IDLE_OTHER_CALLS] = 10, [IDLE_HOST_WORK] = 4,
	       [IDLE_LAUNCHING] = 4, [IDLE_KERNEL_START] = 2);
	assert_ptr_equal(found.from, &program.calls[1]);
}

/* The second thread's first call, from 20 on, comes 4 after the first thread's last one. */
TEST(test_threads)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	add_call(&program, SYNC, 1, 3, 16);
	add_operation(&program, add_call(&program, LAUNCH, 2, 20, 22), 23, 24);
	found = find_in(&program, IDLE_ALL_DEVICES, 24);
	EXPECT(found, [IDLE_START] = 2, [IDLE_BLOCKED] = 6, [IDLE_HOST_WORK] = 4,
	       [IDLE_LAUNCHING] = 2, [IDLE_KERNEL_START] = 1);
	assert_ptr_equal(found.from, &program.calls[1]);
	/* One that was idle all the time has nothing to do with it. */
	form_of_call(&program.calls[1])->thread_id = 3;
	found = find_in(&program, IDLE_ALL_DEVICES, 24);
	EXPECT(found, [IDLE_START] = 2, [IDLE_HOST_WORK] = 10, [IDLE_LAUNCHING] = 2,
	       [IDLE_KERNEL_START] = 1);
	assert_null(found.from);
}

/* The second kernel was enqueued by 2; a host function from 12 to 17 held it. */
TEST(test_a_host_function)
{
	static struct program program;
	struct found found;
	struct trace_call *call;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	call = add_call(&program, CALLBACK, 1, 1, 2);
	program.host_function = (struct trace_host_function){
		.start_ns = 12, .end_ns = 17, .call = call, .stream = &program.stream};
	program.trace.host_function_count = 1;
	add_operation(&program, add_call(&program, LAUNCH, 1, 2, 3), 19, 20);
	found = find_in(&program, IDLE_ALL_DEVICES, 20);
	EXPECT(found, [IDLE_START] = 2, [IDLE_DEPENDENCE] = 7, [IDLE_KERNEL_START] = 2);
}

/* Of the host's 20 between the calls 5 are the tracer's and 3 are loading; of another thread's,
 * none. */
TEST(test_overheads)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	add_operation(&program, add_call(&program, LAUNCH, 1, 30, 34), 35, 36);
	program.overheads[0] = (struct trace_overhead){12, 17, 1, OVERHEAD_BUFFER_REQUEST, false};
	program.overheads[1] = (struct trace_overhead){29, 32, 1, OVERHEAD_MODULE_LOADING, true};
	program.trace.overhead_count = 2;
	found = find_in(&program, IDLE_ALL_DEVICES, 36);
	EXPECT(found, [IDLE_START] = 2, [IDLE_TRACER] = 5, [IDLE_LOADING] = 3,
	       [IDLE_HOST_WORK] = 14, [IDLE_LAUNCHING] = 2, [IDLE_KERNEL_START] = 1);
	program.overheads[0].thread_id = program.overheads[1].thread_id = 2;
	found = find_in(&program, IDLE_ALL_DEVICES, 36);
	EXPECT(found, [IDLE_START] = 2, [IDLE_HOST_WORK] = 20, [IDLE_LAUNCHING] = 4,
	       [IDLE_KERNEL_START] = 1);
}

/* As test_launches: of a launch 3 are the tracer's, and 1 of the work before it. The gap has 5 of the
 * call and 2 of the work. */
TEST(test_tool_costs)
{
	static struct program program;
	struct trace_tool_cost cost = {
		.class = CLASS_LAUNCH, .calls = 10, .outside_ns = 10, .inside_ns = 30};
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 5), 7, 8);
	add_operation(&program, add_call(&program, LAUNCH, 1, 10, 15), 18, 19);
	program.trace.tool_costs = &cost;
	program.trace.tool_cost_count = 1;
	found = find_in(&program, IDLE_ALL_DEVICES, 19);
	EXPECT(found, [IDLE_START] = 7, [IDLE_HOST_WORK] = 1, [IDLE_LAUNCHING] = 2,
	       [IDLE_TRACER] = 4, [IDLE_KERNEL_START] = 3);
}

/* A blocking copy back: 3 until it starts behind the kernel, 5 from its end until the call returns
 * with the data from the staging buffer. */
TEST(test_a_copy)
{
	static struct program program;
	struct found found;
	struct trace_operation *copy;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	copy = add_operation(&program, add_call(&program, COPY, 1, 3, 30), 13, 25);
	form_of(copy)->kind = OPERATION_COPY;
	form_of(copy)->engine = ENGINE_D2H;
	add_operation(&program, add_call(&program, LAUNCH, 1, 30, 32), 33, 34);
	found = find_in(&program, IDLE_ALL_DEVICES, 34);
	EXPECT(found, [IDLE_START] = 2, [IDLE_COPY_START] = 3, [IDLE_BLOCKED] = 5,
	       [IDLE_LAUNCHING] = 2, [IDLE_KERNEL_START] = 1);
}

/* Device 1 runs from 5 to 9 only; together they idle until 2 and from 10 on. */
TEST(test_devices)
{
	static struct program program;
	struct found found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	form_of(add_operation(&program, add_call(&program, LAUNCH, 1, 2, 3), 5, 9))->device_id = 1;
	found = find_in(&program, IDLE_ALL_DEVICES, 12);
	EXPECT(found, [IDLE_START] = 2, [IDLE_END] = 2);
	found = find_in(&program, 1, 12);
	EXPECT(found, [IDLE_START] = 5, [IDLE_END] = 3);
}

/* An operation without a call; a run without operations. */
TEST(test_unknown)
{
	static struct program program;
	struct found found;

	init(&program);
	found = find_in(&program, IDLE_ALL_DEVICES, 12);
	EXPECT(found, [IDLE_START] = 12);
	add_operation(&program, add_call(&program, LAUNCH, 1, 0, 1), 2, 10);
	add_operation(&program, add_call(&program, LAUNCH, 1, 11, 12), 20, 21)->call = NULL;
	found = find_in(&program, IDLE_ALL_DEVICES, 21);
	EXPECT(found, [IDLE_START] = 2, [IDLE_UNEXPLAINED] = 10);
}

RUN_TESTS(NULL, NULL)
