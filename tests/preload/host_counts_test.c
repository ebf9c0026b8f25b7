/* What the kernel counts of a thread is told of what the thread did meanwhile. */
#include "cmocka_test.h"
#include "preload_run.h"

/* How many of 100 page faults are told of the time in which the thread ran. Its time in the kernel is some 100 ms,
 * counted in steps of 10. */
static int64_t percent_of_running(void)
{
	int64_t percent;
	struct run run;

	run_start(&run, APP_PATH, NULL, true, NULL);
	assert_int_equal(run.status, 0);
	run_open(&run);
	percent = run_number(&run,
			     "SELECT 100 * sum(faults * (state = 0)) / sum(faults) FROM host_states"
			     " WHERE thread_id = %d",
			     (int)run.pid);
	assert_true(run_number(&run,
			       "SELECT sum(system_ns) FROM host_states"
			       " WHERE thread_id = %d AND state = 0",
			       (int)run.pid) >= 30000000);
	run_end(&run);
	return percent;
}

/* On a busy machine looks are late, and find less; under a sanitizer always. */
TEST(test_faults_are_of_running_threads)
{
	int tries = 12;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();
#endif
	while (percent_of_running() < 95)
		assert_true(--tries > 0);
}

RUN_TESTS(NULL, NULL)
