/* Times in a trace of which only windows were recorded. */
#include "findings/analysis.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS     1000000LL
#define AT(ms) (1000 * MS + (ms)*MS)

static struct trace *load(const char *windows)
{
	struct trace *trace;
	char *error;

	build_trace(path, "overlap.sql", windows);
	trace = trace_load(path, &error);
	if (!trace)
		fail_msg("%s", error);
	return trace;
}

/* 50 ms, then the last 20 of the run's 100. */
#define TWO                                                                                        \
	"INSERT INTO windows VALUES (1, 1000000000, 1050000000, 'call'),"                          \
	" (2, 1080000000, NULL, 'signal')"

TEST_IN_FOLDER(test_recorded_time)
{
	struct trace *trace = load(TWO);

	assert_int_equal(trace->window_count, 2);
	assert_int_equal(trace_recorded_ns(trace, AT(-10)), 0);
	assert_int_equal(trace_recorded_ns(trace, AT(0)), 0);
	assert_int_equal(trace_recorded_ns(trace, AT(49)), 49 * MS);
	assert_int_equal(trace_recorded_ns(trace, AT(50)), 50 * MS);
	assert_int_equal(trace_recorded_ns(trace, AT(70)), 50 * MS);
	assert_int_equal(trace_recorded_ns(trace, AT(90)), 60 * MS);
	assert_int_equal(trace_recorded_ns(trace, AT(200)), 70 * MS);
	trace_close(trace);
}

static void check_clip(const struct trace *trace, int64_t start_ms, int64_t end_ms,
		       int64_t clipped_start_ms, int64_t clipped_end_ms)
{
	int64_t start_ns = AT(start_ms), end_ns = AT(end_ms);

	trace_clip_to_window(trace, &start_ns, &end_ns);
	assert_int_equal(start_ns, AT(clipped_start_ms));
	assert_int_equal(end_ns, AT(clipped_end_ms));
}

TEST_IN_FOLDER(test_clipped_spans)
{
	struct trace *trace = load(TWO);

	check_clip(trace, 10, 20, 10, 20);
	check_clip(trace, 40, 90, 40, 50);
	check_clip(trace, 60, 90, 80, 90);
	check_clip(trace, 60, 70, 80, 80);
	check_clip(trace, -10, 5, 0, 5);
	check_clip(trace, 95, 300, 95, 100);
	trace_close(trace);
}

TEST_IN_FOLDER(test_headline)
{
	struct trace *trace = load(TWO);
	struct analysis *analysis = analysis_run(trace);

	assert_int_equal(analysis->headline.wall_ns, 70 * MS);
	assert_int_equal(analysis->headline.origin_ns, AT(0));
	assert_int_equal(analysis->headline.busy_ns[ENGINE_COMPUTE], 50 * MS);
	assert_int_equal(analysis->headline.busy_ns[ENGINE_H2D], 20 * MS);
	assert_int_equal(analysis->headline.busy_ns[ENGINE_D2H], 10 * MS);
	assert_int_equal(analysis->headline.overlapped_ns, 20 * MS);
	assert_int_equal(analysis->headline.idle_ns, 10 * MS);
	assert_true(analysis->check.has_estimates);
	assert_int_equal(analysis->check.replayed_ns, 70 * MS);
	analysis_free(analysis);
	trace_close(trace);
}

/* As every run that was not paused. */
TEST_IN_FOLDER(test_a_whole_run_is_no_window)
{
	struct trace *trace = load("INSERT INTO windows VALUES (1, 990000000, NULL, 'start')");

	assert_int_equal(trace->window_count, 0);
	assert_int_equal(trace_recorded_ns(trace, 17), 17);
	trace_close(trace);
	trace = load("INSERT INTO windows VALUES (1, 990000000, 1050000000, 'start')");
	assert_int_equal(trace->window_count, 1);
	trace_close(trace);
}

/* Before its first call, and behind its last end, a window's time is the host's own. */
TEST_IN_FOLDER(test_a_window_is_replayed_whole)
{
	struct trace *trace =
		load("INSERT INTO windows VALUES (1, 990000000, 1900000000, 'start')");
	struct analysis *analysis = analysis_run(trace);

	assert_int_equal(analysis->headline.wall_ns, 910 * MS);
	assert_int_equal(analysis->check.replayed_ns, analysis->headline.wall_ns);
	assert_true(analysis->check.has_estimates);
	analysis_free(analysis);
	trace_close(trace);
}

static void check_refused(const char *windows)
{
	struct trace *trace;
	char *error = NULL;

	build_trace(path, "overlap.sql", windows);
	trace = trace_load(path, &error);
	assert_null(trace);
	assert_non_null(strstr(error, "windows"));
	free(error);
}

TEST_IN_FOLDER(test_wrong_windows)
{
	check_refused("INSERT INTO windows VALUES (1, 5, 4, 'call')");
	check_refused("INSERT INTO windows VALUES (1, 5, 9, 'call'), (2, 8, 10, 'call')");
	check_refused("INSERT INTO windows VALUES (1, 5, NULL, 'call'), (2, 8, 10, 'call')");
	check_refused("INSERT INTO windows VALUES (1, -1, NULL, 'call')");
}

/* The tables of schema 1000 have none. */
TEST_IN_FOLDER(test_an_older_trace)
{
	struct trace *trace = load("DROP TABLE windows; PRAGMA user_version = 1000");

	assert_int_equal(trace->window_count, 0);
	trace_close(trace);
}

/* Paused, and never woken. */
TEST_IN_FOLDER(test_nothing_was_wanted)
{
	struct trace *trace;
	struct analysis *analysis;
	bool is_said = false;
	char *error;

	build_trace(path, NULL, "INSERT INTO metadata VALUES ('start', 'paused')");
	trace = trace_load(path, &error);
	assert_non_null(trace);
	analysis = analysis_run(trace);
	for (size_t i = 0; i < analysis->not_seen.count; i++)
		is_said |= strstr(analysis->not_seen.items[i].why, "no window was opened") != NULL;
	assert_true(is_said);
	analysis_free(analysis);
	trace_close(trace);
}

/* What not_seen_collect() says of the device where each call gave this error. */
static void check_failure(const char *sql, const char *text, bool is_said)
{
	struct trace *trace = load(sql);
	struct analysis *analysis = analysis_run(trace);
	bool found = false;

	for (size_t i = 0; i < analysis->not_seen.count; i++)
		found |= strstr(analysis->not_seen.items[i].why, text) != NULL;
	assert_int_equal(found, is_said);
	analysis_free(analysis);
	trace_close(trace);
}

TEST_IN_FOLDER(test_no_call_succeeded)
{
	check_failure("DELETE FROM operations; UPDATE calls SET result = 35",
		      "no CUDA call succeeded (first: cudaLaunchKernel, error 35): ", true);
	check_failure("DELETE FROM operations; UPDATE calls SET result = 100", "no GPU", true);
	check_failure("DELETE FROM operations; UPDATE calls SET result = 100 WHERE id > 1",
		      "no CUDA call succeeded", false);
	check_failure("UPDATE calls SET result = 100", "no CUDA call succeeded", false);
	check_failure("DELETE FROM operations; UPDATE calls SET result = 700",
		      "no CUDA call succeeded (first: cudaLaunchKernel, error 700): "
		      "cudaErrorIllegalAddress",
		      true);
	check_failure("UPDATE operations SET start_ns = NULL; UPDATE calls SET result = 700",
		      "GPU records have no time: calls failed from cudaLaunchKernel on "
		      "(cudaErrorIllegalAddress)",
		      true);
	/* Not ready, which is an answer. */
	check_failure("DELETE FROM operations; UPDATE calls SET result = 600",
		      "no CUDA call succeeded", false);
}

RUN_TESTS(NULL, NULL)
