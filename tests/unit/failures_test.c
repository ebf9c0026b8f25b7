/* Which call failed first, by which name, and how many after it. */
#include "cmocka_test.h"
#include "test_forms.h"
#include "findings/failures.h"

#include <stdlib.h>

enum { MEMCPY, LAUNCH, DRIVER, QUERY };

static const struct trace_function functions[] = {
	{"cudaMemcpy", CLASS_COPY},
	{"__cudaLaunchKernel", CLASS_LAUNCH},
	{"cuMemcpyHtoD_v2", CLASS_COPY},
	{"cudaEventQuery", CLASS_OTHER},
};

static struct trace_call call(int function, int64_t start_ns, int64_t end_ns, int result)
{
	return (struct trace_call){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.form = call_form((struct trace_call_form){
			.function = &functions[function], .thread_id = 1, .result = result})};
}

static struct failed_calls find(struct trace_call *calls, size_t count)
{
	return failures_find(&(struct trace){.calls = calls, .call_count = count});
}

static void assert_name(int function, int result, const char *expected)
{
	struct trace_call one = call(function, 0, 1, result);
	char *name = failures_name(&one);

	assert_string_equal(name, expected);
	free(name);
}

TEST(test_none_failed)
{
	/* An answer, and what a second cudaDeviceEnablePeerAccess() says. */
	struct trace_call calls[] = {call(QUERY, 0, 1, 600), call(MEMCPY, 2, 3, 0),
				     call(MEMCPY, 4, 5, 704)};

	assert_null(find(calls, 3).first);
	assert_int_equal(find(calls, 3).count, 0);
}

/* Of five calls the second fails, and the three after it but one. */
TEST(test_first_and_after)
{
	struct trace_call calls[] = {call(MEMCPY, 0, 1, 0), call(LAUNCH, 2, 3, 700),
				     call(MEMCPY, 4, 5, 700), call(QUERY, 6, 7, 0),
				     call(MEMCPY, 8, 9, 700)};
	struct failed_calls failed = find(calls, 5);

	assert_ptr_equal(failed.first, &calls[1]);
	assert_int_equal(failed.count, 3);
	assert_int_equal(failed.calls_since, 4);
	assert_true(failures_is_of_device(failed.first));
}

/* The driver's call that made the runtime's fail is that failure; one of another thread is not. */
TEST(test_inner_calls)
{
	struct trace_call calls[] = {call(MEMCPY, 0, 10, 1), call(DRIVER, 2, 8, 1),
				     call(DRIVER, 3, 8, 1), call(DRIVER, 12, 13, 1)};

	form_of_call(&calls[1])->via_driver_callback =
		form_of_call(&calls[2])->via_driver_callback = true;
	form_of_call(&calls[3])->via_driver_callback = true;
	form_of_call(&calls[2])->thread_id = 2;
	assert_int_equal(find(calls, 4).count, 3);
	assert_false(failures_is_of_device(&calls[0]));
}

TEST(test_names)
{
	assert_name(MEMCPY, 700, "cudaErrorIllegalAddress");
	assert_name(LAUNCH, 2, "cudaErrorMemoryAllocation");
	assert_name(DRIVER, 2, "CUDA_ERROR_OUT_OF_MEMORY");
	assert_name(DRIVER, 9, "cudaErrorInvalidConfiguration");
	assert_name(MEMCPY, 202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT");
	assert_name(MEMCPY, 123456, "error 123456");
}

RUN_TESTS(NULL, NULL)
