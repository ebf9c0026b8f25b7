/* libstrace.so under programs that do what a tracer must bear: they are to notice nothing. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

enum { CALLS = 10 };

/* Runs it traced, checks the status and that it was silent. */
static void run_hostile(struct run *run, const char *scenario, int status,
			const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), status);
	assert_string_equal(run->err, "");
}

static void check_trace(struct run *run, int calls, const char *end)
{
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), calls);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), end);
}

/* The scenario's calls are all there, and its end was seen. */
static void check_scenario(const char *scenario, int status, int calls)
{
	struct run run;

	run_hostile(&run, scenario, status, NULL);
	check_trace(&run, calls, "exit");
	run_end(&run);
}

TEST(test_main_may_end_first)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* a thread of the sanitizer's own never ends */
#else
	check_scenario("main-ends-first", 0, 2 * CALLS);
#endif
}

TEST(test_quick_exit_is_an_exit)
{
	check_scenario("quick-exit", 3, CALLS);
}

TEST(test_the_default_stack_may_be_small)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* the sanitizer needs more itself */
#else
	check_scenario("small-default-stack", 0, CALLS);
#endif
}

TEST(test_the_environment_may_be_overwritten)
{
	check_scenario("title", 0, CALLS);
}

TEST_RUN(test_a_raw_fork_exits_at_once)
{
	run_hostile(run, "raw-fork", 0, NULL);
	assert_string_equal(run->out, "child 3\n");
	check_trace(run, CALLS, "exit");
}

TEST_RUN(test_a_trace_in_use_is_left_alone)
{
	run_hostile(run, "same-output", 0, NULL);
	assert_string_equal(run->out, "child 3\n");
	check_trace(run, CALLS, "exit");
	assert_int_equal(run_number(run, "SELECT value FROM metadata WHERE key = 'process_id'"),
			 run->pid);
}

TEST_RUN(test_closed_descriptors_are_not_written_to)
{
	run_start(run, APP_PATH, "close-all", true, NULL);
	assert_int_equal(run->status, 0);
	assert_non_null(strstr(run->err, " rows could not be written: "));
	assert_string_equal(run->out, "own files hold 0 bytes\n");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), CALLS);
	/* That of the exec that failed, or that it did. */
	assert_string_not_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"),
				"exit");
}

TEST(test_low_descriptors_are_the_program_s)
{
	struct run plain, traced;

	run_start(&plain, APP_PATH, "next-descriptor", false, NULL);
	run_hostile(&traced, "next-descriptor", 0, NULL);
	assert_string_equal(traced.out, plain.out);
	run_end(&plain);
	run_end(&traced);
}

TEST_RUN(test_the_folder_is_that_of_the_first_call)
{
	static const char *const relative[] = {"STREAMTRACE_OUTPUT=trace.db", NULL};

	run_hostile(run, "change-folder", 0, relative);
	check_trace(run, CALLS, "exit");
}

/* The file says what is missing, unless there is no room for the rows that say it and for the program's end: that
 * depends on where the writer's commits fall. Then a line does. */
TEST_RUN(test_a_full_disk_is_counted)
{
	/* Looks come by the clock: how many rows they are is the machine's matter. */
	static const char *const patient[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=3600000",
					      "STREAMTRACE_HOST=0", NULL};
	int64_t recorded, lost;
	bool is_complete;
	int made;

	run_start(run, APP_PATH, "full", true, patient);
	assert_int_equal(run->status, 0);
	assert_int_equal(sscanf(run->out, "made %d", &made), 1);
	run_open(run);
	recorded = run_number(run, "SELECT count(*) FROM calls");
	lost = run_number(run, "SELECT coalesce(sum(count), 0) FROM losses");
	print_message("%d made, %d recorded, %d lost\n", made, (int)recorded, (int)lost);
	assert_int_not_equal(recorded, 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE site_id NOT IN"
					 " (SELECT id FROM call_sites)"),
			 0);
	is_complete = run_number(run, "SELECT value <> 'running' FROM metadata WHERE key = 'end'");
	/* What is lost beside the calls: clock samples, rows of the device. */
	assert_in_range(recorded + lost, is_complete ? made : 1, made + 100);
	if (is_complete) {
		assert_string_equal(run->err, "");
		assert_true(run_number(run, "SELECT count(*) FROM losses"
					    " WHERE kind = 'file-error' AND detail <> ''") > 0);
	} else if (!strstr(run->err, " rows could not be written: ")) {
		fail_msg("no end, and no word of it: '%s'", run->err);
	}
}

/* The writer may stand still. */
TEST_RUN(test_exit_has_a_bound)
{
	static const char *const bound[] = {"STREAMTRACE_EXIT_TIMEOUT_MS=500", NULL};

	run_start(run, APP_PATH, "exit-beside-a-held-writer", true, bound);
	assert_true(WIFEXITED(run->status));
	assert_int_equal(WEXITSTATUS(run->status), 9);
	assert_non_null(strstr(run->err, "the exit timeout (500 ms)\n"));
	run_open(run);
}

TEST_RUN(test_without_a_file_cupti_is_given_back)
{
	static const char *const unwritable[] = {"STREAMTRACE_OUTPUT=missing/folder/trace.db",
						 "STREAMTRACE_QUIET=1", NULL};

	run_hostile(run, "subscribe", 0, unwritable);
	assert_string_equal(run->out, "subscribed\n");
}

/* /dev/null reads as an empty file: root must not replace it. */
TEST(test_a_device_is_left_alone)
{
	char path[] = "/tmp/hostile_test.XXXXXX", output[64];
	const char *const device[] = {output, "STREAMTRACE_QUIET=1", NULL};
	struct stat status;
	struct run run;

	assert_non_null(mkdtemp(path));
	snprintf(output, sizeof(output), "STREAMTRACE_OUTPUT=%s/null", path);
	if (mknod(strchr(output, '/'), S_IFCHR | 0600, makedev(1, 3))) {
		rmdir(path);
		skip(); /* only root may make one */
	}
	run_hostile(&run, "calls", 0, device);
	run_end(&run);
	assert_int_equal(stat(strchr(output, '/'), &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	unlink(strchr(output, '/'));
	rmdir(path);
}

RUN_TESTS_BESIDE()
