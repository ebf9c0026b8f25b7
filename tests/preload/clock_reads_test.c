/* Which calls a clock was read behind. */
#include "cmocka_test.h"
#include "preload_run.h"

static void run_scenario(struct run *run, const char *scenario)
{
	run_start(run, APP_PATH, scenario, true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
}

/* The first and the third launch, each between its end and the next one's start. */
TEST_RUN(test_readings_behind_calls)
{
	run_scenario(run, "reads");
	assert_int_equal(run_calls(run, 0), 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM clock_reads"), 2);
	assert_int_equal(run_number(run,
				    "SELECT sum(1 << (SELECT count(*) FROM calls "
				    "WHERE calls.end_ns <= clock_reads.time_ns AND "
				    "calls.thread_id = clock_reads.thread_id)) FROM clock_reads"),
			 1 << 1 | 1 << 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM clock_reads JOIN modules "
					 "ON modules.id = module_id "
					 "WHERE path LIKE '%%/clock_reads_app'"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST_RUN(test_readings_of_another_thread)
{
	run_scenario(run, "threads");
	assert_int_equal(run_calls(run, 0), 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM clock_reads"), 0);
}

RUN_TESTS(NULL, NULL)
