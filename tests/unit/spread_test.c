/* How much the times of like operations vary. */
#include "cmocka_test.h"
#include "test_forms.h"
#include "findings/spread.h"

#include <math.h>

enum { MOST = 16 };

static struct trace_operation operations[MOST];
static size_t count;

static void add(const char *name, uint64_t blocks, int64_t duration_ns)
{
	operations[count++] = (struct trace_operation){
		.start_ns = 1000,
		.end_ns = 1000 + duration_ns,
		.form = operation_form((struct trace_operation_form){
			.kind = OPERATION_KERNEL, .name = name, .blocks = blocks})};
}

static void assert_spread(double expected)
{
	struct trace trace = {.operations = operations, .operation_count = count};

	assert_true(fabs(spread_measure(&trace) - expected) < 1e-9);
	count = 0;
}

/* Quartiles 98 and 102 around 100: 2 %. */
TEST(test_one_group)
{
	add("a", 1, 102);
	add("a", 1, 98);
	add("a", 1, 100);
	add("a", 1, 90);
	assert_spread((102 - 98) / 2.0 / 100);
}

/* The other group does not vary and takes three times as long in all: a quarter of it. */
TEST(test_by_time)
{
	for (int i = 0; i < 4; i++)
		add("b", 1, 300);
	add("a", 1, 98);
	add("a", 1, 98);
	add("a", 1, 100);
	add("a", 1, 104);
	assert_spread(400.0 / 1600 * ((104 - 98) / 2.0 / 100));
}

/* Three are too few; other names and grids are no like ones; and a kernel that takes twice as long by
 * its data does not vary by chance. */
TEST(test_none)
{
	assert_spread(0);
	add("a", 1, 100);
	add("a", 1, 110);
	add("a", 1, 120);
	add("a", 2, 100);
	add("b", 1, 90);
	assert_spread(0);
	add("a", 1, 100);
	add("a", 1, 100);
	add("a", 1, 200);
	add("a", 1, 200);
	assert_spread(0);
}

RUN_TESTS(NULL, NULL)
