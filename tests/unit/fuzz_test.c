/*
 * A valid trace with a few bytes changed, with pages that lead to one another, with values that no library
 * writes, or with other bytes in its blocks: loading must return or fail with one line, and a report must
 * end, without a crash (run it with the asan preset).
 * `fuzz_test ROUNDS` does as many rounds of the first two, and all of the others;
 * `fuzz_test ROUNDS TRACE [SEED]` the first two alone, with a trace of any size.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "findings/analysis.h"
#include "render/render.h"
#include "trace/trace_private.h"
#include "trace/site.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS	      1000
#define PAGE_ROUNDS   250
#define COLUMN_STEP   3	 /* of the values, those that a column takes */
#define BYTE_STEP     51 /* of the values of a byte in a block */
#define MOST_CHANGED  16
#define HEADER_BYTES  100
#define REPORTED_MOST 3000 /* operations of a trace that there is a report on */

/* Of the command line; else the defaults. */
static unsigned int asked_rounds;
static const char *asked_trace;
static unsigned int seed = 20261120u;

static const char ranges[] =
	"INSERT INTO strings VALUES (101, 'epoch'), (102, 'train');"
	"INSERT INTO nvtx_ranges VALUES (1, 1, 4711, 990000000, 1100000000, 4711, 101, 102, 255),"
	" (2, 1, 4711, 1002000000, 1005000000, 4711, NULL, NULL, NULL),"
	" (3, 0, 4711, 1004000000, NULL, NULL, 101, NULL, NULL)";

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Of what was accepted no number may harm a report: any overflow is one (asan preset). */
static void report(const struct trace *trace)
{
	struct analysis *analysis = analysis_run(trace);
	FILE *out = fopen("/dev/null", "w");

	assert_non_null(out);
	assert_true(render_text(out, trace, analysis, true));
	json_decref(render_json(trace, analysis, true));
	fclose(out);
	analysis_free(analysis);
}

static void use_ranges(const struct trace *trace, const struct trace_call *call)
{
	const struct trace_range *range = trace_range_of(trace, call);

	for (; range; range = trace_range_around(trace, range, call))
		assert_true(range->start_ns <= call->start_ns && call->start_ns < range->end_ns);
}

/* Touches all that a report would. */
static void use(struct trace *trace)
{
	size_t i;

	trace_resolve_sites(trace);
	for (i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		assert_true(call->start_ns <= call->end_ns && call->form->function != NULL);
		site_describe(trace, call->form->site,
			      call->operation ? call->operation->form->name : NULL);
		use_ranges(trace, call);
	}
	for (i = 0; i < trace->operation_count; i++)
		assert_true(trace->operations[i].start_ns <= trace->operations[i].end_ns &&
			    trace->operations[i].form->stream->id < UINT32_MAX);
	if (trace->operation_count < REPORTED_MOST)
		report(trace);
}

/* What ranges of a few rows, read side by side, accept is accepted when one row is read after the other. */
static void compare_ranges(const char *path, const struct trace *strict, const char *strict_error)
{
	const struct load_options options = {.shard_ids = asked_trace ? 1000 : 3,
					     .connection_bytes = 65536};
	char *error;
	struct trace *trace = trace_load_as(path, &options, &error);

	if (trace && !strict)
		print_message("read in ranges, but: %s\n", strict_error);
	assert_true(!trace || strict);
	if (trace)
		assert_int_equal(trace->call_count, strict->call_count);
	if (trace)
		assert_int_equal(trace->operation_count, strict->operation_count);
	free(error);
	trace_close(trace);
}

/* Loads and uses the trace; false: it was refused, in one line, as it is when one row is read after the
 * other. */
static bool load(const char *path)
{
	char *error, *strict_error;
	struct trace *trace = trace_load(path, &error);
	struct trace *strict =
		trace_load_as(path, &(struct load_options){.is_strict = true}, &strict_error);

	if ((trace != NULL) != (strict != NULL))
		print_message("read differently: %s\n", trace ? strict_error : error);
	assert_true(trace ? strict != NULL : !strict);
	if (!trace && !strict)
		assert_string_equal(error, strict_error);
	compare_ranges(path, strict, strict_error);
	free(strict_error);
	trace_close(strict);
	if (trace) {
		use(trace);
		trace_close(trace);
		return true;
	}
	assert_true(strlen(error) > 0 && !strchr(error, '\n'));
	free(error);
	return false;
}

/* As a new file: to change one in place waits for the disk. */
static void write_anew(const char *path, const void *bytes, size_t size)
{
	unlink(path);
	write_file(path, bytes, size);
}

/* The bytes of the trace to change, malloc'ed; makes the file, which changed ones replace. */
static char *make_bytes(const char *path, size_t *size)
{
	if (asked_trace)
		return read_file(asked_trace, size);
	build_trace(path, "overlap.sql", ranges);
	return read_file(path, size);
}

/* Most rounds leave the header alone, which refuses nearly any change. */
static void change_bytes(char *bytes, size_t size, unsigned int round, unsigned int *random)
{
	for (unsigned int i = next_random(random) % MOST_CHANGED + 1; i > 0; i--) {
		size_t first = round % 8 ? HEADER_BYTES : 0;

		bytes[first + next_random(random) % (size - first)] ^=
			(char)(1 + next_random(random) % 255);
	}
}

/* A page becomes a copy of another one, or a byte of a page the number of another: where it is a
 * pointer, the tree of a table has circles, or rows of another table. */
static void change_pages(char *bytes, size_t size, unsigned int round, unsigned int *random)
{
	size_t page_bytes = (size_t)(unsigned char)bytes[16] << 8 | (unsigned char)bytes[17];
	size_t pages = size / page_bytes;

	for (unsigned int i = round % 4 + 1; i > 0 && pages > 2; i--) {
		size_t to = 1 + next_random(random) % (pages - 1);
		size_t from = 1 + next_random(random) % (pages - 1);

		if (to == from)
			continue;
		if (next_random(random) % 2)
			memcpy(bytes + to * page_bytes, bytes + from * page_bytes, page_bytes);
		else
			bytes[to * page_bytes + next_random(random) % page_bytes] =
				(char)(from + 1);
	}
}

static void run_rounds(unsigned int rounds,
		       void (*change)(char *bytes, size_t size, unsigned int round,
				      unsigned int *random))
{
	char *folder = make_folder(), path[256], *bytes, *changed;
	unsigned int random = seed, loaded = 0, refused = 0;
	size_t size;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	bytes = make_bytes(path, &size);
	changed = malloc(size);
	assert_non_null(changed);
	for (unsigned int round = 0; round < rounds; round++) {
		memcpy(changed, bytes, size);
		change(changed, size, round, &random);
		write_anew(path, changed, size);
		if (load(path))
			loaded++;
		else
			refused++;
	}
	print_message("%u loaded, %u refused\n", loaded, refused);
	assert_true(asked_trace || (loaded > rounds / 20 && refused > rounds / 20));
	free(bytes);
	free(changed);
	remove_folder(folder);
	free(folder);
}

TEST(test_changed_bytes)
{
	run_rounds(asked_rounds ? asked_rounds : ROUNDS, change_bytes);
}

TEST(test_changed_pages)
{
	run_rounds(asked_rounds ? asked_rounds : PAGE_ROUNDS, change_pages);
}

/* What a column may hold in a file that we did not write. */
static const char *const values[] = {"NULL",
				     "-1",
				     "-9223372036854775808",
				     "9223372036854775807",
				     "4294967296",
				     "0.5",
				     "1e300",
				     "''",
				     "'text'",
				     "x'00ff'",
				     "CAST(x'ff41fe' AS TEXT)"};

#define VALUE_COUNT (sizeof(values) / sizeof(*values))

/* For each column the statement that changes it, but for the value. */
static const char sql_of_columns[] =
	"SELECT printf('UPDATE OR IGNORE %s SET %s = ', m.name, p.name)"
	" FROM sqlite_schema m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'";

/* An id that is no integer SQLite refuses itself: then the trace is as it was. */
static void try_to_change(const char *path, const char *sql)
{
	sqlite3 *database;

	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL,
		     NULL);
	(void)sqlite3_exec(database, sql, NULL, NULL, NULL);
	sqlite3_close(database);
}

TEST(test_changed_values)
{
	char *folder = make_folder(), path[256], *bytes, sql[512];
	unsigned int loaded = 0, refused = 0, step = asked_rounds ? 1 : COLUMN_STEP;
	unsigned int column = 0;
	sqlite3_stmt *columns;
	sqlite3 *pattern;
	size_t size;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	build_trace(path, "overlap.sql", ranges);
	bytes = read_file(path, &size);
	/* Of the bytes: the file changes. */
	assert_int_equal(sqlite3_open(":memory:", &pattern), SQLITE_OK);
	assert_int_equal(sqlite3_deserialize(pattern, "main", (unsigned char *)bytes,
					     (sqlite3_int64)size, (sqlite3_int64)size,
					     SQLITE_DESERIALIZE_READONLY),
			 SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(pattern, sql_of_columns, -1, &columns, NULL),
			 SQLITE_OK);
	for (; sqlite3_step(columns) == SQLITE_ROW; column++)
		for (size_t i = column % step; i < VALUE_COUNT; i += step) {
			snprintf(sql, sizeof(sql), "%s%s",
				 (const char *)sqlite3_column_text(columns, 0), values[i]);
			write_anew(path, bytes, size);
			try_to_change(path, sql);
			if (load(path))
				loaded++;
			else
				refused++;
		}
	sqlite3_finalize(columns);
	sqlite3_close(pattern);
	print_message("%u loaded, %u refused\n", loaded, refused);
	assert_true(loaded > 100 && refused > 100);
	free(bytes);
	remove_folder(folder);
	free(folder);
}

/* Those of call_blocks_test.c and operation_blocks_test.c, which say what stands where. */
static const char rows_of_blocks[] =
	"INSERT INTO kernel_configurations VALUES (5, 1, 2, 3, 4, 32, 2, 1, 40, 16, 8, 0);"
	"INSERT INTO call_blocks VALUES (10, 77, 3, X'02 01 8C09 00 02 01 00 01 AC02"
	" 01 D00F 05 0E B101 06 C801 02 02 03 13 AC02 8002 01 01 00 00 01 20 01');"
	"INSERT INTO operation_blocks VALUES (10, 3,"
	" X'00 0301030F0000000000000000 0B 00 00 D00F 32 12"
	" 03 0501030F0505030507030000 00 09 C901 02 13 00 01 38 01 04 18');"
	"INSERT INTO argument_blocks VALUES (300, 2, 3, X'02 00 8001 0D 08 8040 01 00 07');";

/* Where the file has the bytes of a block, the only such bytes in it. */
static unsigned char *find_block(char *file, size_t size, const char *path, const char *table,
				 size_t *block_size)
{
	char sql[128];
	sqlite3 *database;
	sqlite3_stmt *select;
	unsigned char *found;

	snprintf(sql, sizeof(sql), "SELECT bytes FROM %s", table);
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &select, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(select), SQLITE_ROW);
	*block_size = (size_t)sqlite3_column_bytes(select, 0);
	found = memmem(file, size, sqlite3_column_blob(select, 0), *block_size);
	assert_non_null(found);
	sqlite3_finalize(select);
	sqlite3_close(database);
	return found;
}

/* Each byte of the blocks takes other values: in a long run, all. */
TEST(test_changed_blocks)
{
	static const char *const tables[] = {"call_blocks", "operation_blocks", "argument_blocks"};
	char *folder = make_folder(), path[256], *bytes;
	unsigned int loaded = 0, refused = 0, step = asked_rounds ? 1 : BYTE_STEP;
	size_t size, block_size;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	build_trace(path, "overlap.sql", NULL);
	change_trace_spaced(path, rows_of_blocks);
	bytes = read_file(path, &size);
	assert_true(load(path));
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		unsigned char *block;

		write_anew(path, bytes, size);
		block = find_block(bytes, size, path, tables[i], &block_size);
		for (size_t at = 0; at < block_size; at++)
			for (unsigned int by = 1; by < 256; by += step) {
				block[at] ^= (unsigned char)by;
				write_anew(path, bytes, size);
				block[at] ^= (unsigned char)by;
				if (load(path))
					loaded++;
				else
					refused++;
			}
	}
	print_message("%u loaded, %u refused\n", loaded, refused);
	assert_true(loaded > 100 && refused > 100);
	free(bytes);
	remove_folder(folder);
	free(folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest of_any_trace[] = {cmocka_unit_test(test_changed_bytes),
						  cmocka_unit_test(test_changed_pages)};

	if (argc >= 2) {
		asked_rounds = (unsigned int)atoi(argv[1]);
		asked_trace = argv[2];
	}
	if (argc >= 4)
		seed = (unsigned int)atoi(argv[3]);
	if (asked_trace)
		return cmocka_run_group_tests(of_any_trace, NULL, NULL);

	return run_registered(1, argv, NULL, NULL);
}
