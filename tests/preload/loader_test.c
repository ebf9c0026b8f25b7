/*
 * Programs that call CUDA where the loader holds its locks: each runs as it does untraced, and its calls
 * are there. What hangs ends by SIGALRM.
 */
#include <stdbool.h>
#include <sys/wait.h>

#include "cmocka_test.h"
#include "preload_run.h"

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

static void test_a_destructor_may_join_a_thread(void **state)
{
	check_scenario("destructor-joins", 5);
}

static void test_a_constructor_may_join_a_thread(void **state)
{
	check_scenario("constructor-joins", 7);
}

static void test_a_constructor_may_copy_beside_a_copy(void **state)
{
	check_scenario("copy-beside", 4);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_destructor_may_join_a_thread),
		cmocka_unit_test(test_a_constructor_may_join_a_thread),
		cmocka_unit_test(test_a_constructor_may_copy_beside_a_copy),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
