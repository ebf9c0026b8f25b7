/* Tests that wait more than they compute, some of them at once. */
#ifndef STREAMTRACE_TESTS_BESIDE_H
#define STREAMTRACE_TESTS_BESIDE_H

#include "cmocka_test.h"

/* Runs the tests, or those that the filter names, in processes of their own. What they print comes test
 * process by test process. Returns 0 if all passed. */
int run_tests_beside(const struct CMUnitTest *all, size_t count, const char *filter);

#define RUN_TESTS_BESIDE()                                                                         \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		return run_tests_beside(registered, registered_count, argc > 1 ? argv[1] : NULL);  \
	}

#endif
