/* Where the period of repeated launches begins. */
#include "cmocka_test.h"
#include "detectors/evidence/launch_periods.h"

#include <stdlib.h>

/* The host works longest before a, in both together; the loop is interrupted once, and goes on with c. */
TEST(test_repeats_found_apart)
{
	const uint64_t symbols[] = {'a', 'b', 'c', 'a', 'b', 'c', 'a', 'b',
				    'c', 'x', 'c', 'a', 'b', 'c', 'a', 'b'};
	const int64_t work_ns[] = {30, 50, 2, 30, 50, 2, 30, 50, 2, 900, 9, 40, 0, 9, 40, 0};
	const struct repeat repeats[] = {{0, 9, 3}, {10, 16, 3}};
	size_t *begins = launch_periods_find(symbols, work_ns, repeats, 2);

	assert_int_equal(begins[0], 0);
	assert_int_equal(begins[1], 1);
	free(begins);
}

/* The same steps in another order are another loop, and so is a shorter one of them. */
TEST(test_other_loops)
{
	const uint64_t symbols[] = {'a', 'b', 'c', 'a', 'b', 'c', 'a', 'c',
				    'b', 'a', 'c', 'b', 'a', 'b', 'a', 'b'};
	const int64_t work_ns[] = {1, 50, 2, 1, 50, 2, 1, 9, 0, 1, 9, 0, 7, 3, 7, 3};
	const struct repeat repeats[] = {{0, 6, 3}, {6, 12, 3}, {12, 16, 2}};
	size_t *begins = launch_periods_find(symbols, work_ns, repeats, 3);

	assert_int_equal(begins[0], 1);
	assert_int_equal(begins[1], 1);
	assert_int_equal(begins[2], 0);
	free(begins);
}

TEST(test_none)
{
	free(launch_periods_find(NULL, NULL, NULL, 0));
}

RUN_TESTS(NULL, NULL)
