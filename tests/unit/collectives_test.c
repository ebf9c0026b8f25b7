/* Which kernel a collective has. */
#include "build_trace.h"
#include "cmocka_test.h"

#include "base/memory.h"
#include "render/html_things.h"
#include "trace/collectives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000

/* Lines 1, 2, ... launch a kernel each on stream 13, at 10, 20, ... ms for 1 ms; it runs 4 ms later for 5 ms.
 * All but the fourth are NCCL's. */
static const char launches[] =
	"INSERT INTO strings VALUES (20, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args');"
	"WITH RECURSIVE at(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM at WHERE n < 6)"
	"INSERT INTO operation (what, stream, line, enter, leave, start, end)"
	" SELECT 'kernel', 13, n, 10 * n, 10 * n + 1, 10 * n + 4, 10 * n + 9 FROM at;"
	"UPDATE operations SET name_id = 20 WHERE correlation_id <> 4;"
	"INSERT INTO communicators VALUES (3, '0123456789abcdef', 1, 2, 0, 1000000000, NULL),"
	" (5, NULL, NULL, NULL, NULL, NULL, 2000000000);";

#define COLLECTIVE_ROW(id, communicator, sequence, from, to, group)                                \
	"INSERT INTO collectives VALUES (" #id ", " #communicator ", " #sequence                   \
	", 1, 4096, 7, NULL, 1300, 100, 1000000000 + " #from " * 1000000, 1000000000 + " #to       \
	" * 1000000, " #group ", 7);"
#define GROUP_ROW(id, from, to)                                                                    \
	"INSERT INTO collective_groups VALUES (" #id ", 1000000000 + " #from                       \
	" * 1000000, 1000000000 + " #to " * 1000000);"

static struct trace *try_to_load(const char *sql, char **error)
{
	char *folder = make_folder(), path[256], *text;
	char *prelude = read_file(PRELUDE_FILE, NULL);
	struct trace *trace;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	text = memory_format("%s%s%s", prelude, launches, sql);
	build_trace(path, NULL, text);
	trace = trace_load(path, error);
	remove_folder(folder);
	free(folder);
	free(prelude);
	free(text);
	return trace;
}

static struct trace *load(const char *sql)
{
	char *error;
	struct trace *trace = try_to_load(sql, &error);

	if (!trace)
		fail_msg("%s", error);
	return trace;
}

/* By the ms at which it starts; -1: none. */
static int kernel_at(const struct trace *trace, size_t index)
{
	const size_t kernel = trace->collectives[index].kernel;

	return kernel == NO_KERNEL ? -1
				   : (int)((trace->operations[kernel].start_ns - 1000 * MS) / MS);
}

TEST(test_rows)
{
	struct trace *trace = load(COLLECTIVE_ROW(
		1, 3, 0, 9, 12,
		NULL) "INSERT INTO collectives VALUES (2, NULL, NULL, 9, 8, 1, 1, 0, 100,"
		      " 1005000000, 1005500000, NULL, NULL);");

	assert_int_equal(trace->communicator_count, 2);
	assert_string_equal(trace->communicators[0].unique_id, "0123456789abcdef");
	assert_int_equal(trace->communicators[0].rank, 1);
	assert_int_equal(trace->communicators[0].ranks, 2);
	assert_int_equal(trace->communicators[0].created_ns, 1000 * MS);
	assert_int_equal(trace->communicators[0].destroyed_ns, INT64_MAX);
	assert_null(trace->communicators[1].unique_id);
	assert_int_equal(trace->communicators[1].rank, -1);
	assert_int_equal(trace->communicators[1].device_id, TRACE_NO_DEVICE);
	assert_int_equal(trace->communicators[1].created_ns, 0);
	assert_int_equal(trace->collective_count, 2);
	assert_int_equal(trace->collectives[0].communicator, NO_COMMUNICATOR);
	assert_int_equal(trace->collectives[0].sequence, NO_SEQUENCE);
	assert_int_equal(trace->collectives[0].root_or_peer, 1);
	assert_string_equal(collective_word(trace->collectives[0].operation), "send");
	assert_true(collective_is_pairwise(trace->collectives[0].operation));
	assert_int_equal(trace->collectives[1].communicator, 0);
	assert_int_equal(trace->collectives[1].sequence, 0);
	assert_int_equal(trace->collectives[1].bytes, 4096);
	assert_int_equal(trace->collectives[1].root_or_peer, -1);
	assert_int_equal(trace->collectives[1].site->id, 7);
	assert_string_equal(collective_word(trace->collectives[1].operation), "all-reduce");
	assert_int_equal(trace_matched_collectives(trace), 1);
	trace_close(trace);
}

/* The kernel is the one that was launched in the call, by the same thread, and NCCL's. */
TEST(test_calls)
{
	struct trace *trace =
		load(COLLECTIVE_ROW(1, 3, 0, 9, 12, NULL) COLLECTIVE_ROW(2, 3, 1, 13, 19, NULL)
			     COLLECTIVE_ROW(3, 3, 2, 30, 31, NULL)
				     COLLECTIVE_ROW(4, 3, 3, 39, 42, NULL));
	int64_t enqueued_ns = trace->collectives[0].enqueued_ns;

	assert_int_equal(kernel_at(trace, 0), 14);
	assert_int_equal(trace->communicators[1].device_id, TRACE_NO_DEVICE);
	assert_int_equal(kernel_at(trace, 1), -1);
	assert_int_equal(kernel_at(trace, 2), 34);
	assert_int_equal(kernel_at(trace, 3), -1);
	assert_int_equal(enqueued_ns, 1012 * MS);
	assert_int_equal(trace_matched_collectives(trace), 2);
	trace_close(trace);
}

/* Of calls on another thread than that of the launches each has the kernel that came on its stream before the next
 * one; but not of a thread that calls, too. */
TEST(test_launched_elsewhere)
{
	struct trace *trace = load(
		COLLECTIVE_ROW(1, 3, 0, 9, 9, NULL) COLLECTIVE_ROW(2, 3, 1, 25, 25, NULL)
			COLLECTIVE_ROW(3, 3, 2, 27, 27, NULL) COLLECTIVE_ROW(
				4, 3, 2, 35, 35, NULL) "UPDATE collectives SET thread_id = 101;");

	assert_int_equal(kernel_at(trace, 0), 14);
	assert_int_equal(kernel_at(trace, 1), -1);
	assert_int_equal(kernel_at(trace, 2), 34);
	assert_int_equal(kernel_at(trace, 3), 54);
	trace_close(trace);
	trace = load(COLLECTIVE_ROW(
		1, 3, 0, 9, 9,
		NULL) "UPDATE collectives SET thread_id = 101, stream_handle = 1400;");
	assert_int_equal(kernel_at(trace, 0), -1);
	trace_close(trace);
	trace = load(COLLECTIVE_ROW(1, 3, 0, 9, 9, NULL) COLLECTIVE_ROW(
		2, 3, 1, 5, 6, NULL) "UPDATE collectives SET thread_id = 101 WHERE id = 1;");
	assert_int_equal(kernel_at(trace, 1), -1);
	trace_close(trace);
}

/* The kernel of a graph that was captured in a call and launched twice: two collectives, counted in turn with one
 * before and one after. */
TEST(test_graph)
{
	struct trace *trace =
		load("DELETE FROM operations; DELETE FROM calls;"
		     "INSERT INTO graph_of_a_chunk VALUES (0, 0, 30);"
		     "UPDATE operations SET name_id = 20 WHERE kind = 1;"
		     "UPDATE calls SET start_ns = start_ns + 1000000 * id, end_ns = end_ns + "
		     "1000000 * id;" COLLECTIVE_ROW(1, 3, 0, 1, 1, NULL) COLLECTIVE_ROW(
			     2, 3, 1, 2, 2, 7) COLLECTIVE_ROW(3, 3, 2, 2, 2, 7) GROUP_ROW(7, 2, 2)
			     COLLECTIVE_ROW(4, 3, 3, 8, 8,
					    NULL) "UPDATE collectives SET operation = 9, "
						  "root_or_peer = 1, sequence = 0 WHERE id = 3;");
	static const int64_t sequences[] = {0, 1, 0, 2, 1, 3};

	assert_int_equal(trace->collective_count, 6);
	for (size_t i = 0; i < 6; i++) {
		const struct trace_collective *collective = &trace->collectives[i];

		assert_int_equal(collective->sequence, sequences[i]);
		assert_int_equal(collective->is_replayed, i >= 1 && i <= 4);
		assert_int_equal(kernel_at(trace, i), i == 0 || i == 5 ? -1 : i <= 2 ? 10 : 80);
		if (collective->is_replayed)
			assert_int_equal(collective->start_ns, (i <= 2 ? 1005 : 1006) * MS);
	}
	trace_close(trace);
}

/* A launch that is known by a line of Python has it for its collective. */
TEST(test_site_of_launch)
{
	struct trace *trace = load(COLLECTIVE_ROW(
		1, 3, 0, 9, 12,
		NULL) "INSERT INTO python_frames VALUES (1, 0, 'train.py', 30, 'step');");

	assert_int_equal(trace->collectives[0].site->id, 1);
	assert_int_equal(trace->collectives[0].site->python_depth, 1);
	trace_close(trace);
}

/* Two calls of a group share the kernel that its end launched; of two kernels on their stream it is the last;
 * of the third group the end is not there. */
TEST(test_groups)
{
	struct trace *trace =
		load(COLLECTIVE_ROW(1, 3, 0, 1, 2, 7) COLLECTIVE_ROW(2, 3, 1, 3, 4, 7)
			     GROUP_ROW(7, 9, 12) COLLECTIVE_ROW(3, 3, 2, 15, 16, 8)
				     GROUP_ROW(8, 19, 35) COLLECTIVE_ROW(4, 3, 3, 49, 52, 9));

	assert_int_equal(kernel_at(trace, 0), 14);
	assert_int_equal(kernel_at(trace, 1), 14);
	assert_true(trace->collectives[1].is_grouped);
	assert_true(trace->collectives[1].enqueued_ns == 1012 * MS);
	assert_int_equal(kernel_at(trace, 2), 34);
	assert_int_equal(kernel_at(trace, 3), -1);
	trace_close(trace);
	/* Each has the kernel of its stream; one on a stream without any has the last one. */
	trace = load(COLLECTIVE_ROW(1, 3, 0, 1, 2, 7) COLLECTIVE_ROW(2, 5, 0, 3, 4, 7)
			     COLLECTIVE_ROW(3, 5, 1, 5, 6, 7) GROUP_ROW(
				     7, 9,
				     35) "UPDATE collectives SET stream_handle = 1400 WHERE id = 2;"
					 "UPDATE collectives SET stream_handle = 2300 WHERE id = 3;"
					 "UPDATE calls SET stream_handle = 1400 WHERE id = 2;");
	assert_int_equal(kernel_at(trace, 0), 34);
	assert_int_equal(kernel_at(trace, 1), 24);
	assert_int_equal(trace->communicators[1].device_id, 0);
	assert_int_equal(kernel_at(trace, 2), 34);
	trace_close(trace);
}

/* The timeline says what a kernel carries out: two that are alike but for that are two things. */
TEST(test_shown_in_timeline)
{
	struct trace *trace = load(COLLECTIVE_ROW(1, 3, 0, 9, 12, NULL) COLLECTIVE_ROW(
		2, 3, 1, 30, 31, NULL) "UPDATE collectives SET size_bytes = 8192 WHERE id = 2;");
	struct html_things things = {.trace = trace};
	json_t *rows;

	for (size_t i = 0; i < trace->operation_count; i++)
		html_operation_thing(&things, &trace->operations[i]);
	rows = html_things_take(&things);
	assert_int_equal(json_array_size(rows), 4);
	assert_memory_equal(json_string_value(json_array_get(json_array_get(rows, 0), 3)),
			    "all-reduce of 4.10 kB: ", 23);
	assert_memory_equal(json_string_value(json_array_get(json_array_get(rows, 2), 3)),
			    "all-reduce of 8.19 kB: ", 23);
	json_decref(rows);
	trace_close(trace);
}

static void check_refused(const char *sql, const char *expected)
{
	char *error;
	struct trace *trace = try_to_load(sql, &error);

	assert_null(trace);
	assert_non_null(strstr(error, expected));
	free(error);
}

TEST(test_damaged)
{
	check_refused(COLLECTIVE_ROW(1, 4, 0, 9, 12, NULL), "communicators has no row 4");
	check_refused(COLLECTIVE_ROW(1, 3, 0, 12, 9, NULL), "");
	check_refused(COLLECTIVE_ROW(1, 3, -1, 9, 12, NULL), "sequence");
	check_refused(COLLECTIVE_ROW(1, 3, 0, 9, 12, NULL) "UPDATE collectives SET operation = 11;",
		      "operation");
}

RUN_TESTS(NULL, NULL)
