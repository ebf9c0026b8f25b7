/* What is recorded when only windows of the run are. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { OUTSIDE = 1024, THREADS = 4, WINDOWS = 200, EXITED_0 = 0 };

static const char *const paused[] = {"STREAMTRACE_START=paused", NULL};

static void start(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(run->err, "");
	run_open(run);
}

/* Bytes of the sets among the calls, and of those on the device. */
static void check_bytes(struct run *run, int bytes)
{
	assert_int_equal(run_number(run, "SELECT coalesce(sum(size_bytes), 0) FROM named_calls"
					 " WHERE class = 'set'"),
			 bytes);
	assert_int_equal(
		run_number(run,
			   "SELECT coalesce(sum(size_bytes), 0) FROM operations WHERE kind = 3"),
		bytes);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

static int64_t calls_outside(struct run *run)
{
	return run_number(run, "SELECT count(*) FROM calls c WHERE NOT EXISTS (SELECT 1"
			       " FROM windows w WHERE c.start_ns BETWEEN w.start_ns AND"
			       " coalesce(w.end_ns, c.start_ns))");
}

static void check_windows(struct run *run, const char *causes)
{
	assert_string_equal(run_text(run, "SELECT group_concat(cause) FROM"
					  " (SELECT * FROM windows ORDER BY id)"),
			    causes);
	assert_int_equal(run_number(run, "SELECT count(*) FROM windows a JOIN windows b"
					 " ON b.id = a.id + 1 WHERE a.end_ns > b.start_ns"
					 " OR a.end_ns IS NULL OR a.start_ns > a.end_ns"),
			 0);
	assert_int_equal(calls_outside(run), 0);
}

TEST_RUN(test_calls_open_windows)
{
	start(run, "calls", paused);
	check_windows(run, "call,call");
	check_bytes(run, 1 + 2 + 4);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'start'"),
			    "paused");
	/* Made between the windows. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM streams WHERE handle = %s",
				    run->out + strlen("stream ")),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM allocations"), 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), 3);
}

TEST(test_the_profiler_calls_open_windows)
{
	struct run run;

	start(&run, "profiler", paused);
	check_windows(&run, "profiler,profiler");
	check_bytes(&run, 1 + 2 + 4);
	run_end(&run);
	start(&run, "profiler-directly", paused);
	check_windows(&run, "profiler,profiler");
	check_bytes(&run, 1 + 2 + 4);
	run_end(&run);
	/* Unless all is wanted. */
	start(&run, "profiler", NULL);
	check_windows(&run, "start");
	check_bytes(&run, 1 + 2 + 4 + 3 * OUTSIDE);
	run_end(&run);
}

TEST(test_a_signal_opens_windows)
{
	static const char *const names[] = {"STREAMTRACE_SIGNAL=USR2", "STREAMTRACE_SIGNAL=SIGUSR2",
					    "STREAMTRACE_SIGNAL=12"};
	struct run run;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *const environment[] = {"STREAMTRACE_START=paused", names[i], NULL};

		start(&run, "signal", environment);
		check_windows(&run, "signal,signal");
		check_bytes(&run, 1 + 2);
		run_end(&run);
	}
}

TEST_RUN(test_without_the_option_a_signal_is_the_program_s)
{
	run_start(run, APP_PATH, "signal", true, paused);
	assert_true(WIFSIGNALED(run->status));
	assert_int_equal(WTERMSIG(run->status), SIGUSR2);
}

TEST_RUN(test_without_a_pause_a_window_may_still_end)
{
	start(run, "calls", NULL);
	check_windows(run, "start,call");
	check_bytes(run, OUTSIDE + 1 + 2 + 4);
}

TEST_RUN(test_what_comes_before_the_first_call)
{
	start(run, "early", paused);
	check_windows(run, "call");
	check_bytes(run, 1);
}

TEST_RUN(test_what_costs_time_is_off_between_windows)
{
	start(run, "off", paused);
	assert_string_equal(run->out, "records 0011 callbacks 0011\n"
				      "records 1111 callbacks 1111\n"
				      "records 1111 callbacks 1111\n");
	check_windows(run, "call,profiler");
	check_bytes(run, 1 + 2);
	assert_int_equal(run_number(run, "SELECT sum(operations) - sum(matched)"
					 " FROM matched_operations"),
			 0);
}

TEST_RUN(test_operations_across_a_window_s_edge)
{
	start(run, "across", paused);
	assert_string_equal(run_text(run, "SELECT group_concat(ms) FROM"
					  " (SELECT (end_ns - start_ns) / 1000000 AS ms"
					  " FROM operations ORDER BY start_ns)"),
			    "101,104");
	assert_int_equal(run_number(run, "SELECT sum(operations) - sum(matched)"
					 " FROM matched_operations"),
			 0);
}

TEST_RUN(test_a_wait_across_a_window_s_end)
{
	start(run, "wait-across", paused);
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls c, windows w"
					 " WHERE class = 'device-sync' AND c.end_ns > w.end_ns"),
			 1);
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls"
					 " WHERE class = 'device-sync'"),
			 1);
}

TEST_RUN(test_windows_among_busy_threads)
{
	start(run, "threads", paused);
	assert_int_equal(run_number(run, "SELECT count(*) FROM windows"), WINDOWS);
	/* A call just before the end may read its clock later: one per thread and window. */
	assert_in_range(calls_outside(run), 0, THREADS * WINDOWS);
	assert_int_not_equal(run_number(run, "SELECT count(*) FROM calls"), 0);
	/* Each recorded call has its operation, unless the writer came by while the thread was
	 * delayed behind it: again one per thread and window. */
	assert_in_range(run_number(run, "SELECT count(*) FROM named_calls c WHERE class = 'set'"
					" AND NOT EXISTS (SELECT 1 FROM operations o"
					" WHERE o.correlation_id = c.correlation_id)"),
			0, THREADS * WINDOWS);
}

TEST_RUN(test_a_forked_child_goes_on_in_the_window)
{
	start(run, "fork", paused);
	check_windows(run, "call");
	check_bytes(run, 1);
	sqlite3_close(run->db);
	strcpy(strrchr(run->trace, '/'), "/trace.2.db");
	run_open(run);
	check_windows(run, "");
	check_bytes(run, 0);
}

TEST_RUN(test_wrong_options_are_said)
{
	static const char *const wrong[] = {"STREAMTRACE_START=later", "STREAMTRACE_SIGNAL=SIGNONE",
					    NULL};

	run_start(run, APP_PATH, "calls", true, wrong);
	assert_int_equal(run->status, EXITED_0);
	assert_string_equal(
		run->err,
		"streamtrace: STREAMTRACE_START=later: the value must be one of now|paused\n"
		"streamtrace: STREAMTRACE_SIGNAL=SIGNONE: the value must be a signal that a "
		"program "
		"handles, such as USR2\n");
	run_open(run);
	check_bytes(run, OUTSIDE + 1 + 2 + 4);
}

RUN_TESTS_BESIDE()
