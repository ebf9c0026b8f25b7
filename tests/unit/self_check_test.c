/* A replay that misses the measured time by more than 2 % estimates nothing. */
#include "cmocka_test.h"
#include "findings/analysis.h"

TEST(test_two_percent_are_near)
{
	assert_true(self_check_is_near(1000, 1000, 0));
	assert_true(self_check_is_near(1020, 1000, 0));
	assert_true(self_check_is_near(980, 1000, 0));
	assert_false(self_check_is_near(1021, 1000, 0));
	assert_false(self_check_is_near(979, 1000, 0));
	assert_true(self_check_is_near(0, 0, 0));
	assert_false(self_check_is_near(1, 0, 0));
	assert_true(self_check_is_near(1025, 1000, 5));
	assert_false(self_check_is_near(1026, 1000, 5));
}

RUN_TESTS(NULL, NULL)
