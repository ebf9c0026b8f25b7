/* What came before an operation in its hardware queue: by context and channel. */
#include "model/queues.h"

#include "cmocka_test.h"

enum { FIRST, SECOND, ELSEWHERE, STREAMS };
enum { COMPUTE = 1, OTHER_COMPUTE, COPIES = 12 };

static struct trace_stream streams[STREAMS] = {
	[FIRST] = {.context_id = 1}, [SECOND] = {.context_id = 1}, [ELSEWHERE] = {.context_id = 2}};

static struct trace_operation_form form_of(int stream, enum engine engine, uint32_t channel)
{
	return (struct trace_operation_form){
		.stream = &streams[stream],
		.engine = engine,
		.kind = engine == ENGINE_COMPUTE ? OPERATION_KERNEL : OPERATION_COPY,
		.channel_id = channel,
	};
}

TEST(test_before)
{
	const struct trace_operation_form forms[] = {
		form_of(FIRST, ENGINE_COMPUTE, COMPUTE),
		form_of(SECOND, ENGINE_H2D, COMPUTE),
		form_of(SECOND, ENGINE_COMPUTE, COMPUTE),
		form_of(FIRST, ENGINE_COMPUTE, COMPUTE),
		form_of(ELSEWHERE, ENGINE_COMPUTE, COMPUTE),
		form_of(FIRST, ENGINE_D2H, COPIES),
		form_of(SECOND, ENGINE_D2H, COPIES),
		form_of(SECOND, ENGINE_COMPUTE, NO_CHANNEL),
		form_of(SECOND, ENGINE_COMPUTE, COMPUTE),
		form_of(FIRST, ENGINE_COMPUTE, OTHER_COMPUTE),
	};
	/* In another stream, by index; -1: none. A copy engine's queue is none of kernels. */
	static const int before[] = {-1, 0, -1, 2, -1, -1, -1, -1, 3, -1};
	enum { COUNT = sizeof(forms) / sizeof(*forms) };
	struct trace_operation operations[COUNT];
	struct queues queues = {.number = 0};

	for (int i = 0; i < COUNT; i++) {
		operations[i] = (struct trace_operation){.form = &forms[i]};
		assert_ptr_equal(queues_pass(&queues, &operations[i]),
				 before[i] < 0 ? NULL : &operations[before[i]]);
	}
	assert_int_equal(queues_most_in_context(&queues), 2); /* of three in all */
	queues_free(&queues);
}

RUN_TESTS(NULL, NULL)
