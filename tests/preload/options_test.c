/* Values of the STREAMTRACE_ variables: those that fail their check are noted, and the default is
 * used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

/* Runs a program with the variable; what it must be is said where it is wrong (NULL: it is not).
 * Everything is recorded. */
static void check(const char *variable, const char *must)
{
	const char *const environment[] = {variable, NULL};
	const bool is_wrong = must != NULL;
	char expected[256];
	struct run run;

	run_start(&run, APP_PATH, "all", true, environment);
	assert_int_equal(run.status, 0);
	snprintf(expected, sizeof(expected), "streamtrace: %s: the value must be %s\n", variable,
		 must);
	assert_string_equal(run.err, is_wrong ? expected : "");
	run_open(&run);
	assert_string_equal(run_text(&run, "SELECT coalesce(max(value), '') FROM metadata"
					   " WHERE key = 'unknown_options'"),
			    is_wrong ? variable : "");
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls") > 0, true);
	run_end(&run);
}

TEST(test_wrong_values_are_noted)
{
	static const char times[] = "a number from 0 to 86400000";
	static const char signals[] = "a signal that a program handles, such as USR2";
	static const char flags[] = "one of 0|1|no|yes|off|on|false|true";
	static const char sites[] = "1|MODULE:OFFSET[,...]";
	static const char *const wrong[][2] = {
		{"STREAMTRACE_EXIT_TIMEOUT_MS=5s", times},
		{"STREAMTRACE_EXIT_TIMEOUT_MS=-1", times},
		{"STREAMTRACE_EXIT_TIMEOUT_MS=abc", times},
		{"STREAMTRACE_EXIT_TIMEOUT_MS=0x10", times},
		{"STREAMTRACE_EXIT_TIMEOUT_MS=99999999999999999999", times},
		{"STREAMTRACE_KEEP_SINCE_NS=yesterday", "a number from 0 to 9223372036854775807"},
		{"STREAMTRACE_START=later", "one of now|paused"},
		{"STREAMTRACE_START=no", "one of now|paused"},
		{"STREAMTRACE_SIGNAL=SIGNONE", signals},
		{"STREAMTRACE_SIGNAL=0", signals},
		{"STREAMTRACE_SIGNAL=KILL", signals},
		{"STREAMTRACE_SIGNAL=SEGV", signals},
		{"STREAMTRACE_SIGNAL=8", signals},
		{"STREAMTRACE_SIGNAL=32", signals},
		{"STREAMTRACE_QUIET=maybe", flags},
		{"STREAMTRACE_DISABLE=2", flags},
		{"STREAMTRACE_FIRST_USE=nowhere", sites},
		{"STREAMTRACE_FIRST_USE=/a:99999999999999999999", sites},
		{"STREAMTRACE_FIRST_USE=/a:1f,/b:12345678901234567", sites},
		{"STREAMTRACE_FIRST_USE=/a:-1", sites},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check(wrong[i][0], wrong[i][1]);
}

TEST(test_right_values_are_not)
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
		check(right[i], NULL);
}

/* Several, a line each, in the order of the rows, and unknown names behind them. */
TEST_RUN(test_all_are_noted)
{
	static const char *const wrong[] = {"STREAMTRACE_FOO=1", "STREAMTRACE_SIGNAL=NONE",
					    "STREAMTRACE_START=later", NULL};

	run_start(run, APP_PATH, "all", true, wrong);
	assert_int_equal(run->status, 0);
	assert_string_equal(
		run->err,
		"streamtrace: STREAMTRACE_START=later: the value must be one of now|paused\n"
		"streamtrace: STREAMTRACE_SIGNAL=NONE: the value must be a signal that a program "
		"handles, such as USR2\n"
		"streamtrace: STREAMTRACE_FOO: there is no such variable\n");
	run_open(run);
	assert_string_equal(
		run_text(run, "SELECT value FROM metadata WHERE key = 'unknown_options'"),
		"STREAMTRACE_START=later,STREAMTRACE_SIGNAL=NONE,STREAMTRACE_FOO");
}

RUN_TESTS(NULL, NULL)
