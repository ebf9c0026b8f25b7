#include "build_trace.h"
#include "cmocka_test.h"
#include "trace/database.h"
#include "trace/site.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS 1000000LL

static char *folder, path[256];

static struct trace *load(void)
{
	char *error = NULL;
	struct trace *trace = trace_load(path, &error);

	if (error)
		fail_msg("%s", error);
	return trace;
}

static int set_up(void **state)
{
	folder = make_folder();
	chmod(folder, 0755);
	snprintf(path, sizeof(path), "%s/odd ?#%%.db", folder);
	return 0;
}

static int tear_down(void **state)
{
	remove_folder(folder);
	free(folder);
	return 0;
}

TEST_WITH(test_calls_and_operations, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql", NULL);
	trace = load();
	assert_int_equal(trace->schema_version, FORMAT_VERSION);
	assert_int_equal(trace->call_count, 5);
	assert_int_equal(trace->operation_count, 3);
	assert_int_equal(trace->matched_operations, 3);
	/* Sorted: the kernel started first, though its row is the second. */
	assert_string_equal(trace->operations[0].form->name, "_Z4stepPf");
	assert_ptr_equal(trace->operations[0].call, &trace->calls[0]);
	assert_ptr_equal(trace->calls[0].operation, &trace->operations[0]);
	assert_int_equal(trace->operations[1].form->engine, ENGINE_H2D);
	assert_int_equal(trace->operations[2].form->engine, ENGINE_D2H);
	assert_ptr_equal(trace->operations[2].call, &trace->calls[4]);
	assert_int_equal(trace->operations[0].form->stream->handle, 4096);
	assert_int_equal(trace->calls[0].form->function->class, CLASS_LAUNCH);
	assert_int_equal(trace->calls[1].form->size_bytes, 1000000);
	assert_null(trace->calls[2].form->site);
	assert_int_equal(trace->calls[1].form->site->frames[0].line, 13);
	assert_string_equal(trace_metadata(trace, "cupti"), "on");
	assert_null(trace_metadata(trace, "no such key"));
	trace_close(trace);
}

TEST_WITH(test_site, set_up, tear_down)
{
	struct trace *trace;
	struct site site;

	build_trace(path, "overlap.sql", NULL);
	trace = load();
	site = site_describe(trace, trace->calls[0].form->site, "_Z4stepPf");
	assert_string_equal(site.function, "run(float*)");
	assert_ptr_equal(site.function,
			 site_describe(trace, trace->calls[0].form->site, NULL).function);
	assert_int_equal(site.line, 12);
	assert_null(site_describe(trace, NULL, NULL).module);
	trace_close(trace);
}

/* Costs are of a call: those of none are not taken. */
TEST_WITH(test_tool_costs, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql",
		    "INSERT INTO tool_costs VALUES ('copy', 0, 2, 600, 200, 100),"
		    " ('free', 0, 0, 500, 0, 0);");
	trace = load();
	assert_int_equal(trace->tool_cost_count, 1);
	assert_int_equal(trace->tool_costs[0].class, CLASS_COPY);
	assert_int_equal(trace->tool_costs[0].calls, 2);
	trace_close(trace);
}

/* A thread of PyTorch's own: the framework is told if Python runs in the program. */
TEST_WITH(test_thread_of_a_framework, set_up, tear_down)
{
	const char *sql = "INSERT INTO modules (id, path) VALUES (50, '/usr/lib/libtorch_cuda.so');"
			  "INSERT INTO call_sites VALUES (50, 1);"
			  "INSERT INTO frames (site_id, depth, module_id, offset) VALUES"
			  " (50, 0, 50, 16)";
	struct trace *trace;

	build_trace(path, "overlap.sql", sql);
	trace = load();
	assert_int_equal(site_describe(trace, &trace->sites[trace->site_count - 1], NULL).framework,
			 FRAMEWORK_NONE);
	trace_close(trace);
	change_trace(path, "INSERT INTO metadata VALUES ('python', 'on: 3.12.3')");
	trace = load();
	assert_int_equal(site_describe(trace, &trace->sites[trace->site_count - 1], NULL).framework,
			 FRAMEWORK_PYTORCH);
	assert_int_equal(site_describe(trace, trace->calls[0].form->site, NULL).framework,
			 FRAMEWORK_NONE);
	trace_close(trace);
}

/* What was resolved stands in the file, for a machine without the program. */
TEST_WITH(test_stored_sites, set_up, tear_down)
{
	char *error = NULL;
	struct trace *trace;
	struct site site;

	build_trace(path, "overlap.sql",
		    "UPDATE frames SET through = '_ZN6thrust6reduceIfEEvv', is_library = 0;"
		    "INSERT INTO call_sites VALUES (50, 2);"
		    "INSERT INTO frames VALUES"
		    " (50, 0, 1, 16, '_ZN3cub4syncEv', '/usr/include/cub.h', 9, NULL, 1),"
		    " (50, 1, 1, 32, 'main', '/home/user/app.cu', 84, NULL, 0)");
	trace = load();
	assert_int_equal(trace_store_sites(trace, &error), 0);
	trace_close(trace);
	trace = load();
	site = site_describe(trace, trace->calls[0].form->site, NULL);
	assert_string_equal(site.through_function, "_ZN6thrust6reduceIfEEvv");
	site = site_describe(trace, &trace->sites[trace->site_count - 1], NULL);
	assert_int_equal(site.line, 84);
	assert_string_equal(site.through_function, "_ZN3cub4syncEv");
	trace_close(trace);
	/* As a trace of format 1.3. */
	change_trace(path, "DROP VIEW top_sites; ALTER TABLE frames DROP COLUMN through;"
			   "ALTER TABLE frames DROP COLUMN is_library;"
			   "PRAGMA user_version = 1003");
	trace = load();
	site = site_describe(trace, &trace->sites[trace->site_count - 1], NULL);
	assert_int_equal(site.line, 9);
	trace_close(trace);
}

/* A module is a library or not, and Python's frames come with the site. */
TEST_WITH(test_libraries_and_python, set_up, tear_down)
{
	const struct trace_site *site;
	struct trace *trace;

	build_trace(path, "overlap.sql",
		    "INSERT INTO modules (id, path) VALUES (50, '/usr/lib/libcublas.so.13');"
		    "INSERT INTO call_sites VALUES (50, 2);"
		    "INSERT INTO frames (site_id, depth, module_id, offset) VALUES"
		    " (50, 0, 50, 16), (50, 1, 1, 32);"
		    "INSERT INTO python_frames VALUES (50, 1, 'a.py', NULL, '<module>'),"
		    " (50, 0, 'a.py', 3, 'f')");
	trace = load();
	site = &trace->sites[trace->site_count - 1];
	assert_true(site->frames[0].is_library);
	assert_false(site->frames[1].is_library);
	assert_int_equal(site->python_depth, 2);
	assert_string_equal(site->python_frames[0].function, "f");
	assert_int_equal(site->python_frames[0].line, 3);
	assert_int_equal(site->python_frames[1].line, 0);
	assert_int_equal(trace->sites[0].python_depth, 0);
	trace_close(trace);
	/* As a trace of schema 1.0. */
	change_trace(path, "DROP TABLE python_frames");
	trace = load();
	assert_int_equal(trace->sites[trace->site_count - 1].python_depth, 0);
	trace_close(trace);
}

/* Rows in no order of time, and calls of several threads: places change, joins do not. */
TEST_WITH(test_unsorted_rows, set_up, tear_down)
{
	struct trace *trace;

	build_trace(
		path, "overlap.sql",
		"UPDATE calls SET start_ns = start_ns - 900000000 * (id = 5), end_ns = end_ns - "
		"900000000 * (id = 5); INSERT INTO correlations VALUES (16, 5);"
		"INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, "
		"stream_id, correlation_id) VALUES (4, 3, 500, 600, 0, 1, 13, 16)");
	trace = load();
	assert_int_equal(trace->calls[0].start_ns, 108 * MS);
	assert_int_equal(trace->calls[1].start_ns, 1000 * MS);
	assert_int_equal(trace->operations[0].form->kind, OPERATION_SET);
	assert_int_equal(trace->operations[0].form->engine, ENGINE_COMPUTE);
	assert_ptr_equal(trace->operations[0].call, &trace->calls[0]);
	assert_ptr_equal(trace->operations[3].call, &trace->calls[0]);
	assert_ptr_equal(trace->calls[0].operation, &trace->operations[0]);
	assert_ptr_equal(trace->operations[1].call, &trace->calls[1]);
	trace_close(trace);
}

/* Through two clones to the call that was captured, which moves to the front when it is sorted;
 * round in a circle to nothing. */
TEST_WITH(test_graph_nodes, set_up, tear_down)
{
	struct trace *trace;

	build_trace(
		path, "overlap.sql",
		"UPDATE calls SET start_ns = start_ns - 900000000 * (id = 5), end_ns = end_ns - "
		"900000000 * (id = 5);"
		"UPDATE operations SET graph_node_id = 12884901889 WHERE id = 2;"
		"UPDATE operations SET graph_node_id = 6 WHERE id = 1;"
		"UPDATE operations SET graph_node_id = 7 WHERE id = 3;"
		"INSERT INTO graph_nodes VALUES (12884901889, 8589934593, 3, 0, 4), "
		"(8589934593, 4294967297, 2, 0, 3), (4294967297, NULL, 1, 0, 5), "
		"(5, 6, 1, 0, 3), (6, 5, 1, 0, 3)");
	trace = load();
	assert_int_equal(trace->operations[0].form->kind, OPERATION_KERNEL);
	assert_ptr_equal(trace->operations[0].form->node_call, &trace->calls[0]);
	assert_ptr_equal(trace->operations[0].call, &trace->calls[1]);
	assert_null(trace->operations[1].form->node_call);
	assert_null(trace->operations[2].form->node_call);
	trace_close(trace);
}

/* The operations' nodes are clones of those with the edges; a node of an operation can have none. */
TEST_WITH(test_graph_edges, set_up, tear_down)
{
	const struct trace_graph_node *first, *last;
	struct trace *trace;

	build_trace(
		path, "overlap.sql",
		"INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (1, NULL, 1, 0),"
		" (2, NULL, 1, 0), (3, NULL, 1, 0), (11, 1, 2, 0), (12, 2, 2, 0), (5, 6, 1, 0),"
		" (6, 5, 1, 0);"
		"INSERT INTO graph_edges VALUES (1, 2, 0, 0), (3, 2, 1, 2), (1, 3, 256, 0);"
		"UPDATE operations SET graph_node_id = 12 WHERE id = 2;"
		"UPDATE operations SET graph_node_id = 11 WHERE id = 1;"
		"UPDATE operations SET graph_node_id = 6 WHERE id = 3;");
	trace = load();
	assert_int_equal(trace->graph_node_count, 3);
	assert_int_equal(trace->graph_edge_count, 3);
	last = trace->operations[0].form->node;
	first = trace->operations[1].form->node;
	assert_null(trace->operations[2].form->node);
	assert_int_equal(first->before_count, 0);
	assert_int_equal(first->behind_count, 1);
	assert_int_equal(first->child_count, 1);
	assert_int_equal(last->before_count, 2);
	assert_int_equal(last->behind_count, 0);
	assert_ptr_equal(last->before[0].from, first);
	assert_int_equal(last->before[0].kind, GRAPH_EDGE_FULL);
	assert_int_equal(last->before[1].kind, 1);
	assert_int_equal(last->before[1].from->before[0].kind, GRAPH_EDGE_TO_CHILD);
	assert_ptr_equal(last->before[1].from->before[0].from, first);
	trace_close(trace);
}

/* CUPTI tells no node 11 of the executable graph 2, which is a clone of what the same call cloned into graph 3. */
TEST_WITH(test_inner_nodes, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql",
		    "INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES"
		    " (1, NULL, 1, 0, 1), (10, 2, 2, 0, 2), (12, NULL, 2, 0, 2), (20, 1, 3, 0, 2);"
		    "INSERT INTO graph_edges VALUES (1, 7, 0, 0);"
		    "UPDATE operations SET graph_node_id = 11 WHERE id = 1;"
		    "UPDATE operations SET graph_node_id = 12 WHERE id = 2;");
	trace = load();
	assert_ptr_equal(trace->operations[1].form->node_call, &trace->calls[0]);
	assert_int_equal(trace->operations[1].form->node->id, 1);
	assert_null(trace->operations[0].form->node);
	trace_close(trace);
	/* Another clone might be it. */
	build_trace(path, "overlap.sql",
		    "INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES"
		    " (1, NULL, 1, 0, 1), (10, 2, 2, 0, 2), (12, NULL, 2, 0, 2), (20, 1, 3, 0, 2),"
		    " (21, 1, 3, 0, 2);"
		    "INSERT INTO graph_edges VALUES (1, 7, 0, 0);"
		    "UPDATE operations SET graph_node_id = 11 WHERE id = 1;");
	trace = load();
	assert_null(trace->operations[1].form->node_call);
	trace_close(trace);
}

TEST_WITH(test_made_up_streams, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql",
		    "UPDATE operations SET stream_id = 7 WHERE id = 1;"
		    "UPDATE operations SET stream_id = 99 WHERE id = 3;");
	trace = load();
	assert_int_equal(trace->stream_count, 4);
	assert_int_equal(trace->operations[1].form->stream->flag, STREAM_NULL);
	assert_int_equal(trace->operations[2].form->stream->flag, STREAM_UNKNOWN);
	assert_int_equal(trace->operations[2].form->stream->id, 99);
	assert_true(trace->operations[2].form->stream->destroyed_ns == INT64_MAX);
	trace_close(trace);
}

TEST_WITH(test_engines, set_up, tear_down)
{
	static const struct {
		int copy_kind;
		enum engine engine;
	} cases[] = {
		{1, ENGINE_H2D},     {2, ENGINE_D2H},	  {3, ENGINE_H2D},	{4, ENGINE_D2H},
		{5, ENGINE_COMPUTE}, {6, ENGINE_COMPUTE}, {7, ENGINE_COMPUTE},	{8, ENGINE_COMPUTE},
		{9, ENGINE_COMPUTE}, {10, ENGINE_PEER},	  {11, ENGINE_COMPUTE},
	};
	struct trace *trace;
	char sql[100];
	size_t i;

	build_trace(path, "overlap.sql", NULL);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(sql, sizeof(sql), "UPDATE operations SET copy_kind = %d WHERE id = 1",
			 cases[i].copy_kind);
		change_trace(path, sql);
		trace = load();
		assert_int_equal(trace->operations[1].form->engine, cases[i].engine);
		trace_close(trace);
	}
}

TEST_WITH(test_untimed, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql", "UPDATE operations SET end_ns = NULL WHERE id > 1");
	trace = load();
	assert_int_equal(trace->untimed_operations, 2);
	assert_int_equal(trace->operation_count, 1);
	trace_close(trace);
}

static void check_wait(int64_t record_ns, int64_t wait_ns)
{
	struct trace *trace = load();

	assert_int_equal(trace->event_wait_count, 1);
	assert_int_equal(trace->event_waits[0].recorder->id, 13);
	assert_int_equal(trace->event_waits[0].waiter->id, 14);
	assert_int_equal(trace->event_waits[0].record_ns, record_ns);
	assert_int_equal(trace->event_waits[0].wait_ns, wait_ns);
	trace_close(trace);
}

/* The recording call ends at 1005 ms, the waiting call starts at 1006 ms. */
TEST_WITH(test_event_waits, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql", NULL);
	check_wait(1005 * MS, 1006 * MS);
	/* Without correlation ids: the wait by its time, the record by the event's handle. */
	change_trace(path, "UPDATE calls SET correlation_id = NULL WHERE id IN (3, 4);"
			   "INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, "
			   "result, api_path, per_thread_stream) VALUES "
			   "(6, 4712, 1, 1006200000, 1008000000, 0, 0, 0)");
	check_wait(1005 * MS, 1006 * MS);
	/* Another event's record is no help: all that the stream held at the wait counts. */
	change_trace(path, "UPDATE calls SET object = 78 WHERE id = 3");
	check_wait(1006 * MS, 1006 * MS);
	/* No call at all: CUPTI's time. */
	change_trace(path, "DELETE FROM calls WHERE id = 4");
	check_wait(1006500000, 1006500000);
	/* No time either, or an event recorded before the trace began: nothing is known. */
	change_trace(path, "UPDATE synchronizations SET start_ns = NULL");
	trace = load();
	assert_int_equal(trace->event_wait_count, 0);
	trace_close(trace);
}

/* Calls of other threads that start within it hide a wait from nobody, up to as many as start so by accident. */
TEST_WITH(test_an_event_wait_among_other_calls, set_up, tear_down)
{
	struct trace *trace;

	build_trace(
		path, "overlap.sql",
		"UPDATE synchronizations SET correlation_id = 999;"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 253)"
		" INSERT INTO calls (thread_id, function_id, start_ns, end_ns, result, api_path,"
		" per_thread_stream) SELECT 4712, 3, 1006000001 + i, 1006000002 + i, 0, 0, 0"
		" FROM n");
	trace = load();
	assert_int_equal(trace->event_wait_count, 1);
	assert_non_null(trace->event_waits[0].waiting);
	assert_int_equal(trace->event_waits[0].wait_ns, 1006000000);
	trace_close(trace);
	/* Two more are too many. */
	change_trace(path, "INSERT INTO calls (thread_id, function_id, start_ns, end_ns, result,"
			   " api_path, per_thread_stream) VALUES"
			   " (4712, 3, 1006400000, 1006400001, 0, 0, 0),"
			   " (4712, 3, 1006400001, 1006400002, 0, 0, 0)");
	trace = load();
	assert_null(trace->event_waits[0].waiting);
	trace_close(trace);
}

/* People keep traces: those of every minor version are read, with the columns that they have. */
TEST_WITH(test_older_formats, set_up, tear_down)
{
	static const char *const changes[] = {
		/* 1.2: another name for the API entry path. */
		"ALTER TABLE calls RENAME COLUMN api_path TO door; PRAGMA user_version = 1002",
		/* 1.1: no first uses. */
		"DROP TABLE first_uses; PRAGMA user_version = 1001",
		/* 1.1 as it was first: no arguments, no frames of Python. */
		"DROP TABLE launch_arguments; ALTER TABLE calls DROP COLUMN arguments_id;"
		"DROP VIEW top_sites; DROP TABLE python_frames",
		/* 1.0 */
		"DROP VIEW node_calls; DROP VIEW named_host_functions; DROP VIEW "
		"top_host_functions;"
		"DROP TABLE graph_nodes; DROP TABLE graph_edges; DROP TABLE host_functions; DROP "
		"TABLE managed_memory;"
		"DROP TABLE memory_pools; DROP TABLE windows; PRAGMA user_version = 1000",
	};
	char version[64], *error;

	build_trace(path, "overlap.sql", "UPDATE calls SET api_path = 1 WHERE id = 2");
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		struct trace *trace;

		change_trace(path, changes[i]);
		trace = trace_load_counted(path, &error);
		if (!trace)
			fail_msg("%s: %s", changes[i], error);
		assert_int_equal(trace->call_count, 5);
		assert_int_equal(trace->matched_operations, 3);
		for (size_t k = 0; k < trace->call_count; k++)
			assert_int_equal(trace->calls[k].form->via_driver_callback, k == 1);
		trace_close(trace);
	}
	/* A file of this version has this version's columns. */
	snprintf(version, sizeof(version), "PRAGMA user_version = %d", FORMAT_VERSION);
	change_trace(path, version);
	assert_null(trace_load(path, &error));
	assert_non_null(strstr(error, "no such column: api_path"));
	free(error);
}

TEST_WITH(test_empty_trace, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, NULL, NULL);
	trace = load();
	assert_int_equal(trace->call_count, 0);
	assert_int_equal(trace->operation_count, 0);
	trace_close(trace);
}

/* Rows committed by a process that then died are in the log beside the file. */
static void leave_log(const char *sql)
{
	sqlite3 *database;
	pid_t child = fork();
	int status;

	if (child == 0) {
		if (sqlite3_open(path, &database) ||
		    sqlite3_exec(database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) ||
		    sqlite3_exec(database, sql, NULL, NULL, NULL))
			_exit(1);
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

TEST_WITH(test_log_of_a_killed_process, set_up, tear_down)
{
	struct trace *trace;

	build_trace(path, "overlap.sql", NULL);
	leave_log("DELETE FROM operations WHERE id = 1");
	trace = load();
	assert_int_equal(trace->operation_count, 2);
	assert_null(trace->unread);
	trace_close(trace);
}

/* A process without rights on the folder cannot make the log's index: what the file itself holds
 * is read, and the rest is said to be missing. */
TEST_WITH(test_log_in_a_read_only_folder, set_up, tear_down)
{
	char log[300], *error;
	struct trace *trace;
	pid_t child;
	int status;

	build_trace(path, "overlap.sql", NULL);
	leave_log("DELETE FROM operations WHERE id = 1");
	snprintf(log, sizeof(log), "%s-shm", path);
	unlink(log);
	chmod(folder, 0555);
	child = fork();
	if (child == 0) {
		if (geteuid() == 0 && setuid(65534))
			_exit(9);
		trace = trace_load(path, &error);
		_exit(!trace ? 1 : !trace->unread ? 2 : trace->operation_count != 3 ? 3 : 0);
	}
	waitpid(child, &status, 0);
	chmod(folder, 0755);
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* A running program holds a write transaction now and then: readers see what was committed. */
TEST_WITH(test_running_program, set_up, tear_down)
{
	struct trace *trace;
	sqlite3 *writer;

	build_trace(path, "overlap.sql", NULL);
	assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(writer,
				      "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE;"
				      "DELETE FROM operations",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	trace = load();
	assert_int_equal(trace->operation_count, 3);
	trace_close(trace);
	sqlite3_close(writer);
}

static bool is_beside(const char *ending)
{
	char name[300];

	snprintf(name, sizeof(name), "%s%s", path, ending);
	return access(name, F_OK) == 0;
}

static void leave_beside(const char *ending)
{
	char name[300];
	FILE *file;

	snprintf(name, sizeof(name), "%s%s", path, ending);
	file = fopen(name, "w");
	assert_non_null(file);
	fclose(file);
}

/* To be copied, a trace must be one file; who reads it keeps it from that, and loses nothing. */
TEST_WITH(test_join_log, set_up, tear_down)
{
	struct trace *trace;
	sqlite3 *reader;

	build_trace(path, "overlap.sql", NULL);
	leave_log("DELETE FROM operations WHERE id = 1");
	trace = load();
	assert_int_equal(sqlite3_open(path, &reader), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM calls", NULL, NULL, NULL),
		SQLITE_OK);
	assert_false(trace_join_log(trace));
	assert_true(is_beside("-wal"));
	sqlite3_close(reader);
	assert_true(trace_join_log(trace));
	assert_false(is_beside("-wal"));
	trace_close(trace);
	/* What a reader leaves between SQLite's two steps. */
	leave_beside("-wal");
	leave_beside("-shm");
	trace = load();
	assert_true(trace_join_log(trace));
	assert_false(is_beside("-wal"));
	assert_false(is_beside("-shm"));
	trace_close(trace);
	trace = load();
	assert_int_equal(trace->operation_count, 2);
	trace_close(trace);
}

/* Through a link SQLite looks beside the trace: what lies beside the link is somebody's, unless it is empty. */
TEST_WITH(test_join_log_keeps_what_is_not_empty, set_up, tear_down)
{
	char link[300], log[310];

	build_trace(path, "overlap.sql", NULL);
	snprintf(link, sizeof(link), "%s/link.db", folder);
	snprintf(log, sizeof(log), "%s-wal", link);
	assert_int_equal(symlink(path, link), 0);
	write_file(log, "mine", 4);
	assert_true(database_join_log(link));
	assert_int_equal(access(log, F_OK), 0);
	write_file(log, "", 0);
	assert_true(database_join_log(link));
	assert_int_not_equal(access(log, F_OK), 0);
}

TEST_WITH(test_store_sites, set_up, tear_down)
{
	struct trace *trace;
	char *error;

	build_trace(path, "overlap.sql", NULL);
	trace = load();
	((struct trace_frame *)trace->sites[0].frames)->line = 77;
	assert_int_equal(trace_store_sites(trace, &error), 0);
	trace_close(trace);
	trace = load();
	assert_int_equal(trace->sites[0].frames[0].line, 77);
	assert_string_equal(trace->sites[1].frames[0].file, "/home/user/app/overlap.cu");
	unlink(path);
	assert_int_equal(trace_store_sites(trace, &error), -1);
	assert_string_equal(error, "No such file or directory");
	free(error);
	trace_close(trace);
}

RUN_TESTS(NULL, NULL)
