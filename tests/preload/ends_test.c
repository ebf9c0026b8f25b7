/* The last calls before each way out of a process are in the trace, which says which way it was. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { CALLS = 10 };

static void run_silently(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_string_equal(run->err, "");
}

static void check_trace(struct run *run, int calls, const char *end)
{
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), calls);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), end);
	run_end(run);
}

static void check_exit(const char *scenario, int calls, const char *end)
{
	struct run run;

	run_silently(&run, scenario, NULL);
	assert_true(WIFEXITED(run.status));
	assert_int_equal(WEXITSTATUS(run.status), 3);
	check_trace(&run, calls, end);
}

static void test_direct_exits_flush(void **state)
{
	check_exit("_exit", CALLS, "_exit");
	check_exit("_Exit", CALLS, "_exit");
	check_exit("in-a-handler", CALLS, "_exit");
}

static void test_the_first_end_counts(void **state)
{
	check_exit("in-an-exit-handler", CALLS, "exit");
}

static void test_abort_flushes(void **state)
{
	struct run run;

	run_silently(&run, "abort", NULL);
	assert_true(WIFSIGNALED(run.status));
	assert_int_equal(WTERMSIG(run.status), SIGABRT);
	check_trace(&run, CALLS, "abort");
}

/* What the last flush brings is not there yet, so the file must not say that it is. */
static void test_a_flush_before_the_last_does_not_say_how_it_ended(void **state)
{
	struct run run;

	run_silently(&run, "beside-a-flush", NULL);
	assert_true(WIFSIGNALED(run.status));
	assert_int_equal(WTERMSIG(run.status), SIGKILL);
	check_trace(&run, CALLS, "running");
}

static void test_each_exec_flushes(void **state)
{
	static const char *const names[] = {"execv",   "execve", "execvp", "execvpe",
					    "fexecve", "execl",	 "execlp", "execle"};
	struct run run;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		run_silently(&run, names[i], NULL);
		assert_true(WIFEXITED(run.status));
		assert_int_equal(WEXITSTATUS(run.status), 0);
		assert_string_equal(run.out, "hello you\n");
		check_trace(&run, CALLS, "exec");
	}
}

static void test_after_a_failed_exec_the_trace_goes_on(void **state)
{
	char expected[64];
	struct run run;

	run_launch(&run, APP_PATH, "exec-fails", true, NULL);
	run_kill_flushed(&run);
	assert_string_equal(run.err, "");
	snprintf(expected, sizeof(expected), "exec -1 errno %d\n", ENOENT);
	assert_string_equal(run.out, expected);
	check_trace(&run, 2 * CALLS, "running");
}

static void test_children_leave_the_trace_alone(void **state)
{
	check_exit("vfork", 2 * CALLS, "_exit");
	check_exit("forked-child", 2 * CALLS, "_exit");
}

/* Ends while it has the lock that the writer waits for: each waits for the other, unless there is a
 * bound. It waits for that long, less a little for the clocks. */
static void check_bound(const char *scenario, const char *const *environment, double bound_s)
{
	struct timespec before, after;
	struct run run;

	clock_gettime(CLOCK_MONOTONIC, &before);
	run_silently(&run, scenario, environment);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true((double)(after.tv_sec - before.tv_sec) +
			    (double)(after.tv_nsec - before.tv_nsec) * 1e-9 >
		    bound_s - 0.1);
	run_open(&run);
	run_end(&run);
}

static void test_the_wait_has_a_bound(void **state)
{
	static const char *const bound[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=1500", NULL};

	check_bound("_exit-under-a-lock", bound, 1.5);
	check_bound("exec-under-a-lock", bound, 1.5);
}

/* An abort waits for a second at most, though an exit would wait for an hour. */
static void test_an_abort_has_a_bound_of_its_own(void **state)
{
	check_bound("abort-under-a-lock", NULL, 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_direct_exits_flush),
		cmocka_unit_test(test_the_first_end_counts),
		cmocka_unit_test(test_abort_flushes),
		cmocka_unit_test(test_a_flush_before_the_last_does_not_say_how_it_ended),
		cmocka_unit_test(test_each_exec_flushes),
		cmocka_unit_test(test_after_a_failed_exec_the_trace_goes_on),
		cmocka_unit_test(test_children_leave_the_trace_alone),
		cmocka_unit_test(test_the_wait_has_a_bound),
		cmocka_unit_test(test_an_abort_has_a_bound_of_its_own),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
