/* NCCL's calls: what is recorded of them, and that the program does as it does untraced. */
#include "cmocka_test.h"
#include "preload_run.h"
#include "tests_beside.h"

#include <stdio.h>
#include <string.h>

static void run_and_compare(struct run *run, const char *program, const char *argument)
{
	struct run untraced;

	run_start(&untraced, program, argument, false, NULL);
	assert_int_equal(untraced.status, 0);
	run_start(run, program, argument, true, NULL);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->out, untraced.out);
	assert_string_equal(run->err, "");
	run_end(&untraced);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

/* Of each, in order: communicator, number, operation. */
static const char *all_collectives(struct run *run)
{
	return run_text(run, "SELECT group_concat(communicator_id || ':' || sequence || ' ' || "
			     "operation, ',') FROM (SELECT * FROM collectives ORDER BY start_ns)");
}

/* Collectives with a kernel's launch in their call or in the end of their group. */
static int64_t matched(struct run *run)
{
	return run_number(
		run, "SELECT count(*) FROM collectives c LEFT JOIN collective_groups g ON g.id = "
		     "c.group_id "
		     "WHERE EXISTS (SELECT 1 FROM calls l JOIN operations o USING (correlation_id) "
		     "JOIN strings s ON s.id = o.name_id AND s.text LIKE 'ncclDevKernel%%' "
		     "WHERE l.thread_id = c.thread_id AND l.start_ns "
		     "BETWEEN coalesce(g.start_ns, c.start_ns) AND coalesce(g.end_ns, c.end_ns))");
}

static void check_calls(struct run *run)
{
	assert_string_equal(all_collectives(run),
			    "1:0 1,1:1 2,1:2 2,1:3 3,1:4 4,1:5 5,1:6 6,1:7 7,1:8 8,"
			    "1:0 9,1:0 10,1:0 9,1:1 9,1:9 1");
	assert_string_equal(
		run_text(run,
			 "SELECT group_concat(size_bytes || ' ' || datatype || ' ' || "
			 "coalesce(root_or_peer, '-'), ',') FROM (SELECT * FROM collectives ORDER "
			 "BY start_ns LIMIT 10)"),
		"4000 7 -,64 8 3,8 0 1,16 6 0,32 7 -,32 7 -,32 7 -,32 7 2,32 7 2,32 7 1");
	assert_string_equal(run_text(run,
				     "SELECT length(unique_id) || ' ' || rank || ' ' || ranks || ' "
				     "' || device_id"
				     " || ' ' || (created_ns < destroyed_ns) FROM communicators"),
			    "16 2 4 0 1");
	assert_int_equal(matched(run), 14);
	assert_int_equal(run_number(run, "SELECT count(*) FROM collectives WHERE site_id IS NULL"),
			 0);
}

TEST_RUN(test_calls)
{
	run_and_compare(run, APP_PATH, "calls");
	check_calls(run);
	/* The innermost frame is the program's. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM collectives JOIN frames USING (site_id) "
				    "JOIN modules ON modules.id = module_id "
				    "WHERE depth = 0 AND path LIKE '%%/nccl_app'"),
			 14);
}

/* A library that was loaded with a scope of its own, and NCCL with it, or in it. */
TEST(test_plugin)
{
	struct run run;

	run_and_compare(&run, HOST_PATH, PLUGIN_PATH);
	check_calls(&run);
	run_end(&run);
	run_and_compare(&run, HOST_PATH, PLUGIN_OWN_PATH);
	check_calls(&run);
	run_end(&run);
}

/* Its place is the next one's, which has another NCCL. */
TEST(test_closed_plugin)
{
	struct run untraced, run;

	run_start(&untraced, CLOSED_PATH, NULL, false, NULL);
	run_start(&run, CLOSED_PATH, NULL, true, NULL);
	assert_non_null(strstr(run.out, "2\nclosed\n"));
	assert_string_equal(run.out, untraced.out);
	assert_string_equal(run.err, "");
	run_end(&untraced);
	run_end(&run);
}

TEST_RUN(test_handle_is_used_again)
{
	run_and_compare(run, APP_PATH, "handles");
	assert_non_null(strstr(run->out, "same 1"));
	assert_string_equal(all_collectives(run), "1:0 1,2:0 1,2:1 1");
	assert_string_equal(
		run_text(run, "SELECT group_concat(id || ' ' || rank) FROM communicators"),
		"1 0,2 1");
	assert_int_equal(run_number(run, "SELECT count(DISTINCT unique_id) FROM communicators "
					 "WHERE destroyed_ns > created_ns"),
			 2);
}

/* The same unique id in another process, and another one for each split. */
TEST(test_unique_ids)
{
	struct run run, again;

	run_and_compare(&run, APP_PATH, "splits");
	run_and_compare(&again, APP_PATH, "splits");
	assert_string_equal(all_collectives(&run), "2:0 1,3:0 1,1:0 1");
	assert_string_equal(
		run_text(&run, "SELECT group_concat(rank || ' ' || ranks) FROM communicators"),
		"1 4,0 4,0 4");
	assert_int_equal(run_number(&run, "SELECT count(DISTINCT unique_id) FROM communicators"),
			 3);
	for (int i = 1; i <= 3; i++) {
		char first[32];

		snprintf(first, sizeof(first), "%s",
			 run_text(&run, "SELECT unique_id FROM communicators WHERE id = %d", i));
		assert_string_equal(
			first,
			run_text(&again, "SELECT unique_id FROM communicators WHERE id = %d", i));
	}
	run_end(&run);
	run_end(&again);
}

TEST_RUN(test_groups)
{
	run_and_compare(run, APP_PATH, "groups");
	assert_string_equal(
		run_text(run, "SELECT group_concat(communicator_id || ':' || sequence || ' ' "
			      "|| coalesce(group_id, '-'), ',') FROM (SELECT * FROM "
			      "collectives ORDER BY start_ns)"),
		"1:0 1,1:1 1,2:0 1,2:1 -,2:0 2,2:0 2");
	assert_int_equal(run_number(run, "SELECT count(*) FROM collective_groups"), 2);
	assert_int_equal(matched(run), 6);
}

TEST_RUN(test_failed_group)
{
	run_and_compare(run, APP_PATH, "failed-group");
	assert_string_equal(
		run_text(run, "SELECT group_concat(sequence || ' ' || group_id, ',') FROM (SELECT "
			      "* FROM collectives ORDER BY start_ns)"),
		"0 1,1 2");
	assert_string_equal(run_text(run, "SELECT group_concat(id) FROM collective_groups"), "2");
}

TEST_RUN(test_jump_out_of_a_call)
{
	run_and_compare(run, APP_PATH, "jump");
	assert_string_equal(all_collectives(run), "1:0 1,1:1 1");
}

TEST_RUN(test_threads)
{
	run_start(run, APP_PATH, "threads", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM collectives"), 4000);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM (SELECT 1 FROM collectives GROUP BY "
				    "communicator_id HAVING count(DISTINCT sequence) = 1000 AND "
				    "max(sequence) = 999 AND count(DISTINCT thread_id) = 1)"),
			 4);
	assert_int_equal(matched(run), 4000);
}

/* What is not there is counted, and the others keep their numbers. */
TEST_RUN(test_many)
{
	enum { MANY = 300001 };
	int64_t rows, lost;

	run_start(run, APP_PATH, "many", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	rows = run_number(run, "SELECT count(DISTINCT sequence) FROM collectives");
	lost = run_number(run, "SELECT coalesce(sum(count), 0) FROM losses");
	assert_true(rows <= MANY && rows + lost >= MANY);
	assert_int_equal(run_number(run, "SELECT max(sequence) FROM collectives"), MANY - 1);
}

TEST_RUN(test_many_peers)
{
	int64_t counted;

	run_start(run, APP_PATH, "peers", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	counted = run_number(run, "SELECT count(sequence) FROM collectives");
	assert_in_range(counted, 60000, 65536);
	assert_true(run_number(run, "SELECT sum(count) FROM losses WHERE kind = "
				    "'collective-lost'") >= 70000 - counted);
}

TEST_RUN(test_fork)
{
	run_and_compare(run, APP_PATH, "fork");
	assert_string_equal(all_collectives(run), "1:0 1,1:1 1,1:2 1");
	assert_int_equal(run_number(run, "SELECT count(*) FROM communicators"), 1);
	assert_int_equal(run_file_count(run), 2);
}

/* A communicator that is not ready is not asked for anything. */
TEST_RUN(test_in_progress)
{
	run_and_compare(run, APP_PATH, "in-progress");
	assert_string_equal(all_collectives(run), "1:0 1,1:1 1,1:2 1,2:0 1");
	assert_string_equal(run_text(run, "SELECT group_concat(rank || ' ' || ranks || ' ' || "
					  "coalesce(device_id, '-'), ',') FROM communicators"),
			    "1 2 0,1 2 -");
}

TEST_RUN(test_init_all)
{
	run_and_compare(run, APP_PATH, "all");
	assert_string_equal(
		run_text(run, "SELECT group_concat(rank || ' ' || ranks) FROM communicators"),
		"0 2,1 2");
	assert_int_equal(run_number(run, "SELECT count(DISTINCT unique_id) FROM communicators"), 1);
	assert_int_equal(matched(run), 2);
}

TEST_RUN(test_windows)
{
	run_and_compare(run, APP_PATH, "windows");
	assert_string_equal(all_collectives(run), "1:0 1,2:1 1");
	assert_int_equal(run_number(run, "SELECT count(*) FROM communicators WHERE id = 1 AND "
					 "destroyed_ns > created_ns OR id = 2 AND rank = 0"),
			 2);
}

/* What its rank is it says itself. */
TEST_RUN(test_unknown_communicator)
{
	run_and_compare(run, APP_PATH, "by-name");
	assert_string_equal(all_collectives(run), "1:0 1,1:1 1");
	assert_string_equal(run_text(run,
				     "SELECT rank || ' ' || ranks || ' ' || device_id || ' ' || "
				     "(unique_id IS NULL AND created_ns IS NULL) FROM "
				     "communicators"),
			    "0 4 0 1");
}

RUN_TESTS_BESIDE()
