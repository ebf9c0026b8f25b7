/* The pointers that launches give their kernels, end to end on the stand-in device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

static void trace_scenario(struct run *run, const char *scenario)
{
	run_start(run, APP_PATH, scenario, true, NULL);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->err, "");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_string_equal(
		run_text(run, "SELECT value FROM metadata WHERE key = 'launch_arguments'"), "on");
}

static void read_addresses(const struct run *run, long long *addresses)
{
	assert_int_equal(sscanf(run->out, "%lld %lld", &addresses[0], &addresses[1]), 2);
}

TEST_RUN(test_a_set_is_stored_once)
{
	long long at[2];

	trace_scenario(run, "pointers");
	read_addresses(run, at);
	assert_string_equal(run_text(run, "SELECT group_concat(arguments_id) FROM named_calls n"
					  " JOIN calls USING (id) WHERE n.class = 'launch'"),
			    "1,1,1,2,1");
	/* The time and the count are no pointers. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM launch_arguments"), 4);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM launch_arguments WHERE offset_bytes = 0"
				    " AND (id, position, parameter, address) IN (VALUES"
				    " (1, 0, 2, %lld), (1, 1, 3, %lld),"
				    " (2, 0, 2, %lld), (2, 1, 3, %lld))",
				    at[0], at[1], at[1], at[0] + 64),
			 4);
}

TEST_RUN(test_a_struct_holds_pointers)
{
	long long at[2];

	trace_scenario(run, "struct");
	read_addresses(run, at);
	assert_int_equal(run_number(run, "SELECT count(*) FROM launch_arguments"), 2);
	assert_int_equal(
		run_number(run,
			   "SELECT count(*) FROM launch_arguments WHERE parameter = 1"
			   " AND (offset_bytes, address) IN (VALUES (8, %lld), (24, %lld))",
			   at[0], at[1]),
		2);
}

TEST_RUN(test_numbers_are_told_apart)
{
	trace_scenario(run, "numbers");
	assert_string_equal(run_text(run,
				     "SELECT group_concat(numbers = first) FROM (SELECT numbers,"
				     " first_value(numbers) OVER (ORDER BY id) first"
				     " FROM (SELECT calls.id, numbers FROM calls JOIN functions f"
				     " ON f.id = function_id WHERE class = 'launch'"
				     " ORDER BY calls.id LIMIT 4))"),
			    "1,1,0,1");
	assert_string_equal(run_text(run,
				     "SELECT group_concat(numbers = first) FROM (SELECT numbers,"
				     " first_value(numbers) OVER (ORDER BY id) first"
				     " FROM (SELECT calls.id, numbers FROM calls JOIN functions f"
				     " ON f.id = function_id WHERE class = 'launch'"
				     " ORDER BY calls.id LIMIT 4 OFFSET 4))"),
			    "1,1,1,1");
	/* A kernel without parameters, and what is no launch. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE numbers IS NOT NULL"),
			 8);
}

TEST_RUN(test_no_pointers_no_set)
{
	trace_scenario(run, "none");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"
					 " WHERE arguments_id IS NOT NULL"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM launch_arguments"), 0);
	/* Of the numbers alone all is known. */
	assert_string_equal(run_text(run,
				     "SELECT group_concat(numbers IS NOT NULL) FROM named_calls n"
				     " JOIN calls USING (id) WHERE n.class = 'launch'"),
			    "1,0,0");
}

/* The address of no known memory is kept, as it is none of NULL. */
TEST_RUN(test_null_is_told_from_other_memory)
{
	trace_scenario(run, "null");
	assert_string_equal(run_text(run, "SELECT group_concat(coalesce(arguments_id, 0)) FROM"
					  " named_calls n JOIN calls USING (id)"
					  " WHERE n.class = 'launch'"),
			    "0,1,0,0,2");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE numbers IS NOT NULL"),
			 5);
	assert_int_equal(run_number(run, "SELECT count(*) FROM launch_arguments WHERE"
					 " (id, parameter, address) IN (VALUES"
					 " (1, 1, 20015998341120), (2, 2, 4294967296))"),
			 2);
}

TEST_RUN(test_every_kind_of_launch)
{
	trace_scenario(run, "entry-points");
	assert_string_equal(run_text(run, "SELECT group_concat(name) FROM named_calls"
					  " JOIN calls USING (id) WHERE arguments_id = 1"),
			    "cudaLaunchKernel,cudaLaunchKernelExC,cudaLaunchCooperativeKernel");
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls"
					 " WHERE arguments_id IS NOT NULL"),
			 3);
}

RUN_TESTS(NULL, NULL)
