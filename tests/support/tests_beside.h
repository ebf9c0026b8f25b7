/* Runs tests that wait more than they compute, four of them at once. One thread. */
#ifndef STREAMTRACE_TESTS_BESIDE_H
#define STREAMTRACE_TESTS_BESIDE_H

#include "cmocka_test.h"

/* Runs the count tests, or those that the filter names (NULL: all), in four child processes; each takes the next
 * test when it has finished one. Prints what a process printed after that process has ended. Returns 0 if all tests
 * passed. */
int run_tests_beside(const struct CMUnitTest *all, size_t count, const char *filter);

#define RUN_TESTS_BESIDE()                                                                         \
	int main(int argc, char **argv)                                                            \
	{                                                                                          \
		return run_tests_beside(registered, registered_count, argc > 1 ? argv[1] : NULL);  \
	}

#endif
