/* The last calls before each way out of a process are in the trace, which says which way it was. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { CALLS = 10 };

/* On a busy machine the last flush takes longer than a program waits by default. */
static const char *const patient[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=3600000", NULL};

static void run_silently(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_string_equal(run->err, "");
}

enum { ABORTS_MOST = 30 };

/* Whether the library ran out of time, and says so: in words, or in a row. */
static bool was_late(struct run *run)
{
	bool is_row;

	if (strstr(run->err, "took longer than the exit timeout (1000 ms)"))
		return true;
	run_open_as_it_is(run);
	is_row = run_number(run, "SELECT count(*) FROM losses WHERE kind = 'exit-timeout'");
	sqlite3_close(run->db);
	run->db = NULL;
	return is_row;
}

/* An abort waits for a second only, which a busy machine's writer may not have had: then once more. */
static void run_aborting(struct run *run, const char *scenario, const char *const *environment)
{
	for (int i = 1;; i++) {
		run_start(run, APP_PATH, scenario, true, environment);
		if (i == ABORTS_MOST || !was_late(run))
			break;
		run_end(run);
	}
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

	run_silently(&run, scenario, patient);
	assert_true(WIFEXITED(run.status));
	assert_int_equal(WEXITSTATUS(run.status), 3);
	check_trace(&run, calls, end);
}

TEST(test_direct_exits_flush)
{
	check_exit("_exit", CALLS, "_exit");
	check_exit("_Exit", CALLS, "_exit");
	check_exit("in-a-handler", CALLS, "_exit");
}

TEST(test_the_first_end_counts)
{
	check_exit("in-an-exit-handler", CALLS, "exit");
}

TEST(test_abort_flushes)
{
	struct run run;

	run_aborting(&run, "abort", patient);
	assert_true(WIFSIGNALED(run.status));
	assert_int_equal(WTERMSIG(run.status), SIGABRT);
	check_trace(&run, CALLS, "abort");
}

/* What the last flush brings is not there yet, so the file must not say that it is. */
TEST(test_a_flush_before_the_last_does_not_say_how_it_ended)
{
	struct run run;

	run_silently(&run, "beside-a-flush", NULL);
	assert_true(WIFSIGNALED(run.status));
	assert_int_equal(WTERMSIG(run.status), SIGKILL);
	check_trace(&run, CALLS, "running");
}

/* After the exit's timeout no flush begins: CUDA may be torn down. */
TEST_RUN(test_an_exit_that_does_not_wait_leaves_cupti_alone)
{
	static const char *const bound[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=100", NULL};

	run_start(run, APP_PATH, "beside-a-held-flush", true, bound);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), 3);
	assert_string_equal(run->out, "1 flushes\n");
	run_open(run);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
}

TEST(test_each_exec_flushes)
{
	static const char *const names[] = {"execv",	"execve",	"execvp", "execvpe",
					    "fexecve",	"execl",	"execlp", "execle",
					    "execveat", "execveat-file"};
	struct run run;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		run_silently(&run, names[i], patient);
		assert_true(WIFEXITED(run.status));
		assert_int_equal(WEXITSTATUS(run.status), 0);
		assert_string_equal(run.out, "hello you\n");
		assert_int_equal(run_file_count(&run), 1);
		check_trace(&run, CALLS, "exec");
	}
}

/* One file each: the next program would not fold the log of the one before it into its trace. */
TEST(test_an_exec_leaves_one_file)
{
	static const char *const environment[] = {"EXECS=21", NULL};
	struct run run;

	run_silently(&run, "chain", environment);
	assert_int_equal(WEXITSTATUS(run.status), 3);
	assert_int_equal(run_file_count(&run), 22);
	check_trace(&run, CALLS, "exec");
}

TEST(test_execs_that_fail_lose_nothing)
{
	struct run run;

	run_silently(&run, "beside-failing-execs", patient);
	assert_int_equal(WEXITSTATUS(run.status), 3);
	assert_int_equal(run_file_count(&run), 1);
	check_trace(&run, 102 * CALLS, "exit");
}

TEST(test_after_a_failed_exec_the_trace_goes_on)
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

TEST(test_children_leave_the_trace_alone)
{
	check_exit("vfork", 2 * CALLS, "_exit");
	check_exit("forked-child", 2 * CALLS, "_exit");
}

/* Ends while the writer stands still. It waits for that long, less a little for the clocks. */
static void check_bound(const char *scenario, const char *const *environment, double bound_s,
			const char *error)
{
	struct timespec before, after;
	struct run run;

	clock_gettime(CLOCK_MONOTONIC, &before);
	run_start(&run, APP_PATH, scenario, true, environment);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true((double)(after.tv_sec - before.tv_sec) +
			    (double)(after.tv_nsec - before.tv_nsec) * 1e-9 >
		    bound_s - 0.1);
	if (!strstr(run.err, error))
		fail_msg("%s: %s", scenario, run.err);
	run_open(&run);
	run_end(&run);
}

TEST(test_the_wait_has_a_bound)
{
	static const char *const bound[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=1500", NULL};

	check_bound("_exit-under-a-lock", bound, 1.5,
		    "/trace.db: the end is missing: writing it took longer than the exit timeout"
		    " (1500 ms)\n");
	check_bound("exec-under-a-lock", bound, 1.5, "");
}

/* An abort waits for a second at most, though an exit would wait for an hour. */
TEST(test_an_abort_has_a_bound_of_its_own)
{
	check_bound("abort-under-a-lock", NULL, 1, "the exit timeout (1000 ms)\n");
}

/* A file, or a word why there is none. */
TEST(test_an_exit_that_waits_for_nothing_says_so)
{
	static const char *const none[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=0", NULL};
	static const char *const quiet[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=0", "STREAMTRACE_QUIET=1",
					    NULL};
	struct run run;

	run_start(&run, APP_PATH, "_exit", true, none);
	assert_int_equal(WEXITSTATUS(run.status), 3);
	assert_non_null(strstr(run.err, "took longer than the exit timeout (0 ms)\n"));
	run_end(&run);
	run_silently(&run, "_exit", quiet);
	assert_int_equal(WEXITSTATUS(run.status), 3);
	run_end(&run);
}

enum { TOGETHER_CALLS = 200, LATE_CALLS = 50 };

/* So many threads at once end the program by this scenario; the status of each is 3. Nothing hangs, and nothing
 * is lost that was called before. */
static void check_together(const char *scenario, int threads, int more_calls, bool may_abort)
{
	char count[32];
	const char *const environment[] = {count, NULL};
	struct run run;

	snprintf(count, sizeof(count), "THREADS=%d", threads);
	(may_abort ? run_aborting : run_silently)(&run, scenario, environment);
	if (!may_abort || !WIFSIGNALED(run.status)) {
		assert_true(WIFEXITED(run.status));
		assert_int_equal(WEXITSTATUS(run.status), 3);
	} else {
		assert_int_equal(WTERMSIG(run.status), SIGABRT);
	}
	run_open(&run);
	if (run_number(&run, "SELECT count(*) FROM calls") !=
	    CALLS + threads * TOGETHER_CALLS + more_calls)
		fail_msg("%s of %d threads: %d calls are there", scenario, threads,
			 (int)run_number(&run, "SELECT count(*) FROM calls"));
	assert_int_equal(run_number(&run, "SELECT count(*) FROM losses"), 0);
	run_end(&run);
}

TEST(test_threads_that_end_at_once_lose_nothing)
{
	static const char *const scenarios[] = {"exits", "quick_exits", "_exits", "ways",
						"main-beside-exits"};
	static const int threads[] = {3, 8, 64};

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++)
		for (size_t j = 0; j < sizeof(threads) / sizeof(*threads); j++)
			check_together(scenarios[i], threads[j], 0, false);
}

TEST(test_threads_that_abort_lose_nothing)
{
	static const int threads[] = {3, 64};

	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		check_together("aborts", threads[i], 0, true);
		check_together("all-ways", threads[i], 0, true);
	}
}

TEST(test_an_exit_handler_is_recorded_beside_other_exits)
{
	check_together("exits-with-late-calls", 8, LATE_CALLS, false);
}

TEST(test_an_exit_in_an_exit_does_not_hang)
{
	check_together("exits-in-signal-handlers", 4, 0, false);
	check_exit("fork-in-exit", CALLS, "exit");
}

/* CUDA's handlers, which run after ours, are one thread's. */
TEST(test_one_thread_tears_cuda_down)
{
	static const char *const scenarios[] = {"exits", "main-beside-exits"};
	static const char *const environment[] = {"THREADS=8", "TEAR_DOWN=1", NULL};
	struct run run;

	for (size_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		run_silently(&run, scenarios[i], environment);
		assert_true(WIFEXITED(run.status));
		assert_int_equal(WEXITSTATUS(run.status), 3);
		run_end(&run);
	}
}

/* Without a trace there is nothing to wait for. */
TEST_RUN(test_exits_without_a_trace)
{
	static const char *const environment[] = {"THREADS=8",
						  "STREAMTRACE_OUTPUT=/no/such/folder/trace.db",
						  "STREAMTRACE_QUIET=1", NULL};

	run_silently(run, "exits", environment);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), 3);
}

#ifdef ASAN_APP_PATH
/* LeakSanitizer looks at the program's exit: what it finds is status 1. */
static void check_leaks(const char *scenario, int rounds)
{
	static const char *const asan[] = {"ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=1",
					   NULL};
	struct run run;

	run_start(&run, ASAN_APP_PATH, scenario, false, asan);
	if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 3) {
		run_end(&run);
		skip(); /* where processes may not be traced it finds nothing */
	}
	run_end(&run);
	for (int i = 0; i < rounds; i++) {
		run_start(&run, ASAN_APP_PATH, scenario, true, asan);
		if (!WIFEXITED(run.status) || WEXITSTATUS(run.status) != 3)
			fail_msg("%s, round %d: %s", scenario, i, run.err);
		assert_null(strstr(run.err, "leak of"));
		run_end(&run);
	}
}

TEST(test_nothing_of_ours_is_a_leak)
{
	check_leaks("exit", 50);
	check_leaks("child-that-calls", 10);
}
#endif

RUN_TESTS_BESIDE()
