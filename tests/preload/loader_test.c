/*
 * Programs that call CUDA where the loader holds its locks: each runs as it does untraced, and its calls
 * are there. What hangs ends by SIGALRM.
 */
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { CALLS = 10, PLUGIN_CALLS = 50 };

/* Untraced, so that the scenario is known to be right, and traced. */
static void run_scenario(struct run *run, const char *scenario, int status)
{
	for (int traced = 0; traced < 2; traced++) {
		run_start(run, APP_PATH, scenario, traced, NULL);
		if (!WIFEXITED(run->status))
			fail_msg("%s: ended by signal %d", scenario, WTERMSIG(run->status));
		assert_int_equal(WEXITSTATUS(run->status), status);
		assert_string_equal(run->err, "");
		if (!traced)
			run_end(run);
	}
	run_open(run);
}

static void check_calls(struct run *run, int calls)
{
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), calls);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
}

static void check_scenario(const char *scenario, int calls)
{
	struct run run;

	run_scenario(&run, scenario, 0);
	check_calls(&run, calls);
	run_end(&run);
}

TEST(test_a_destructor_may_join_a_thread)
{
	check_scenario("destructor-joins", 5);
}

TEST(test_a_constructor_may_join_a_thread)
{
	check_scenario("constructor-joins", 7);
}

TEST(test_a_constructor_may_copy_beside_a_copy)
{
	check_scenario("copy-beside", 4);
}

TEST_RUN(test_the_writer_goes_on_beside_an_opening)
{
	run_scenario(run, "die-beside-an-opening", 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"), 1 + CALLS);
}

TEST_RUN(test_a_constructor_may_exit)
{
	run_scenario(run, "exit-in-a-constructor", 7);
	check_calls(run, 1 + CALLS);
}

/* The child's calls are in its own trace. */
static void check_fork(const char *scenario)
{
	static const char *const by_process[] = {"STREAMTRACE_OUTPUT=%p.db", NULL};
	int child, status;
	struct run run;

	run_start(&run, APP_PATH, scenario, true, by_process);
	assert_int_equal(run.status, 0);
	assert_int_equal(sscanf(run.out, "%d %d", &child, &status), 2);
	assert_int_equal(status, 5);
	snprintf(run.trace, sizeof(run.trace), "%s/%d.db", run.folder, child);
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), CALLS);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM frames WHERE depth = 0"
					  " AND module_id IS NOT NULL"),
			 1);
	assert_string_equal(run_text(&run, "SELECT value FROM metadata WHERE key = 'end'"),
			    "_exit");
	run_end(&run);
}

TEST(test_a_child_needs_no_lock_of_its_parent)
{
	check_fork("fork-beside-an-opening");
	check_fork("fork-beside-a-walk");
}

static void check_plugin(struct run *run, const char *name)
{
	assert_int_equal(
		run_number(run,
			   "SELECT count(*) FROM calls c JOIN frames f USING (site_id)"
			   " JOIN modules m ON m.id = f.module_id"
			   " WHERE f.depth = 0 AND m.path LIKE '%%/libloader_plugin_%s.so'",
			   name),
		2 * PLUGIN_CALLS);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM modules"
				    " WHERE path LIKE '%%/libloader_plugin_%s.so'",
				    name),
			 1);
}

TEST_RUN(test_a_plugin_keeps_its_lines)
{
	run_scenario(run, "plugins-in-turn", 0);
	check_calls(run, 1 + 4 * PLUGIN_CALLS);
	check_plugin(run, "a");
	check_plugin(run, "b");
}

TEST_RUN(test_a_python_that_was_closed)
{
	run_scenario(run, "python-closed", 0);
	check_calls(run, 1 + PLUGIN_CALLS + 2 * CALLS);
	/* It was found, or nothing could go wrong. */
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'python'"),
			    "on: 3.11.7");
}

RUN_TESTS(NULL, NULL)
