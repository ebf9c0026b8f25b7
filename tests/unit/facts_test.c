/* schema.sql, which is written for people, says what facts/ says. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "facts/facts.h"
#include "facts/rows.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct column {
	const char *table, *name, *type, *null;
};

static const struct column columns[] = {
#define COLUMN(table, name, type, null, written, values) {#table, #name, #type, #null},
#include "facts/columns.def"
};

static const char *const tables[] = {
#define TABLE(table, since, holds) #table,
#include "facts/columns.def"
};

static char *schema;
static sqlite3 *database;

static int64_t number(const char *format, const char *a, const char *b)
{
	char sql[512];
	sqlite3_stmt *statement;
	int64_t value;

	snprintf(sql, sizeof(sql), format, a, b);
	assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	return value;
}

TEST(test_version)
{
	assert_int_equal(number("PRAGMA application_id", "", ""), FORMAT_APPLICATION_ID);
	assert_int_equal(number("PRAGMA user_version", "", ""), FORMAT_VERSION);
}

/* Every table is in the list, and every column in its order. */
TEST(test_columns)
{
	size_t i, column = 0;

	assert_int_equal(number("SELECT count(*) FROM sqlite_schema WHERE type = 'table'", "", ""),
			 TABLE_COUNT);
	for (i = 0; i < TABLE_COUNT; i++) {
		sqlite3_stmt *statement;
		char sql[256];

		snprintf(sql, sizeof(sql),
			 "SELECT name, type, CASE WHEN pk THEN 'KEY' WHEN \"notnull\" THEN "
			 "'NOT_NULL' ELSE 'NULLABLE' END FROM pragma_table_info('%s')",
			 tables[i]);
		sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
		for (; sqlite3_step(statement) == SQLITE_ROW; column++) {
			assert_in_range(column, 0, sizeof(columns) / sizeof(*columns) - 1);
			assert_string_equal(columns[column].table, tables[i]);
			assert_string_equal(columns[column].name,
					    sqlite3_column_text(statement, 0));
			assert_string_equal(columns[column].type,
					    sqlite3_column_text(statement, 1));
			assert_string_equal(columns[column].null,
					    sqlite3_column_text(statement, 2));
		}
		sqlite3_finalize(statement);
	}
	assert_int_equal(column, sizeof(columns) / sizeof(*columns));
}

/* The text from one mark to the next, in one line without the comments' marks; to be freed. */
static char *part(const char *from, const char *to)
{
	const char *start = strstr(schema, from), *end = start ? strstr(start, to) : NULL, *in;
	char *text, *out;

	assert_non_null(start);
	assert_non_null(end);
	text = out = calloc((size_t)(end - start) + 2, 1);
	for (in = start; in < end; in++) {
		const bool is_mark = in[0] == '-' && in[1] == '-' && (in == start || in[-1] <= ' ');

		if (is_mark)
			in++;
		else if (*in > ' ')
			*out++ = *in;
		else if (out > text && out[-1] != ' ')
			*out++ = ' ';
	}
	return text;
}

static void expect(const char *text, const char *format, int number_of, const char *word)
{
	char wanted[256];

	snprintf(wanted, sizeof(wanted), format, number_of, word);
	if (!strstr(text, wanted))
		fail_msg("schema.sql does not say '%s'", wanted);
}

TEST(test_function_classes)
{
	char *text = part("class TEXT NOT NULL", ");");

#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot)                               \
	if (!strstr(text, " " word ",") && !strstr(text, " " word " "))                            \
		fail_msg("schema.sql does not name the class %s", word);
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	free(text);
}

/* Each has a paragraph. */
TEST(test_losses)
{
	char line[64];

#define LOSS_KIND(symbol, word, is_event, text)                                                    \
	snprintf(line, sizeof(line), "\n--   %-18s", word);                                        \
	if (!strstr(schema, line))                                                                 \
		fail_msg("schema.sql has no paragraph on the loss %s", word);
#include "facts/loss_kinds.def"
#undef LOSS_KIND
}

TEST(test_numbers)
{
	char *memory = part("Memory kinds are CUPTI's", "CREATE TABLE operations");
	char *operation = part("CREATE TABLE operations", "start_ns");
	char *overhead = part("-- Time that CUPTI reports as overhead", "CREATE TABLE overheads");
	char *stream = part("CREATE TABLE streams", "priority");
	char *use = part("-- Since format 1.2. One row a copy", "CREATE TABLE first_uses");
	char *host = part("-- What the host's threads did", "CREATE TABLE host_states");
	char *collective = part("operation       INTEGER NOT NULL", "size_bytes");

#define MEMORY_KIND(symbol, value, word) expect(memory, " %d %s", value, word);
#include "facts/memory_kinds.def"
#define OPERATION_KIND(symbol, value, word) expect(operation, " %d %s", value, word);
#include "facts/operation_kinds.def"
#define OVERHEAD_KIND(symbol, value, word) expect(overhead, " %d %s", value, word);
#include "facts/overhead_kinds.def"
#define STREAM_FLAG(symbol, value, word) expect(stream, " %d %s", value, word);
#include "facts/stream_flags.def"
#define FIRST_USE_KIND(symbol, value, word) expect(use, " %d %s", value, word);
#include "facts/first_use_kinds.def"
#define HOST_STATE(symbol, value, word) expect(host, " %d %s", value, word);
#include "facts/host_states.def"
#define COLLECTIVE(symbol, value, word) expect(collective, " %d %s", value, word);
#include "facts/collectives.def"
	free(memory);
	free(operation);
	free(overhead);
	free(stream);
	free(use);
	free(host);
	free(collective);
}

int main(int argc, char **argv)
{
	schema = read_file(SCHEMA_FILE, NULL);
	if (sqlite3_open(":memory:", &database) || sqlite3_exec(database, schema, NULL, NULL, NULL))
		return 1;

	return run_registered(argc, argv, NULL, NULL);
}
