/* Which NVTX ranges lie in which, and which of them a call lies in. */
#include "base/memory.h"
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The calls of overlap.sql begin at 1000, 1002, 1004, 1006 and 1008 ms, on thread 4711; the last operation ends
 * at 1100. */
#define RANGE(id, is_pushed, thread, from, to, name)                                               \
	"INSERT INTO nvtx_ranges VALUES (" #id ", " #is_pushed ", " #thread ", " #from             \
	" * 1000000, " #to " * 1000000, NULL, " #name ", NULL, NULL);"
#define NAMES                                                                                      \
	"INSERT INTO strings VALUES (101, 'a'), (102, 'b'), (103, 'c'), (104, 'd'), (105, 'e');"

static struct trace *load(const char *sql)
{
	char *error, *text = memory_format("%s%s", NAMES, sql);
	struct trace *trace;

	build_trace(path, "overlap.sql", text);
	free(text);
	trace = trace_load(path, &error);
	if (!trace)
		fail_msg("%s", error);
	return trace;
}

static const char *name_at(const struct trace *trace, size_t call)
{
	const struct trace_range *range = trace_range_of(trace, &trace->calls[call]);

	return range ? range->name : "none";
}

/* The names of all the ranges that the call lies in, the innermost first. */
static const char *path_of(const struct trace *trace, size_t index)
{
	static char text[64];
	const struct trace_call *call = &trace->calls[index];
	const struct trace_range *range = trace_range_of(trace, call);

	for (text[0] = '\0'; range; range = trace_range_around(trace, range, call))
		strcat(text, range->name);
	return text;
}

TEST_IN_FOLDER(test_nested)
{
	/* a holds b, c and d; d holds the fifth call. */
	struct trace *trace =
		load(RANGE(4, 1, 4711, 1008, 1009, 104) RANGE(1, 1, 4711, 999, 1010, 101)
			     RANGE(2, 1, 4711, 1002, 1003, 102) RANGE(3, 1, 4711, 1003, 1005, 103));

	assert_int_equal(trace->range_count, 4);
	assert_string_equal(name_at(trace, 0), "a");
	assert_string_equal(name_at(trace, 1), "b"); /* it begins when b does */
	assert_string_equal(name_at(trace, 2), "c");
	assert_string_equal(name_at(trace, 3), "a"); /* c has ended */
	assert_string_equal(path_of(trace, 4), "da");
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(trace->ranges[i].row, i > 0);
	assert_null(trace->ranges[0].outer);
	for (size_t i = 1; i < 4; i++)
		assert_ptr_equal(trace->ranges[i].outer, &trace->ranges[0]);
	trace_close(trace);
}

TEST_IN_FOLDER(test_of_one_begin_the_longest_is_the_outer_one)
{
	struct trace *trace = load(RANGE(1, 1, 4711, 1002, 1003, 101) RANGE(
		2, 1, 4711, 1002, 1009, 102) RANGE(3, 1, 4711, 1002, 1003, 103));

	assert_string_equal(path_of(trace, 1), "cab");
	trace_close(trace);
}

/* Ranges of two domains may end in any order. */
TEST_IN_FOLDER(test_overlapping)
{
	struct trace *trace = load(RANGE(1, 1, 4711, 1000, 1005, 101) RANGE(
		2, 1, 4711, 1001, 1007, 102) RANGE(3, 1, 4711, 1006, 1007, 103));

	assert_string_equal(path_of(trace, 0), "a");
	assert_string_equal(path_of(trace, 2), "ba");
	assert_string_equal(path_of(trace, 3), "cb");
	assert_string_equal(path_of(trace, 4), "");
	/* None is drawn over another one. */
	assert_int_equal(trace->ranges[1].row, 1);
	assert_int_equal(trace->ranges[2].row, 0);
	trace_close(trace);
}

TEST_IN_FOLDER(test_threads_and_started_ranges)
{
	struct trace *trace =
		load(RANGE(1, 0, 4711, 999, 1006, 101) RANGE(2, 0, 4711, 1001, 1005, 102)
			     RANGE(3, 1, 4711, 1002, 1003, 103) RANGE(4, 1, 12, 990, 1100, 104));

	assert_string_equal(path_of(trace, 0), "a");
	/* What was pushed is nearer than what was started. */
	assert_string_equal(path_of(trace, 1), "cba");
	assert_string_equal(path_of(trace, 2), "ba");
	assert_string_equal(path_of(trace, 3), "");
	trace_close(trace);
}

TEST_IN_FOLDER(test_an_open_range_ends_with_the_trace)
{
	struct trace *trace = load("INSERT INTO nvtx_ranges VALUES (1, 1, 4711, 1003000000, NULL, "
				   "NULL, NULL, 105, 4294967295);");

	assert_true(trace->ranges[0].is_open);
	assert_int_equal(trace->ranges[0].end_ns, 1100000000);
	assert_null(trace->ranges[0].name);
	assert_string_equal(trace->ranges[0].domain, "e");
	assert_true(trace->ranges[0].has_color && trace->ranges[0].color == UINT32_MAX);
	assert_null(trace_range_of(trace, &trace->calls[1]));
	assert_ptr_equal(trace_range_of(trace, &trace->calls[4]), trace->ranges);
	trace_close(trace);
}

static void check_refused(const char *sql, const char *reason)
{
	char *error;

	build_trace(path, "overlap.sql", sql);
	assert_null(trace_load(path, &error));
	assert_non_null(strstr(error, reason));
	free(error);
}

TEST_IN_FOLDER(test_damaged_rows_are_refused)
{
	check_refused(RANGE(1, 1, 4711, 1005, 1004, NULL), "it ends before it starts");
	check_refused(RANGE(1, 1, 4711, 1000, 1004, 999), "strings has no row 999");
	check_refused(RANGE(1, 2, 4711, 1000, 1004, NULL), "is_pushed");
}

/* Many ranges in each other, and many that never end: no pass is quadratic. */
TEST_IN_FOLDER(test_deep_traces_load)
{
	struct trace *trace =
		load("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
		     " WHERE i < 50000) INSERT INTO nvtx_ranges SELECT i, 1, 4711,"
		     " 900000000 + i, 1900000000 - i, NULL, 101, NULL, NULL FROM n;");

	assert_int_equal(trace->range_count, 50000);
	assert_int_equal(trace->ranges[49999].row, TRACE_RANGE_ROWS - 1);
	assert_int_equal(trace_range_of(trace, trace->calls)->id, 50000);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
