/* Values of the STREAMTRACE_ variables: those that fail their check are noted, and the default is
 * used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

/* Runs a program with the variable, which is noted as wrong or not. Everything is recorded. */
static void check(const char *variable, bool is_wrong)
{
	const char *const environment[] = {variable, NULL};
	char expected[256];
	struct run run;

	run_start(&run, APP_PATH, "all", true, environment);
	assert_int_equal(run.status, 0);
	snprintf(expected, sizeof(expected),
		 "streamtrace: unknown variable or invalid value in the environment: %s\n",
		 variable);
	assert_string_equal(run.err, is_wrong ? expected : "");
	run_open(&run);
	assert_string_equal(run_text(&run, "SELECT coalesce(max(value), '') FROM metadata"
					   " WHERE key = 'unknown_options'"),
			    is_wrong ? variable : "");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls") > 0, true);
	run_end(&run);
}

static void test_wrong_values_are_noted(void **state)
{
	static const char *const wrong[] = {
		"STREAMTRACE_EXIT_TIMEOUT_MS=5s",
		"STREAMTRACE_EXIT_TIMEOUT_MS=-1",
		"STREAMTRACE_EXIT_TIMEOUT_MS=0x10",
		"STREAMTRACE_EXIT_TIMEOUT_MS=99999999999999999999",
		"STREAMTRACE_KEEP_SINCE_NS=yesterday",
		"STREAMTRACE_START=later",
		"STREAMTRACE_START=no",
		"STREAMTRACE_SIGNAL=SIGNONE",
		"STREAMTRACE_SIGNAL=0",
		"STREAMTRACE_SIGNAL=KILL",
		"STREAMTRACE_SIGNAL=32",
		"STREAMTRACE_QUIET=maybe",
		"STREAMTRACE_DISABLE=2",
		"STREAMTRACE_FIRST_USE=nowhere",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check(wrong[i], true);
}

static void test_right_values_are_not(void **state)
{
	static const char *const right[] = {
		"STREAMTRACE_EXIT_TIMEOUT_MS=0060000",
		"STREAMTRACE_SIGNAL=SIGUSR2",
		"STREAMTRACE_SIGNAL=12",
		"STREAMTRACE_QUIET=no",
		"STREAMTRACE_DISABLE=false",
		"STREAMTRACE_EVENTS=on",
		"STREAMTRACE_VERBOSE=",
		"STREAMTRACE_KEEP_SINCE_NS=1",
	};

	for (size_t i = 0; i < sizeof(right) / sizeof(*right); i++)
		check(right[i], false);
}

/* Several, in the order of the rows, and unknown names behind them. */
static void test_all_are_noted(void **state)
{
	static const char *const wrong[] = {"STREAMTRACE_FOO=1", "STREAMTRACE_SIGNAL=NONE",
					    "STREAMTRACE_START=later", NULL};
	struct run run;

	run_start(&run, APP_PATH, "all", true, wrong);
	assert_int_equal(run.status, 0);
	run_open(&run);
	assert_string_equal(
		run_text(&run, "SELECT value FROM metadata WHERE key = 'unknown_options'"),
		"STREAMTRACE_START=later,STREAMTRACE_SIGNAL=NONE,STREAMTRACE_FOO");
	run_end(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_values_are_noted),
		cmocka_unit_test(test_right_values_are_not),
		cmocka_unit_test(test_all_are_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
