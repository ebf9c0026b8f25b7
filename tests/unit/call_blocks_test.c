/* Calls in blocks, written here by the manual in schema.sql, are read as rows of the table calls. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"
#include "trace/trace.h"
#include "trace/unpack_blocks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAMES                                                                                      \
	"INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'),"                             \
	" (2, 'cuStreamQuery', 'stream-query');"                                                   \
	"INSERT INTO launch_arguments VALUES (300, 0, 0, 0, 64);"

/* Two shapes: function 1 with a correlation, stream, size and copy kind (1164 is 0x8c 0x09), without a
 * site; function 2, of the driver. One set of arguments, 300 (0xac 0x02). Three calls:
 * 1. shape 0 with changes: starts at 1000 (2000: 0xd0 0x0f), takes 5, correlation 7 (14); changes
 *    1 + 16 + 32 + 128 (177: 0xb1 0x01): stream 3 (6), size 100 (200: 0xc8 0x01), set 1 (2), kind 1 (2)
 * 2. shape 1 with changes: 10 before the end (19), takes 300; result -1 (changes 256: 0x80 0x02)
 * 3. shape 0 with changes: 0 after the end, takes 0, correlation 6 (1); no set (1) */
#define BLOCK                                                                                      \
	"X'02 01 8C09 00 02 01 00 01 AC02"                                                         \
	" 01 D00F 05 0E B101 06 C801 02 02"                                                        \
	" 03 13 AC02 8002 01"                                                                      \
	" 01 00 00 01 20 01'"

static void build(const char *sql)
{
	build_trace(path, NULL, NAMES);
	change_trace_spaced(path, sql);
}

static struct trace *load(void)
{
	char *error;
	struct trace *trace = trace_load(path, &error);

	if (!trace)
		fail_msg("%s", error);
	return trace;
}

static void check_call(const struct trace_call *call, int64_t start_ns, int64_t end_ns, int result)
{
	assert_int_equal(call->form->thread_id, 77);
	assert_int_equal(call->start_ns, start_ns);
	assert_int_equal(call->end_ns, end_ns);
	assert_int_equal(call->form->result, result);
	assert_null(call->form->site);
}

/* By their times. */
static void check_calls(void)
{
	struct trace *trace = load();

	assert_int_equal(trace->call_count, 3);
	check_call(&trace->calls[0], 995, 1295, -1);
	assert_string_equal(trace->calls[0].form->function->name, "cuStreamQuery");
	assert_true(trace->calls[0].form->via_driver_callback);
	assert_false(trace->calls[0].form->has_stream);
	check_call(&trace->calls[1], 1000, 1005, 0);
	assert_string_equal(trace->calls[1].form->function->name, "cudaMemcpyAsync");
	assert_false(trace->calls[1].form->via_driver_callback);
	assert_int_equal(trace->calls[1].form->stream_handle, 3);
	assert_int_equal(trace->calls[1].form->size_bytes, 100);
	assert_non_null(trace->calls[1].form->arguments);
	check_call(&trace->calls[2], 1295, 1295, 0);
	assert_int_equal(trace->calls[2].form->stream_handle, 3);
	assert_int_equal(trace->calls[2].form->size_bytes, 100);
	assert_null(trace->calls[2].form->arguments);
	trace_close(trace);
}

static void check_unpack(int64_t calls)
{
	struct trace_unpacked unpacked;
	char *error;

	assert_int_equal(trace_unpack(path, &unpacked, &error), 0);
	assert_int_equal(unpacked.calls, calls);
	assert_int_equal(unpacked.operations, 0);
}

TEST_IN_FOLDER(test_a_block_is_its_calls)
{
	build("INSERT INTO call_blocks VALUES (5, 77, 3, " BLOCK ")");
	check_calls();
	check_unpack(3);
	check_calls();
	check_unpack(0);
}

enum { BLOCKS = 130, BLOCK_CALLS = 1000, ROWS_BETWEEN = 700 };

static void append_number(FILE *sql, unsigned long value)
{
	for (; value > 127; value /= 128)
		fprintf(sql, "%02lX", 128 + value % 128);
	fprintf(sql, "%02lX", value);
}

/* Of one shape; calls of 2 ns that follow each other, the first one at start_ns. */
static void append_block(FILE *sql, long id, long start_ns)
{
	fprintf(sql, "INSERT INTO call_blocks VALUES (%ld, 77, %d, X'0101000000", id, BLOCK_CALLS);
	for (int i = 0; i < BLOCK_CALLS; i++) {
		append_number(sql, 0);
		append_number(sql, i ? 0 : 2 * (unsigned long)start_ns);
		append_number(sql, 2);
	}
	fputs("');", sql);
}

/* Rows and blocks in turn, more ids than one thread reads in a row: call `id` begins at BASE + 2 * id. */
#define BASE (1L << 30)

static void build_many(void)
{
	char *text;
	size_t size;
	FILE *sql = open_memstream(&text, &size);
	long id = 1;

	fputs("BEGIN;", sql);
	for (int i = 0; i < BLOCKS; i++) {
		fprintf(sql,
			"WITH RECURSIVE n(i) AS (SELECT %ld UNION ALL SELECT i + 1 FROM n"
			" WHERE i < %ld) INSERT INTO calls (id, thread_id, function_id, start_ns,"
			" end_ns, result, api_path, per_thread_stream)"
			" SELECT i, 77, 1, %ld + 2 * i, %ld + 2 * i, 0, 0, 0 FROM n;",
			id, id + ROWS_BETWEEN - 1, BASE, BASE + 1);
		id += ROWS_BETWEEN;
		append_block(sql, id, BASE + 2 * id);
		id += BLOCK_CALLS;
	}
	fputs("COMMIT", sql);
	fclose(sql);
	build_trace(path, NULL, NAMES);
	change_trace(path, text);
	free(text);
}

static void check_many(void)
{
	struct trace *trace = load();

	assert_int_equal(trace->call_count, BLOCKS * (BLOCK_CALLS + ROWS_BETWEEN));
	for (size_t i = 0; i < trace->call_count; i++)
		assert_int_equal(trace->calls[i].start_ns, BASE + 2 * ((int64_t)i + 1));
	trace_close(trace);
}

TEST_IN_FOLDER(test_rows_and_blocks_in_turn)
{
	build_many();
	check_many();
	check_unpack(BLOCKS * BLOCK_CALLS);
	check_many();
}

/* In a process that may not make files larger than this; its exit status, or -1 and the signal. */
static int unpack_within(rlim_t bytes, bool is_killed)
{
	const struct rlimit limit = {bytes, bytes};
	struct trace_unpacked unpacked;
	char *error;
	int status;
	pid_t child = fork();

	if (!child) {
		signal(SIGXFSZ, is_killed ? SIG_DFL : SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(trace_unpack(path, &unpacked, &error) ? 3 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The file is as before. */
TEST_IN_FOLDER(test_a_full_disk)
{
	char *before, *after;
	size_t size, size_after;

	build_many();
	before = read_file(path, &size);
	assert_int_equal(unpack_within((rlim_t)size + 65536, false), 3);
	after = read_file(path, &size_after);
	assert_int_equal(size_after, size);
	assert_memory_equal(after, before, size);
	free(after);
	free(before);
	check_many();
	check_unpack(BLOCKS * BLOCK_CALLS);
}

/* At any moment: half of the file is written. It is refused until it is unpacked again. */
TEST_IN_FOLDER(test_an_end_half_way)
{
	struct trace_unpacked unpacked;
	bool was_refused = false;
	char *before, *error;
	size_t size;

	build_many();
	before = read_file(path, &size);
	for (rlim_t more = 65536; more < 4 << 20; more *= 2) {
		struct trace *trace;

		write_file(path, before, size);
		assert_int_equal(unpack_within((rlim_t)size + more, true), -SIGXFSZ);
		trace = trace_load(path, &error);
		if (trace)
			assert_int_equal(trace->call_count, BLOCKS * (BLOCK_CALLS + ROWS_BETWEEN));
		else
			assert_non_null(strstr(error, "is not whole"));
		was_refused |= !trace;
		trace_close(trace);
		free(error);
		assert_int_equal(trace_unpack(path, &unpacked, &error), 0);
		assert_int_equal(unpacked.calls, BLOCKS * BLOCK_CALLS);
		check_many();
	}
	assert_true(was_refused);
	free(before);
}

static void check_wrong(const char *sql, const char *expected)
{
	struct trace_unpacked unpacked;
	char *error;

	build(sql);
	assert_null(trace_load(path, &error));
	if (!strstr(error, expected))
		fail_msg("'%s' where '%s' is expected", error, expected);
	free(error);
	assert_int_equal(trace_unpack(path, &unpacked, &error), -1);
	free(error);
}

TEST_IN_FOLDER(test_wrong_blocks)
{
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 4, " BLOCK ")", "are damaged");
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 2, " BLOCK ")", "are damaged");
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 3, X'0201')", "are damaged");
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 3, 'text')",
		    "bytes is of a wrong type");
	check_wrong("INSERT INTO call_blocks VALUES (5, -1, 3, " BLOCK ")", "thread_id is out of");
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, -3, " BLOCK ")",
		    "calls is out of range");
	/* A result beyond 32 bits: what is out of range in a row is so here. */
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 1, "
		    "X'01 010000 00 01 0202 8002 8080808040')",
		    "result is out of range");
	check_wrong("INSERT INTO call_blocks VALUES (5, 77, 3, " BLOCK "), (6, 77, 3, " BLOCK ")",
		    "id");
	check_wrong("INSERT INTO call_blocks VALUES (9223372036854775806, 77, 3, " BLOCK ")", "");
	check_wrong("INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result,"
		    " api_path, per_thread_stream) VALUES (6, 77, 1, 1, 2, 0, 0, 0);"
		    "INSERT INTO call_blocks VALUES (5, 77, 3, " BLOCK ")",
		    "id");
}

RUN_TESTS(NULL, NULL)
