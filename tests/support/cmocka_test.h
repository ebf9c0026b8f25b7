/* Tests that register themselves: TEST(name) { ... }, and at the end of the file RUN_TESTS(). */
#ifndef STREAMTRACE_CMOCKA_TEST_H
#define STREAMTRACE_CMOCKA_TEST_H

/* cmocka wants these before itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TESTS_MOST = 128 };

/* In the order of the file: constructors of one priority run in it. */
__attribute__((unused)) static struct CMUnitTest registered[TESTS_MOST];
__attribute__((unused)) static size_t registered_count;

/* With what cmocka calls before and behind the test; NULL: nothing. */
#define TEST_WITH(name, set_up, tear_down)                                                         \
	static void name(void **state);                                                            \
	__attribute__((constructor)) static void name##_registers(void)                            \
	{                                                                                          \
		registered[registered_count++] =                                                   \
			(struct CMUnitTest){#name, name, set_up, tear_down, NULL};                 \
	}                                                                                          \
	static void name(void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* All of the file, or those that the first argument names, between set_up() and tear_down() of the group. */
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
