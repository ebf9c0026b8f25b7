/* Every call and operation that a program makes is recorded or counted as lost. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_test.h"
#include "account_app.h"
#include "preload_run.h"

/* More calls than SQLite takes meanwhile. The sanitizer is forty times slower. */
#ifdef __SANITIZE_THREAD__
#define MANY "16,5000,0"
#else
#define MANY "16,100000,0"
#endif

struct account {
	int64_t made, recorded, lost;
};

static int64_t lost_of(struct run *run, const char *condition)
{
	return run_number(run, "SELECT coalesce(sum(count), 0) FROM losses WHERE %s", condition);
}

/* Thread by thread. Returns the sum. */
static struct account check_calls(struct run *run)
{
	struct account sum = {0}, one;
	struct made made;
	char condition[128];

	for (const char *line = run->out; line && *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(sscanf(line, MADE_FORMAT, &made.thread, &made.index, &made.calls,
					&made.operations, &made.time_ns),
				 MADE_FIELDS);
		snprintf(condition, sizeof(condition),
			 "kind IN ('ring-overflow', 'exit-timeout') AND thread_id = %d",
			 made.thread);
		one = (struct account){made.calls, run_calls(run, made.thread),
				       lost_of(run, condition)};
		if (one.recorded + one.lost != one.made)
			fail_msg("thread %d made %" PRId64 " calls, %" PRId64
				 " are recorded and %" PRId64 " lost",
				 made.thread, one.made, one.recorded, one.lost);
		sum.made += one.made;
		sum.recorded += one.recorded;
		sum.lost += one.lost;
	}
	return sum;
}

/* What CUPTI's buffers lose can be a record of any kind: the sum is between that of the operations
 * and that of all records. Without a loss it is exact. */
static struct account check_operations(struct run *run)
{
	struct account sum = {.recorded = run_number(run, "SELECT count(*) FROM operations")};
	struct made made;
	int64_t all = 0;

	for (const char *line = run->out; line && *line; line = strchr(line, '\n') + 1) {
		assert_int_equal(sscanf(line, MADE_FORMAT, &made.thread, &made.index, &made.calls,
					&made.operations, &made.time_ns),
				 MADE_FIELDS);
		sum.made += made.operations;
		/* An operation, an event or a synchronize of each call at most. */
		all += made.calls;
	}
	sum.lost = lost_of(run, "kind IN ('cupti-dropped', 'cupti-discarded')"
				" OR (kind = 'exit-timeout' AND thread_id IS NULL)");
	if (sum.lost)
		assert_in_range(sum.recorded + sum.lost, sum.made, sum.made + all);
	else
		assert_int_equal(sum.recorded, sum.made);
	return sum;
}

static void check_account(const char *work, bool may_lose)
{
	struct account calls, operations;
	struct run run;

	run_start(&run, APP_PATH, work, true, NULL);
	assert_int_equal(run.status, 0);
	assert_string_equal(run.err, "");
	run_open(&run);
	calls = check_calls(&run);
	operations = check_operations(&run);
	print_message("calls: %" PRId64 " made, %" PRId64 " recorded, %" PRId64 " lost;"
		      " operations: %" PRId64 " made, %" PRId64 " recorded, %" PRId64 " lost\n",
		      calls.made, calls.recorded, calls.lost, operations.made, operations.recorded,
		      operations.lost);
	assert_int_equal(run_calls(&run, 0), calls.recorded);
	assert_int_equal(lost_of(&run, "kind NOT IN ('ring-overflow', 'exit-timeout',"
				       " 'cupti-dropped', 'cupti-discarded',"
				       " 'host-state-lost')"),
			 0);
	assert_string_equal(run_text(&run, "SELECT value FROM metadata WHERE key = 'end'"), "exit");
	assert_int_equal(calls.lost, 0);
	if (!may_lose)
		assert_int_equal(operations.lost, 0);
	run_end(&run);
}

/* What CUPTI records may still come too fast. */
TEST(test_threads_that_are_faster_than_the_writer)
{
	check_account(MANY, true);
}

TEST(test_64_threads)
{
	check_account("64,2000,0", false);
}

TEST(test_1000_threads)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
	skip(); /* their shadow of so many stacks and rings is gigabytes */
#else
	check_account("1000,100,0", false);
#endif
}

TEST(test_a_program_at_ease_loses_nothing)
{
	check_account("4,10000,2000", false);
}

RUN_TESTS(NULL, NULL)
