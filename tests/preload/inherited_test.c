/* The writer's thread is scheduled as the process was when it began, whoever makes the first call. */
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"

enum { SKIPPED = 77 };

static void check(const char *scenario)
{
	struct run run;

	run_start(&run, APP_PATH, scenario, true, NULL);
	if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == SKIPPED) {
		print_message("%s: not permitted here\n", scenario);
		run_end(&run);
		skip();
	}
	if (run.status)
		fail_msg("%s: status %#x: %s", scenario, (unsigned int)run.status, run.err);
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, "");
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), 1);
	run_end(&run);
}

TEST(test_no_policy_of_the_first_caller)
{
	check("real-time");
}

TEST(test_no_idle_policy)
{
	check("idle");
}

TEST(test_a_deadline_is_no_obstacle)
{
	check("deadline");
}

TEST(test_nothing_else_of_the_first_caller)
{
	check("batch");
}

TEST(test_no_trap_of_floating_point)
{
	check("trapping");
}

TEST(test_what_the_process_was_given_is_obeyed)
{
	check("pinned");
}

/* As OpenMP's runtime does, before our constructor. */
TEST(test_a_main_thread_pinned_by_a_constructor)
{
	check("pinned-early");
}

RUN_TESTS(NULL, NULL)
