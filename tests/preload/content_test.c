/* The hashes of what copies carried, end to end on the stand-in device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

static void trace_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->err, "");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

/* Of the copies in order: 1 where all bytes were hashed, and the first copy with the same hash. */
static const char *hashes_of(struct run *run)
{
	return run_text(run, "WITH c AS (SELECT row_number() OVER (ORDER BY calls.id) AS i,"
			     " numbers & 0x7fffffff AS hash, numbers >> 31 AS whole FROM calls"
			     " JOIN functions f ON f.id = function_id WHERE class = 'copy')"
			     " SELECT group_concat(whole || ':' || (SELECT min(i) FROM c d"
			     " WHERE d.hash = c.hash), ' ') FROM (SELECT * FROM c ORDER BY i) c");
}

TEST_RUN(test_small_copies_are_hashed_whole)
{
	trace_scenario(run, "small", NULL);
	assert_string_equal(hashes_of(run), "1:1 1:1 1:3 1:1");
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 16777217"),
			 0);
}

/* All bytes only where the lines repeat twice, of the third, the fourth, the eighth: there the changed byte
 * between the lines shows. */
TEST_RUN(test_of_large_ones_all_where_lines_repeat)
{
	trace_scenario(run, "large", NULL);
	assert_string_equal(hashes_of(run), "0:1 0:1 1:3 1:3 0:1 0:1 0:1 1:8 0:9 0:9 1:11 1:11");
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads WHERE kind = 16777217"
					 " AND end_ns >= start_ns"),
			 5);
	/* They are not in the cost of a call. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM overheads o JOIN calls c"
					 " ON o.kind = 16777217 AND o.start_ns < c.end_ns"
					 " AND o.end_ns > c.start_ns"),
			 0);
}

/* 3, 2 behind each of 1, 3, 7, 15, 31 that are left out, ...; of the same ones all from the second on. */
TEST_RUN(test_what_is_always_new_is_left_out)
{
	trace_scenario(run, "fresh", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM (SELECT numbers FROM calls JOIN"
					 " functions f ON f.id = function_id WHERE class = 'copy'"
					 " ORDER BY calls.id LIMIT 300) WHERE numbers IS NOT NULL"),
			 20);
	assert_int_equal(run_number(run, "SELECT count(*) FROM (SELECT numbers FROM calls JOIN"
					 " functions f ON f.id = function_id WHERE class = 'copy'"
					 " ORDER BY calls.id LIMIT 100 OFFSET 300)"
					 " WHERE numbers IS NOT NULL"),
			 71);
}

TEST_RUN(test_whole_hashes_have_their_share)
{
	trace_scenario(run, "share", NULL);
	assert_string_equal(hashes_of(run), "0:1 0:1 0:1 0:1 0:1 0:1");
}

/* The first round says that it comes back: then all of it is hashed both ways. */
TEST_RUN(test_what_comes_back)
{
	trace_scenario(run, "back", NULL);
	assert_string_equal(hashes_of(run), "0:1 0:1 0:1 0:4 1:5 1:5 0:7 1:8 1:8");
}

/* Only where the thread's first call that says something of the copy has waited for it. */
TEST_RUN(test_what_was_awaited_comes_back)
{
	trace_scenario(run, "awaited", NULL);
	assert_string_equal(run_text(run, "SELECT group_concat(is_back, ' ') FROM (SELECT"
					  " ifnull(object = numbers, 0) AS is_back FROM calls"
					  " JOIN functions f ON f.id = function_id"
					  " WHERE f.name = 'cudaMemcpyAsync' AND copy_kind = 1"
					  " ORDER BY calls.id)"),
			    "1 1 0 0 0 0 0 0 0");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE copy_kind = 1"
					 " AND numbers IS NULL"),
			 0);
	/* The call that copies to pageable memory waits. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE copy_kind = 2"
					 " AND numbers IS NOT NULL"),
			 1);
}

TEST_RUN(test_what_is_not_the_hosts_or_too_small)
{
	trace_scenario(run, "none", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE numbers IS NOT NULL"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls JOIN functions f"
					 " ON f.id = function_id WHERE class = 'copy'"),
			 14);
}

TEST_RUN(test_new_memory_is_asked_about)
{
	trace_scenario(run, "places", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE numbers IS NOT NULL"),
			 1);
}

TEST_RUN(test_what_is_no_longer_pinned_is_asked_about)
{
	trace_scenario(run, "no-longer-pinned", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE copy_kind = 2"
					 " AND numbers IS NOT NULL"),
			 1);
}

TEST_RUN(test_what_is_read_is_not_taken_away)
{
	trace_scenario(run, "freed-beside", NULL);
}

TEST_RUN(test_what_goes_with_its_context_is_not_read)
{
	trace_scenario(run, "context-ends", NULL);
}

TEST_RUN(test_off)
{
	static const char *const off[] = {"STREAMTRACE_CONTENT=0", NULL};

	trace_scenario(run, "small", off);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE numbers IS NOT NULL"),
			 0);
}

RUN_TESTS_BESIDE()
