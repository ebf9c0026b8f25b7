/* What a trace keeps of the fixes that were tried, and what reports say of it. */
#include "trace/trace.h"

#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include <stdlib.h>
#include <string.h>

#define ROW(number, trial)                                                                         \
	"(" number ", " trial                                                                      \
	", 'free-sync', 'app.cu:40', 'held-free', 'saves', 'saves 9 ms', 8, 9, 10, 7, 8, 9)"

static const struct trace_trial failed = {
	.finding = "free-sync",
	.place = "app.cu:40",
	.fix = "held-free",
	.verdict = "failed",
	.outcome = "no saving is claimed",
	.predicted_low_ns = 1,
	.predicted_ns = 2,
	.predicted_high_ns = 3,
};

static struct trace *load_trace(void)
{
	char *error;
	struct trace *trace = trace_load(path, &error);

	assert_non_null(trace);
	return trace;
}

/* Stores the row twice, as one trial, and loads the trace again. */
static struct trace *store_two(struct trace *trace)
{
	const struct trace_trial rows[] = {failed, failed};
	char *error;

	assert_int_equal(trace_store_trials(trace, rows, 2, &error), 0);
	trace_close(trace);
	return load_trace();
}

TEST_IN_FOLDER(test_trials)
{
	struct trace *trace;

	build_trace(
		path, NULL,
		"INSERT INTO trials VALUES " ROW("1", "3") ", " ROW("2", "4") ", " ROW("3", "4"));
	trace = store_two(load_trace());
	assert_int_equal(trace->trial_count, 5);
	assert_int_equal(trace->trials[0].others, 0);
	assert_int_equal(trace->trials[1].others, 1);
	assert_int_equal(trace->trials[2].others, 1);
	assert_true(trace->trials[2].has_saving);
	assert_int_equal(trace->trials[2].tried_high_ns, 9);
	assert_int_equal(trace->trials[3].trial, 5);
	assert_int_equal(trace->trials[4].trial, 5);
	assert_int_equal(trace->trials[4].others, 1);
	assert_false(trace->trials[4].has_saving);
	assert_int_equal(trace->trials[4].predicted_high_ns, 3);
	assert_string_equal(trace->trials[4].outcome, "no saving is claimed");
	trace_close(trace);
}

/* The last number there is: the trace stays readable. */
TEST_IN_FOLDER(test_no_further_number)
{
	struct trace *trace;

	build_trace(path, NULL, "INSERT INTO trials VALUES " ROW("1", "2147483647"));
	trace = store_two(load_trace());
	assert_int_equal(trace->trial_count, 3);
	assert_int_equal(trace->trials[2].trial, INT32_MAX);
	trace_close(trace);
}

/* A trace of a library that had no such table. */
TEST_IN_FOLDER(test_without_table)
{
	struct trace *trace;
	char *error;

	build_trace(path, NULL, "DROP TABLE trials");
	trace = load_trace();
	assert_int_equal(trace->trial_count, 0);
	assert_int_equal(trace_store_trials(trace, &failed, 1, &error), -1);
	assert_non_null(strstr(error, "its format has no table for it"));
	free(error);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
