/*
 * What a call waited for, and what it did not, by the times of a trace; and whether CUDA runs host
 * functions one at a time. Times are in us, short of what a call without a reason to wait counts as one
 * from (20 us), where that is not what is tested.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "replay/observed/timeline_private.h"
#include "replay/timeline.h"

#include <string.h>

#define US 1000

enum { LAUNCH, FREE, RECORD, STREAM_SYNC, STREAM_QUERY, HOST_FUNCTION, FUNCTIONS };

#define NOT_READY 600

struct program {
	struct trace trace;
	struct trace_function functions[FUNCTIONS];
	struct trace_call calls[4];
	struct trace_operation operation;
	struct trace_stream streams[2]; /* the legacy default one and another */
	struct trace_host_function host_functions[2];
};

static void begin(struct program *program, enum stream_flag flag)
{
	*program = (struct program){
		.functions = {{"cudaLaunchKernel", CLASS_LAUNCH},
			      {"cudaFree", CLASS_FREE},
			      {"cudaEventRecord", CLASS_EVENT_RECORD},
			      {"cudaStreamSynchronize", CLASS_STREAM_SYNC},
			      {"cudaStreamQuery", CLASS_STREAM_QUERY},
			      {"cudaLaunchHostFunc", CLASS_HOST_FUNCTION}},
		.streams = {{.id = 7, .flag = STREAM_NULL}, {.id = 13, .flag = flag}},
	};
	for (int i = 0; i < 2; i++) {
		program->streams[i].handle = i ? 0x100 : 0;
		program->streams[i].created_ns = INT64_MIN;
		program->streams[i].destroyed_ns = INT64_MAX;
	}
	program->trace = (struct trace){.functions = program->functions,
					.function_count = FUNCTIONS,
					.calls = program->calls,
					.operations = &program->operation,
					.streams = program->streams,
					.stream_count = 2};
}

static struct trace_call *add_call(struct program *program, int function, int stream, int start_us,
				   int end_us)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){
		.start_ns = (int64_t)start_us * US,
		.end_ns = (int64_t)end_us * US,
		.form = call_form((struct trace_call_form){
			.function = &program->functions[function],
			.thread_id = function == LAUNCH ? 1 : 2,
			.has_stream = stream >= 0,
			.stream_handle = stream < 0 ? 0 : program->streams[stream].handle})};
	return call;
}

/* A kernel of the other stream that its call, the next one, launches. */
static void add_kernel(struct program *program, int call_us, int start_us, int end_us)
{
	struct trace_call *call = add_call(program, LAUNCH, 1, call_us, call_us + 1);

	program->operation = (struct trace_operation){
		.start_ns = (int64_t)start_us * US,
		.end_ns = (int64_t)end_us * US,
		.call = call,
		.form = operation_form((struct trace_operation_form){.stream = &program->streams[1],
								     .kind = OPERATION_KERNEL,
								     .engine = ENGINE_COMPUTE})};
	call->operation = &program->operation;
	program->trace.operation_count = 1;
}

static size_t count_waits(const struct program *program)
{
	struct model *model = model_build(&program->trace);
	struct timeline *timeline = timeline_build(model);
	size_t count = timeline->wait_count;

	timeline_free(timeline);
	model_free(model);
	return count;
}

/* A kernel of 100 us ends inside a call of 11. */
static size_t waits_of(int function, int stream, enum stream_flag flag)
{
	struct program program;

	begin(&program, flag);
	add_kernel(&program, 0, 1, 100);
	add_call(&program, function, stream, 90, 101);
	return count_waits(&program);
}

TEST(test_a_free_in_a_stream_waits_for_none)
{
	assert_int_equal(waits_of(FREE, -1, STREAM_BLOCKING), 1);
	assert_int_equal(waits_of(FREE, 1, STREAM_BLOCKING), 0);
}

TEST(test_the_default_stream_does_not_wait_for_one_that_does_not_block)
{
	assert_int_equal(waits_of(STREAM_SYNC, 0, STREAM_BLOCKING), 1);
	assert_int_equal(waits_of(STREAM_SYNC, 0, STREAM_NON_BLOCKING), 0);
	assert_int_equal(waits_of(STREAM_SYNC, 1, STREAM_NON_BLOCKING), 1);
}

/* A call that need not wait for anything takes 100 us, and a kernel ends 5 us before it returns. */
TEST(test_a_call_waits_for_what_was_there_before_it)
{
	struct program program;

	begin(&program, STREAM_BLOCKING);
	add_kernel(&program, 0, 30, 105);
	add_call(&program, RECORD, 1, 10, 110);
	assert_int_equal(count_waits(&program), 1);

	begin(&program, STREAM_BLOCKING);
	add_call(&program, RECORD, 1, 10, 110);
	add_kernel(&program, 20, 30, 105);
	assert_int_equal(count_waits(&program), 0);
}

/* A kernel ends at 50. A thread finds it pending at 10, and asks again at 70; in between it makes one other
 * call, or none (-1). */
static size_t waits_of_queries(int between)
{
	struct program program;

	begin(&program, STREAM_BLOCKING);
	add_kernel(&program, 0, 2, 50);
	form_of_call(add_call(&program, STREAM_QUERY, 1, 10, 11))->result = NOT_READY;
	if (between >= 0)
		add_call(&program, between, 1, 60, 61);
	add_call(&program, STREAM_QUERY, 1, 70, 71);
	return count_waits(&program);
}

TEST(test_a_thread_waits_with_the_query_right_behind_a_pending_one)
{
	assert_int_equal(waits_of_queries(-1), 1);
	assert_int_equal(waits_of_queries(STREAM_QUERY), 1);
	assert_int_equal(waits_of_queries(RECORD), 0);
}

/* The second one of two streams begins so long after the first, which takes 10 us. */
static bool has_one_thread(int later_us)
{
	struct program program;
	struct model *model;
	struct timeline *timeline;
	bool has;

	begin(&program, STREAM_BLOCKING);
	for (int i = 0; i < 2; i++)
		program.host_functions[i] = (struct trace_host_function){
			.call = add_call(&program, HOST_FUNCTION, i, 2 * i, 2 * i + 1),
			.stream = &program.streams[i],
			.start_ns = (int64_t)(10 + i * later_us) * US,
			.end_ns = (int64_t)(20 + i * later_us) * US};
	program.trace.host_functions = program.host_functions;
	program.trace.host_function_count = 2;
	model = model_build(&program.trace);
	timeline = timeline_build(model);
	has = timeline->has_host_engine;
	timeline_free(timeline);
	model_free(model);
	return has;
}

TEST(test_host_functions_that_overlap_have_several_threads)
{
	assert_true(has_one_thread(11));
	assert_true(has_one_thread(10));
	assert_false(has_one_thread(9));
}

RUN_TESTS(NULL, NULL)
