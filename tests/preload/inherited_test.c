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
	assert_int_equal(run.status, 0);
	assert_string_equal(run.err, "");
	assert_string_equal(run.out, "");
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM calls"), 1);
	run_end(&run);
}

static void test_no_policy_of_the_first_caller(void **state)
{
	check("real-time");
}

static void test_no_idle_policy(void **state)
{
	check("idle");
}

static void test_a_deadline_is_no_obstacle(void **state)
{
	check("deadline");
}

static void test_nothing_else_of_the_first_caller(void **state)
{
	check("batch");
}

static void test_no_trap_of_floating_point(void **state)
{
	check("trapping");
}

static void test_what_the_process_was_given_is_obeyed(void **state)
{
	check("pinned");
}

/* As OpenMP's runtime does, before our constructor. */
static void test_a_main_thread_pinned_by_a_constructor(void **state)
{
	check("pinned-early");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_policy_of_the_first_caller),
		cmocka_unit_test(test_no_idle_policy),
		cmocka_unit_test(test_a_deadline_is_no_obstacle),
		cmocka_unit_test(test_nothing_else_of_the_first_caller),
		cmocka_unit_test(test_no_trap_of_floating_point),
		cmocka_unit_test(test_what_the_process_was_given_is_obeyed),
		cmocka_unit_test(test_a_main_thread_pinned_by_a_constructor),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
