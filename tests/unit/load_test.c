/*
 * A trace reads the same in one piece and in ranges by several threads; what is wrong with one is said
 * in the same words.
 */
#include "build_trace.h"
#include "cmocka_test.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "trace/trace_private.h"

#include <inttypes.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 1000 };

/* Calls in the order of ids, but not of times: some are 40 ms late. Each third id is missing; some
 * calls share a correlation id. Operations of streams that have no row, of graphs, without times;
 * events and waits for them. */
static const char rows[] =
	"WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)"
	"INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path,"
	" per_thread_stream, site_id, correlation_id, stream_handle, object, dst, src, size_bytes)"
	" SELECT n, 100 + n % 3, 1 + n % 14, 1000000 * (n + iif(n % 7 = 0, 40, n % 2) - n % 5),"
	" 1000000 * (n + 60), 0, 0, 0, iif(n % 4, 1 + n % 99, NULL), iif(n % 9, n - (n % 50 = 1), "
	"0),"
	" iif(n % 3, 1300, 2300), n % 11, n, n + 1, n + 2 FROM n WHERE n % 3;"
	"INSERT INTO correlations SELECT id + 10000, id FROM calls WHERE id % 10 = 0;"
	"INSERT INTO graph_nodes SELECT id, iif(id % 2, id - 1, NULL), id % 5, id % 4, id FROM "
	"calls"
	" WHERE id < 200;"
	"INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id,"
	" correlation_id, graph_node_id, name_id, grid_x, grid_y, grid_z, block_x, block_y, "
	"block_z,"
	" registers_per_thread, static_shared_bytes, dynamic_shared_bytes, size_bytes)"
	" SELECT id, 1 + id % 3, iif(id % 13, start_ns + 500000, NULL), end_ns + 1000000, 0, 1 + "
	"id % 2,"
	" 13 + id % 7, coalesce(correlation_id, 0) + iif(id % 10, 0, 10000),"
	" iif(id % 6, NULL, id % 200), iif(id % 3, NULL, 1), id, 1, 1, 32, 1, 1, 8, 0, id, id"
	" FROM calls WHERE id % 17;"
	"INSERT INTO event_records (context_id, stream_id, event_id, correlation_id, sync_id)"
	" SELECT 1, 13 + id % 9, 1, correlation_id, id FROM calls WHERE id % 14 = 4;"
	"INSERT INTO synchronizations (type, start_ns, end_ns, context_id, stream_id, event_id,"
	" correlation_id, sync_id) SELECT 2, start_ns, end_ns, 1, 13 + id % 11, 1, correlation_id,"
	" (SELECT max(sync_id) FROM event_records WHERE sync_id < calls.id) FROM calls"
	" WHERE id % 14 = 11;";

struct file {
	char *folder, path[256];
};

static struct file make_file(const char *change)
{
	struct file file = {.folder = make_folder()};
	char *prelude = read_file(PRELUDE_FILE, NULL);
	char *sql = memory_format("%s%s%s", prelude, rows, change);

	snprintf(file.path, sizeof(file.path), "%s/trace.db", file.folder);
	build_trace(file.path, NULL, sql);
	free(prelude);
	free(sql);
	return file;
}

static void free_file(struct file *file)
{
	remove_folder(file->folder);
	free(file->folder);
}

static ptrdiff_t index_of(const void *item, const void *items, size_t bytes)
{
	return item ? ((const char *)item - (const char *)items) / (ptrdiff_t)bytes : -1;
}

#define INDEX(trace, pointer, array) index_of(pointer, (trace)->array, sizeof(*(trace)->array))

static void print_call(FILE *out, const struct trace *trace, const struct trace_call *call)
{
	fprintf(out, "call %" PRId64 " %" PRId64 " %td %td %td", call->start_ns, call->end_ns,
		INDEX(trace, call->form->function, functions),
		INDEX(trace, call->form->site, sites), INDEX(trace, call->operation, operations));
#define CALL_KEEPS(name, type, missing) fprintf(out, " %" PRIu64, (uint64_t)call->form->name);
#include "facts/columns.def"
	fprintf(out, " %" PRIx64 " %d\n", call->form->stream_handle, call->form->has_stream);
}

static void print_operation(FILE *out, const struct trace *trace,
			    const struct trace_operation *operation)
{
	fprintf(out, "operation %" PRId64 " %" PRId64 " %td %td %td %s %" PRIu64 " %u %u %u %d %d",
		operation->start_ns, operation->end_ns, INDEX(trace, operation->call, calls),
		INDEX(trace, operation->form->node_call, calls),
		INDEX(trace, operation->form->stream, streams),
		operation->form->name ? operation->form->name : "-", operation->form->blocks,
		operation->form->block_threads, operation->form->thread_registers,
		operation->form->block_shared_bytes, operation->form->kind,
		operation->form->engine);
#define OPERATION_KEEPS(name, type, missing)                                                       \
	fprintf(out, " %" PRIu64, (uint64_t)operation->form->name);
#include "facts/columns.def"
	fprintf(out, "\n");
}

/* All that comes from the tables that are read in ranges; malloc'ed. */
static char *print_trace(const struct trace *trace)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (i = 0; i < trace->stream_count; i++)
		fprintf(out, "stream %u %u %d\n", trace->streams[i].context_id,
			trace->streams[i].id, trace->streams[i].flag);
	for (i = 0; i < trace->call_count; i++)
		print_call(out, trace, &trace->calls[i]);
	for (i = 0; i < trace->operation_count; i++)
		print_operation(out, trace, &trace->operations[i]);
	for (i = 0; i < trace->event_wait_count; i++)
		fprintf(out, "wait %td %td %" PRId64 " %" PRId64 " %td %td\n",
			INDEX(trace, trace->event_waits[i].recorder, streams),
			INDEX(trace, trace->event_waits[i].waiter, streams),
			trace->event_waits[i].record_ns, trace->event_waits[i].wait_ns,
			INDEX(trace, trace->event_waits[i].recording, calls),
			INDEX(trace, trace->event_waits[i].waiting, calls));
	fprintf(out, "untimed %zu matched %zu\n", trace->untimed_operations,
		trace->matched_operations);
	fclose(out);
	return text;
}

/* The trace, or what is wrong with it; malloc'ed. */
static char *load(const char *path, const struct load_options *options)
{
	char *error, *text;
	struct trace *trace = trace_load_as(path, options, &error);

	if (!trace)
		return error;
	text = print_trace(trace);
	trace_close(trace);
	return text;
}

static void check_same(const char *path)
{
	static const size_t shard_ids[] = {1, 7, 100, 10000};
	char *strict = load(path, &(struct load_options){.is_strict = true}), *text;

	for (size_t i = 0; i < sizeof(shard_ids) / sizeof(*shard_ids); i++)
		for (size_t threads = 1; threads <= 4; threads += 3) {
			parallel_limit(threads);
			text = load(path, &(struct load_options){.shard_ids = shard_ids[i],
								 .connection_bytes = 4096});
			assert_string_equal(text, strict);
			free(text);
		}
	parallel_limit(0);
	free(strict);
}

TEST(test_ranges_are_the_table)
{
	struct file file = make_file("");
	char *text = load(file.path, &(struct load_options){.is_strict = true});

	/* It has what the ranges could get wrong. */
	assert_non_null(strstr(text, "\nwait "));
	assert_non_null(strstr(text, "stream 1 19 0\n"));
	assert_non_null(strstr(text, "untimed 48 "));
	free(text);
	check_same(file.path);
	free_file(&file);
}

/* Ids too far apart for an array, or none at all. */
TEST(test_tables_that_are_not_split)
{
	static const char *const changes[] = {
		("UPDATE calls SET id = id * 4000000000000;"
		 "UPDATE correlations SET call_id = call_id * 4000000000000;"
		 "UPDATE graph_nodes SET call_id = call_id * 4000000000000;"),
		"UPDATE operations SET id = -9223372036854775808 WHERE id = 1;",
		"DELETE FROM operations;",
		("DELETE FROM operations; DELETE FROM correlations; DELETE FROM graph_nodes;"
		 "DELETE FROM calls;")};

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		struct file file = make_file(changes[i]);

		check_same(file.path);
		free_file(&file);
	}
}

TEST(test_a_table_without_ids_is_read_strictly)
{
	struct file file = make_file(
		"ALTER TABLE calls RENAME TO c; CREATE TABLE calls AS SELECT * FROM c ORDER BY id;"
		"DROP TABLE c;");
	char *error, *strict = load(file.path, &(struct load_options){.is_strict = true}), *text;
	struct trace *trace;

	assert_null(trace_load_as(file.path, &(struct load_options){0}, &error));
	assert_string_equal(error, "table calls has no ids");
	free(error);
	trace = trace_load(file.path, &error);
	assert_non_null(trace);
	text = print_trace(trace);
	assert_string_equal(text, strict);
	trace_close(trace);
	free(text);
	free(strict);
	free_file(&file);
}

/* Read in ranges, the thread that meets an error first is any. */
TEST(test_errors_are_the_first_of_the_table)
{
	static const struct {
		const char *change, *error;
	} cases[] = {
		{"UPDATE calls SET end_ns = 1 WHERE id IN (400, 800);",
		 "table calls, row 267: it ends before it starts"},
		{"UPDATE calls SET function_id = 99 WHERE id = 500;"
		 "UPDATE operations SET kind = 9 WHERE id = 20;",
		 "table calls, row 334: functions has no row 99"},
		{"UPDATE operations SET kind = 'x' WHERE id > 500;",
		 "table operations, row 315: kind is of a wrong type, not a number"},
		{"UPDATE operations SET end_ns = 4611686018427387903;",
		 "table operations, row 2: the sum of the durations overflows 64 bits"},
		{"UPDATE event_records SET stream_id = -1 WHERE id = 20;",
		 "table event_records, row 20: stream_id is out of range: -1"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct file file = make_file(cases[i].change);
		char *error;

		parallel_limit(4);
		assert_null(trace_load_as(
			file.path,
			&(struct load_options){.shard_ids = 50, .connection_bytes = 4096}, &error));
		free(error);
		assert_null(trace_load(file.path, &error));
		assert_string_equal(error, cases[i].error);
		parallel_limit(0);
		free(error);
		free_file(&file);
	}
}

static sqlite3 *open_writer(const char *path)
{
	sqlite3 *writer;

	assert_int_equal(sqlite3_open(path, &writer), SQLITE_OK);
	assert_int_equal(sqlite3_exec(writer,
				      "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
				      "UPDATE calls SET result = 1",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	return writer;
}

TEST(test_rows_in_the_log)
{
	struct file file = make_file("");
	sqlite3 *writer = open_writer(file.path);
	char *error;
	struct trace *trace = trace_load(file.path, &error);

	assert_non_null(trace);
	assert_int_equal(trace->calls[0].form->result, 1);
	trace_close(trace);
	check_same(file.path);
	sqlite3_close(writer);
	free_file(&file);
}

struct writing {
	sqlite3 *writer;
	atomic_bool is_over;
};

static void *write_results(void *argument)
{
	struct writing *writing = argument;

	while (!atomic_load(&writing->is_over))
		sqlite3_exec(writing->writer, "UPDATE calls SET result = result + 1", NULL, NULL,
			     NULL);
	return NULL;
}

/* Each commit changes all calls: whichever one a load sees, all threads must have seen that one. */
TEST(test_all_threads_see_one_commit)
{
	struct file file = make_file("");
	struct writing writing = {.writer = open_writer(file.path)};
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, write_results, &writing), 0);
	parallel_limit(4);
	for (int round = 0; round < 20; round++) {
		char *error;
		struct trace *trace = trace_load_as(
			file.path,
			&(struct load_options){.shard_ids = 50, .connection_bytes = 4096}, &error);

		assert_non_null(trace);
		for (size_t i = 1; i < trace->call_count; i++)
			assert_int_equal(trace->calls[i].form->result,
					 trace->calls[0].form->result);
		trace_close(trace);
	}
	parallel_limit(0);
	atomic_store(&writing.is_over, true);
	pthread_join(thread, NULL);
	sqlite3_close(writing.writer);
	free_file(&file);
}

RUN_TESTS(NULL, NULL)
