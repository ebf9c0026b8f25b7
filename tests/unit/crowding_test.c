/* What kernels lost to collectives beside them that waited, by arithmetic. */
#include "cmocka_test.h"
#include "test_forms.h"
#include "job/crowding.h"

#include <stdlib.h>

enum { MOST = 16 };

static struct trace_operation operations[MOST];
static struct trace trace;

/* Operations must be added in the order of their starts. */
static uint32_t add(const char *name, int64_t start_ns, int64_t end_ns)
{
	static struct trace_stream stream;
	uint32_t index = (uint32_t)trace.operation_count++;

	operations[index] = (struct trace_operation){
		.start_ns = start_ns,
		.end_ns = end_ns,
		.form = operation_form((struct trace_operation_form){
			.name = name, .kind = OPERATION_KERNEL, .stream = &stream})};
	return index;
}

/* Four times alone, 100 ns each. */
static void begin(void)
{
	trace = (struct trace){.operations = operations};
	for (int i = 0; i < 4; i++)
		add("work", 200 * i, 200 * i + 100);
}

/* A like one takes 100: of the first one's 400 three quarters are a wait. */
TEST(test_waits)
{
	struct rendezvous_kernel kernels[2] = {{.kind = 7}, {.kind = 7}};
	struct rendezvous rendezvous = {.kernels = kernels, .count = 2};
	uint32_t beside, other, shorter, at_transfer;
	int64_t *lost_ns;

	begin();
	kernels[0].operation = add("nccl", 1000, 1400);
	beside = add("work", 1000, 1180);
	other = add("other", 1200, 1300);
	shorter = add("work", 1300, 1390);
	kernels[1].operation = add("nccl", 2000, 2100);
	at_transfer = add("work", 2000, 2150);
	lost_ns = crowding_find(&trace, &rendezvous);
	assert_int_equal(lost_ns[0], 0);
	assert_int_equal(lost_ns[beside], 60);
	assert_int_equal(lost_ns[other], 0); /* what it takes alone is not known */
	assert_int_equal(lost_ns[shorter], 0);
	assert_int_equal(lost_ns[at_transfer], 0);
	assert_int_equal(lost_ns[kernels[0].operation], 0);
	free(lost_ns);
}

/* Of other bytes: how long the transfer takes is not known, and all of it may be one. */
TEST(test_unlike)
{
	struct rendezvous_kernel kernels[2] = {{.kind = 7}, {.kind = 8}};
	struct rendezvous rendezvous = {.kernels = kernels, .count = 2};
	uint32_t beside;
	int64_t *lost_ns;

	begin();
	kernels[0].operation = add("nccl", 1000, 1400);
	beside = add("work", 1000, 1180);
	kernels[1].operation = add("nccl", 2000, 2100);
	lost_ns = crowding_find(&trace, &rendezvous);
	assert_int_equal(lost_ns[beside], 0);
	free(lost_ns);
}

/* Beside both: half of its time beside the one that waits, half beside the transfer. */
TEST(test_two)
{
	struct rendezvous_kernel kernels[2] = {{.kind = 7}, {.kind = 7}};
	struct rendezvous rendezvous = {.kernels = kernels, .count = 2};
	uint32_t beside;
	int64_t *lost_ns;

	begin();
	kernels[0].operation = add("nccl", 1000, 1400);
	beside = add("work", 1300, 1500);
	kernels[1].operation = add("nccl", 1400, 1500);
	lost_ns = crowding_find(&trace, &rendezvous);
	assert_int_equal(lost_ns[beside], 37); /* 3/8 of 100 */
	free(lost_ns);
}

RUN_TESTS(NULL, NULL)
