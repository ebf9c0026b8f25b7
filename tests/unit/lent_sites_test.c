/* Python's lines for a framework's own thread. */
#include "build_trace.h"
#include "cmocka_test.h"

#include "base/memory.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>

enum { TURN = 8 };

/* Thread 100 makes eight calls from train.py:30, 101 eight from PyTorch's library, and so on with
 * line 31: one a ms, of half a ms. */
static const char rows[] =
	"INSERT INTO threads VALUES (101, 'pt_autograd_0');"
	"INSERT INTO modules VALUES (9, '/usr/lib/libtorch_cuda.so', NULL);"
	"INSERT INTO metadata VALUES ('python', '3.12');"
	"UPDATE frames SET module_id = 9, file = NULL, line = NULL;"
	"INSERT INTO python_frames VALUES (10, 0, 'train.py', 30, 'step'),"
	" (11, 0, 'train.py', 31, 'step');"
	"WITH RECURSIVE at(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM at WHERE n < 31)"
	"INSERT INTO call (function, line, enter, leave)"
	" SELECT '__cudaLaunchKernel', CASE n / 8 WHEN 0 THEN 10 WHEN 2 THEN 11 ELSE 12 END, n, n "
	"+ "
	"0.5"
	" FROM at;"
	"UPDATE calls SET thread_id = 101 WHERE site_id = 12;";

static struct trace *load(const char *change)
{
	char *folder = make_folder(), path[256], *sql, *error;
	char *prelude = read_file(PRELUDE_FILE, NULL);
	struct trace *trace;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	sql = memory_format("%s%s%s", prelude, rows, change);
	build_trace(path, NULL, sql);
	trace = trace_load(path, &error);
	assert_non_null(trace);
	remove_folder(folder);
	free(folder);
	free(prelude);
	free(sql);
	return trace;
}

static struct site site_at(const struct trace *trace, size_t call)
{
	return site_describe(trace, trace->calls[call].form->site, NULL);
}

/* In each turn of the other thread the line is that of Python's last call. */
TEST(test_turns)
{
	struct trace *trace = load("");

	assert_int_equal(trace->call_count, 4 * TURN);
	for (size_t i = 0; i < trace->call_count; i++) {
		struct site site = site_at(trace, i);

		assert_true(site.is_python);
		assert_string_equal(site.file, "train.py");
		assert_int_equal(site.line, i < (size_t)2 * TURN ? 30 : 31);
		assert_int_equal(site.framework, FRAMEWORK_PYTORCH);
		assert_string_equal(site.through, "/usr/lib/libtorch_cuda.so");
	}
	/* Its own frames stay. */
	assert_int_equal(trace->calls[TURN].form->site->frames[0].offset, 12);
	assert_int_equal(trace->calls[TURN].form->site->id, 12);
	trace_close(trace);
}

/* A third thread that only asks for an event, while the others are in calls, is not one of them. */
TEST(test_watcher)
{
	struct trace *trace =
		load("INSERT INTO functions VALUES (60, 'cudaEventQuery', 'event-query');"
		     "INSERT INTO threads VALUES (102, 'pt_nccl_watchdg');"
		     "INSERT INTO call (function, line, enter, leave) VALUES"
		     " ('cudaEventQuery', 12, 3.2, 3.4), ('cudaEventQuery', 12, 9.2, 9.9);"
		     "UPDATE calls SET thread_id = 102 WHERE id > 32;");

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (call->form->thread_id == 102)
			assert_int_equal(call->form->site->python_depth, 0);
		else
			assert_true(site_at(trace, i).is_python);
	}
	trace_close(trace);
}

static void check_not_lent(const char *change)
{
	struct trace *trace = load(change);

	assert_int_equal(trace->calls[0].form->site->python_depth, 1);
	assert_int_equal(trace->calls[TURN].form->site->python_depth, 0);
	assert_false(site_at(trace, TURN).is_python);
	trace_close(trace);
}

TEST(test_others_have_no_line)
{
	/* Both threads in a call at once: the one need not wait for the other. */
	check_not_lent("UPDATE calls SET end_ns = end_ns + 1000000 WHERE id = 8");
	/* A library that is no framework's. */
	check_not_lent("UPDATE modules SET path = '/usr/lib/libsolver.so' WHERE id = 9");
	/* A thread that runs Python, too. */
	check_not_lent("UPDATE calls SET thread_id = 101 WHERE id = 25;"
		       "INSERT INTO call_sites VALUES (200, 0);"
		       "INSERT INTO python_frames VALUES (200, 0, 'load.py', 5, 'read');"
		       "UPDATE calls SET site_id = 200 WHERE id = 25");
}

RUN_TESTS(NULL, NULL)
