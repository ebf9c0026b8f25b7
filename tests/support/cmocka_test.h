/* Tests that register themselves: TEST(name) { ... }, and at the end of the file RUN_TESTS(set_up, tear_down). A
 * file has at most TESTS_MOST tests. One thread. */
#ifndef STREAMTRACE_CMOCKA_TEST_H
#define STREAMTRACE_CMOCKA_TEST_H

/* cmocka.h needs these headers before itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TESTS_MOST = 128 };

/* The tests in the order of the file: constructors of one priority run in that order. */
__attribute__((unused)) static struct CMUnitTest registered[TESTS_MOST];
__attribute__((unused)) static size_t registered_count;

/* A test with functions that cmocka calls before and after it. Either function may be NULL. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
	static void name(void **state);                                                            \
	__attribute__((constructor)) static void name##_registers(void)                            \
	{                                                                                          \
		registered[registered_count++] =                                                   \
			(struct CMUnitTest){#name, name, set_up, tear_down, NULL};                 \
	}                                                                                          \
	static void name(void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* Runs the file's tests, or those that the program's first argument names (a cmocka filter). set_up() is called once
 * before all tests, tear_down() once after them; either may be NULL. Returns how many tests failed. */
__attribute__((unused)) static int run_registered(int argc, char **argv, CMFixtureFunction set_up,
						  CMFixtureFunction tear_down)
{
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return _cmocka_run_group_tests("tests", registered, registered_count, set_up, tear_down);
}

#define RUN_TESTS(set_up, tear_down)                                                               \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		return run_registered(argc, argv, set_up, tear_down);                              \
	}

#endif
