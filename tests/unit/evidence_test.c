/*
 * What a call was blocked for, in traces whose parts are known by arithmetic. Times are in ns.
 */
#include "cmocka_test.h"
#include "test_forms.h"
#include "replay/observed.h"

#define MOST 602

enum { COPY, LAUNCH, FUNCTION_COUNT };
enum { LEGACY, BLOCKING, STREAM_COUNT };

/* Operations in the order of their starts; a call each, and more of them. */
struct program {
	struct trace trace;
	struct trace_function functions[FUNCTION_COUNT];
	struct trace_call calls[MOST];
	struct trace_operation operations[MOST];
	struct trace_stream streams[STREAM_COUNT];
};

static void init(struct program *program)
{
	*program = (struct program){
		.functions = {[COPY] = {"cudaMemcpy", CLASS_COPY},
			      [LAUNCH] = {"cudaLaunchKernel", CLASS_LAUNCH}},
		.streams = {[LEGACY] = {.flag = STREAM_NULL},
			    [BLOCKING] = {.flag = STREAM_BLOCKING,
					  .handle = 1300,
					  .created_ns = INT64_MIN,
					  .destroyed_ns = INT64_MAX}},
	};
	program->trace = (struct trace){.functions = program->functions,
					.streams = program->streams,
					.calls = program->calls,
					.operations = program->operations,
					.function_count = FUNCTION_COUNT,
					.stream_count = STREAM_COUNT};
}

static struct trace_call *add_call(struct program *program, int function, int64_t start_ns,
				   int64_t end_ns)
{
	struct trace_call *call = &program->calls[program->trace.call_count++];

	*call = (struct trace_call){.start_ns = start_ns,
				    .end_ns = end_ns,
				    .form = call_form((struct trace_call_form){
					    .function = &program->functions[function]})};
	return call;
}

static struct trace_operation *add_operation(struct program *program, struct trace_call *call,
					     int stream, int64_t start_ns, int64_t end_ns)
{
	struct trace_operation *operation = &program->operations[program->trace.operation_count++];

	*operation = (struct trace_operation){.start_ns = start_ns,
					      .end_ns = end_ns,
					      .call = call,
					      .form = operation_form((struct trace_operation_form){
						      .stream = &program->streams[stream],
						      .kind = OPERATION_KERNEL,
						      .engine = ENGINE_COMPUTE,
						      .src_kind = MEMORY_DEVICE,
						      .dst_kind = MEMORY_DEVICE})};
	call->operation = operation;
	form_of_call(call)->stream_handle = operation->form->stream->handle;
	form_of_call(call)->has_stream = true;
	return operation;
}

static struct call_evidence evidence_in(const struct program *program,
					const struct trace_call *call)
{
	struct observed observed = observed_build(model_build(&program->trace));
	struct call_evidence found = evidence_of(observed.evidence, call);

	observed_free(&observed);
	return found;
}

/* A copy of 10 from 5 to 45: its stream holds it until 10, the other one until 30. The same call
 * takes 2 when nothing is pending, so 3 are left over. */
TEST(test_streams)
{
	static struct program program;
	struct trace_call *call;
	struct trace_operation *copy;
	struct call_evidence found;

	init(&program);
	add_operation(&program, add_call(&program, LAUNCH, 0, 1), LEGACY, 1, 10);
	add_operation(&program, add_call(&program, LAUNCH, 1, 2), BLOCKING, 10, 30);
	call = add_call(&program, COPY, 5, 45);
	copy = add_operation(&program, call, LEGACY, 30, 40);
	form_of(copy)->kind = OPERATION_COPY;
	form_of(copy)->engine = ENGINE_D2H;
	form_of(copy)->dst_kind = MEMORY_PINNED;
	add_call(&program, COPY, 50, 52);
	found = evidence_in(&program, call);
	assert_ptr_equal(found.cause, &program.operations[1]);
	assert_int_equal(found.split.stream_ns, 5);
	assert_int_equal(found.split.other_streams_ns, 20);
	assert_int_equal(found.split.copy_ns, 10);
	assert_int_equal(found.split.own_ns, 2);
	assert_int_equal(found.split.unexplained_ns, 3);
	assert_int_equal(evidence_blocked_ns(&found.split), 38);
	found = evidence_in(&program, &program.calls[3]);
	assert_null(found.cause);
	assert_int_equal(found.split.own_ns, 2);
	assert_int_equal(evidence_blocked_ns(&found.split), 0);
}

/* A copy of pageable memory runs from 4 to 30; its call returns at 20, when the rest is staged. */
TEST(test_staging)
{
	static struct program program;
	struct trace_call *call;
	struct trace_operation *copy;
	struct call_evidence found;

	init(&program);
	call = add_call(&program, COPY, 0, 20);
	copy = add_operation(&program, call, BLOCKING, 4, 30);
	form_of(copy)->kind = OPERATION_COPY;
	form_of(copy)->engine = ENGINE_H2D;
	form_of(copy)->src_kind = MEMORY_PAGEABLE;
	found = evidence_in(&program, call);
	assert_ptr_equal(found.cause, copy);
	assert_int_equal(found.split.staging_ns, 16);
	assert_int_equal(found.split.copy_ns, 0);
	assert_int_equal(found.split.own_ns, 4);
}

/* 600 kernels of 1000 each; one more launch returns right behind the end of one of them. */
static struct call_evidence launch_behind(struct program *program, int behind)
{
	struct trace_call *call;

	init(program);
	for (int i = 0; i < 600; i++)
		add_operation(program, add_call(program, LAUNCH, i, i + 1), BLOCKING,
			      1000 * (i + 1), 1000 * (i + 2));
	call = add_call(program, LAUNCH, 600, 1000 * (behind + 2) + 1);
	add_operation(program, call, BLOCKING, 601000, 602000);
	return evidence_in(program, call);
}

TEST(test_queue)
{
	static struct program program;
	struct call_evidence found = launch_behind(&program, 60);

	assert_ptr_equal(found.cause, &program.operations[60]);
	assert_int_equal(found.split.queue_ns, 62000 - 600);
	assert_int_equal(found.split.stream_ns, 0);
	/* With so few pending the queue was not full. */
	found = launch_behind(&program, 200);
	assert_int_equal(found.split.queue_ns, 0);
	assert_int_equal(found.split.stream_ns, 202000 - 600);
}

RUN_TESTS(NULL, NULL)
