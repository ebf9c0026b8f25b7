/* How much less one side takes, and how sure that is. */
#include "cmocka_test.h"
#include "gate/shift.h"

#include <string.h>

static struct shift shift;

/* Runs of base that take 100, 101, ..., and of head 0, 1, ... */
static void measure(size_t base_count, size_t head_count)
{
	double base[2501], head[100];

	for (size_t i = 0; i < base_count; i++)
		base[i] = 100 + (double)i;
	for (size_t i = 0; i < head_count; i++)
		head[i] = (double)i;
	shift = shift_between(base, base_count, head, head_count);
}

TEST(test_one_run_each)
{
	measure(1, 1);
	assert_true(shift.median == 100 && shift.low == 100 && shift.high == 100);
	assert_int_equal(shift.percent, 0);
}

/* The largest intervals, of all pairs: 2 of C(n + m, n) orders miss it. */
TEST(test_few_runs)
{
	measure(3, 2);
	assert_true(shift.median == 100.5 && shift.low == 99 && shift.high == 102);
	assert_int_equal(shift.percent, 80);
	measure(3, 3);
	assert_int_equal(shift.percent, 90);
	measure(4, 4);
	assert_true(shift.low == 97 && shift.high == 103);
	assert_int_equal(shift.percent, 97);
}

/* As tables of the test have it: for 7 and 7 runs up to 8 pairs the other way round are chance in 2.5 %. Of 49
 * differences, -6 to 6 around 100 with 1 to 7 each, the ninth is 97. */
TEST(test_seven_runs)
{
	measure(7, 7);
	assert_true(shift.median == 100 && shift.low == 97 && shift.high == 103);
	assert_int_equal(shift.percent, 96);
}

/* From the exact distribution to the normal one: the interval narrows in small steps. */
TEST(test_many_runs)
{
	double width;

	measure(50, 50);
	width = shift.high - shift.low;
	assert_int_equal(shift.percent, 95);
	measure(51, 51);
	assert_int_equal(shift.percent, 95);
	assert_true(shift.high - shift.low >= width - 1 && shift.high - shift.low <= width + 1);
	measure(100, 2);
	assert_true(shift.low < shift.median && shift.median < shift.high);
}

/* The normal distribution would leave out fewer than none of them. */
TEST(test_one_run_and_many)
{
	measure(2501, 1);
	assert_true(shift.low == 100 && shift.median == 1350 && shift.high == 2600);
	assert_int_equal(shift.percent, 95);
}

/* One slow run moves neither the median nor, of enough runs, the interval. */
TEST(test_outlier)
{
	const double base[] = {10, 11, 12, 13, 14, 15, 1000}, head[] = {1, 2, 3, 4, 5, 6, 7};

	shift = shift_between(base, 7, head, 7);
	assert_true(shift.median == 9 && shift.high < 20 && shift.low > 4);
}

RUN_TESTS(NULL, NULL)
