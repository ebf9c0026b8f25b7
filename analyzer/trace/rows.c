#include "trace/rows.h"

#include "base/memory.h"
#include "facts/facts.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A time, a sum of times and a difference of two must all fit into an int64_t. */
#define TIME_LIMIT_NS	 (INT64_MAX / 2)
#define LOSS_COUNT_LIMIT ((int64_t)1 << 53)

/* What columns.def may call the values that a column has. */
enum values {
	VALUES_UNREAD,
	VALUES_TEXT,
	VALUES_BYTES,
	VALUES_ANY,
	VALUES_ID32,
	VALUES_INT32,
	VALUES_TIME,
	VALUES_FLAG,
	VALUES_BYTE,
	VALUES_COUNT,
	VALUES_COUNT32,
	VALUES_REGISTERS,
	VALUES_DEPTH,
	VALUES_LOSS_COUNT,
	VALUES_OPERATION_KIND,
	VALUES_STREAM_FLAG,
	VALUES_FIRST_USE_KIND,
	VALUES_HOST_STATE,
	VALUES_COLLECTIVE,
};

static const struct {
	int64_t low, high;
} limits[] = {
	[VALUES_ANY] = {INT64_MIN, INT64_MAX},
	[VALUES_ID32] = {0, UINT32_MAX},
	[VALUES_INT32] = {INT32_MIN, INT32_MAX},
	[VALUES_TIME] = {0, TIME_LIMIT_NS},
	[VALUES_FLAG] = {0, 1},
	[VALUES_BYTE] = {0, UINT8_MAX},
	[VALUES_COUNT] = {0, INT64_MAX},
	[VALUES_COUNT32] = {0, INT32_MAX},
	[VALUES_REGISTERS] = {0, 255},
	[VALUES_DEPTH] = {0, 4096},
	[VALUES_LOSS_COUNT] = {-LOSS_COUNT_LIMIT, LOSS_COUNT_LIMIT},
	[VALUES_OPERATION_KIND] = {OPERATION_KERNEL, OPERATION_KIND_COUNT - 1},
	[VALUES_STREAM_FLAG] = {STREAM_UNKNOWN, STREAM_FLAG_COUNT - 1},
	[VALUES_FIRST_USE_KIND] = {FIRST_USE_NEVER, FIRST_USE_KIND_COUNT - 1},
	[VALUES_HOST_STATE] = {HOST_STATE_RUNNING, HOST_STATE_COUNT - 1},
	[VALUES_COLLECTIVE] = {COLLECTIVE_ALL_REDUCE, COLLECTIVE_OPERATION_COUNT - 1},
};

enum null { NULLABLE, NOT_NULL, KEY };
enum type { TYPE_INTEGER, TYPE_TEXT, TYPE_BLOB };

struct column {
	const char *name;
	size_t offset; /* of its member */
	enum values values;
	bool is_nullable, is_text;
};

#define TABLE(table, since, holds) static const struct column table##_columns[] = {
#define COLUMN(table, name, type, null, written, values)                                           \
	{#name, offsetof(struct table##_row, name), VALUES_##values, (null) == NULLABLE,           \
	 TYPE_##type == TYPE_TEXT},
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"

/* Whether all numbers of a row are within their limits. No branches: there are millions of rows. */
static inline bool is_good(const void *member, enum values values, bool is_nullable)
{
	const bool is_number =
		values != VALUES_UNREAD && values != VALUES_TEXT && values != VALUES_BYTES;
	const int64_t value = is_number ? *(const int64_t *)member : 0;

	return (!is_number) | ((value >= limits[values].low) & (value <= limits[values].high)) |
	       (is_nullable & (value == ROW_NULL));
}

#define TABLE(table, since, holds)                                                                 \
	static bool table##_is_good(const void *row)                                               \
	{                                                                                          \
		const struct table##_row *columns = row;                                           \
		bool all = true;
#define COLUMN(table, name, type, null, written, values)                                           \
	all &= is_good(&columns->name, VALUES_##values, (null) == NULLABLE);
#define END(table)                                                                                 \
	return all;                                                                                \
	}
#include "facts/columns.def"

enum holds { NAMES, EVENTS };

static const struct {
	const char *name;
	const struct column *columns;
	size_t column_count;
	int since; /* version of the format, 0: the first one */
	enum holds holds;
	bool (*is_good)(const void *row);
} tables[] = {
#define TABLE(table, since, holds)                                                                 \
	{#table, table##_columns, sizeof(table##_columns) / sizeof(*table##_columns),              \
	 since,	 holds,		  table##_is_good},
#include "facts/columns.def"
};

/* Only what is read can be kept. */
enum {
#define COLUMN(table, name, type, null, written, values)                                           \
	table##_##name##_is_read = VALUES_##values != VALUES_UNREAD,
#include "facts/columns.def"
};
#define CALL_KEEPS(name, type, missing)	     _Static_assert(calls_##name##_is_read, #name);
#define OPERATION_KEEPS(name, type, missing) _Static_assert(operations_##name##_is_read, #name);
#define STREAM_KEEPS(name, type, missing)    _Static_assert(streams_##name##_is_read, #name);
#include "facts/columns.def"

static const struct {
	enum row_table table;
	const char *name, *old;
} renamed[] = {
#define RENAMED(table, name, old) {TABLE_##table, #name, #old},
#include "facts/columns.def"
};

/* Of the format that this program reads, or of a newer minor version. */
static bool is_current(const struct database *database)
{
	return database->schema_version >= FORMAT_VERSION;
}

static bool has_column(struct database *database, enum row_table table, const char *column)
{
	struct query query;
	bool is_there;

	query_open(&query, database, tables[table].name,
		   "SELECT 1 FROM pragma_table_info(:table) WHERE name = :column");
	query_bind_text(&query, ":table", tables[table].name);
	query_bind_text(&query, ":column", column);
	is_there = query_next(&query);
	query_close(&query);
	return is_there;
}

/* Tables of format 1.0 must be there. */
bool rows_has_table(struct database *database, enum row_table table)
{
	return !tables[table].since || has_column(database, table, tables[table].columns[0].name);
}

/* What stands for the column in the statement. What SQLite does not find it names itself. */
static const char *column_sql(struct database *database, enum row_table table,
			      const struct column *column)
{
	if (is_current(database) || has_column(database, table, column->name))
		return column->name;
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (renamed[i].table == table && !strcmp(renamed[i].name, column->name))
			return renamed[i].old;
	return column->is_nullable ? "NULL" : column->name;
}

/* Lists the columns read, for the statement: with their names, unless they are a function's
 * arguments. */
static char *list_columns(struct rows *rows, bool is_named)
{
	char *list = memory_array(1, 1), *longer;

	rows->column_count = 0;
	for (size_t i = 0; i < tables[rows->table].column_count; i++) {
		const struct column *column = &tables[rows->table].columns[i];
		const char *sql, *name;

		if (column->values == VALUES_UNREAD)
			continue;
		sql = column_sql(rows->query.database, rows->table, column);
		name = is_named && sql != column->name ? column->name : NULL;
		longer = memory_format("%s%s%s%s%s", list, rows->column_count ? ", " : "", sql,
				       name ? " AS " : "", name ? name : "");
		free(list);
		list = longer;
		rows->columns[rows->column_count++] = column;
	}
	return list;
}

static void open_rows(struct rows *rows, struct database *database, enum row_table table,
		      const char *condition, bool is_scan)
{
	char *list;

	*rows = (struct rows){.table = table, .query.database = database};
	if (database->error || !rows_has_table(database, table))
		return;
	list = list_columns(rows, !is_scan);
	rows->sql = memory_format("SELECT %s%s%s FROM %s %s", is_scan ? QUERY_SCANS "(" : "", list,
				  is_scan ? ")" : "", tables[table].name, condition);
	free(list);
	query_open(&rows->query, database, tables[table].name, rows->sql);
}

void rows_open(struct rows *rows, struct database *database, enum row_table table,
	       const char *condition)
{
	open_rows(rows, database, table, condition, false);
}

void rows_open_scan(struct rows *rows, struct database *database, enum row_table table,
		    const char *condition)
{
	open_rows(rows, database, table, condition, true);
}

void rows_scan(struct rows *rows, void *row, void (*take)(void *context), void *context)
{
	struct query_column columns[ROW_COLUMNS_MOST];
	struct query_scan scan = {columns, rows->column_count, row, take, context};

	for (int i = 0; i < rows->column_count; i++) {
		const struct column *column = rows->columns[i];

		columns[i] = (struct query_column){
			.name = column->name,
			.offset = column->offset,
			.is_text = column->values == VALUES_TEXT,
			.is_nullable = column->is_nullable,
			.low = limits[column->values].low,
			.high = limits[column->values].high,
			.absent = ROW_NULL,
		};
	}
	if (rows->query.statement)
		query_scan(&rows->query, &scan);
}

static void read_text(struct rows *rows, int index, const char **text)
{
	*text = rows->columns[index]->is_nullable ? query_optional_text(&rows->query, index)
						  : query_text(&rows->query, index);
}

static void read_bytes(struct rows *rows, int index, struct row_bytes *bytes)
{
	bytes->start = query_bytes(&rows->query, index, &bytes->count);
}

static void read_integer(struct rows *rows, int index, int64_t *value)
{
	const struct column *column = rows->columns[index];
	const int64_t low = limits[column->values].low, high = limits[column->values].high;

	*value = column->is_nullable ? query_optional(&rows->query, index, low, high, ROW_NULL)
				     : query_integer(&rows->query, index, low, high);
}

bool rows_next(struct rows *rows, void *row)
{
	if (!rows->query.statement || !query_next(&rows->query))
		return false;
	for (int i = 0; i < rows->column_count; i++) {
		void *member = (char *)row + rows->columns[i]->offset;

		if (rows->columns[i]->values == VALUES_TEXT)
			read_text(rows, i, member);
		else if (rows->columns[i]->values == VALUES_BYTES)
			read_bytes(rows, i, member);
		else
			read_integer(rows, i, member);
	}
	return !rows->query.database->error;
}

void rows_expect(struct rows *rows, const char *column, int64_t value, int64_t low, int64_t high)
{
	if (value < low || value > high)
		rows_fail(rows, "%s is out of range: %lld", column, (long long)value);
}

bool rows_check(struct rows *rows, enum row_table table, const void *row)
{
	if (tables[table].is_good(row))
		return !rows->query.database->error;
	for (size_t i = 0; i < tables[table].column_count; i++) {
		const struct column *column = &tables[table].columns[i];
		const int64_t low = limits[column->values].low, high = limits[column->values].high;
		int64_t value;

		if (column->values == VALUES_UNREAD)
			continue;
		value = *(const int64_t *)((const char *)row + column->offset);
		if ((value < low || value > high) && !(column->is_nullable && value == ROW_NULL))
			rows_fail(rows, "%s is out of range: %lld", column->name, (long long)value);
	}
	return !rows->query.database->error;
}

void rows_open_insert(struct rows *rows, struct database *database, enum row_table table)
{
	char *names = memory_array(1, 1), *values = memory_array(1, 1), *longer;

	*rows = (struct rows){.table = table};
	for (size_t i = 0; i < tables[table].column_count; i++) {
		longer = memory_format("%s%s%s", names, i ? ", " : "",
				       tables[table].columns[i].name);
		free(names);
		names = longer;
		longer = memory_format("%s%s", values, i ? ", ?" : "?");
		free(values);
		values = longer;
	}
	rows->sql =
		memory_format("INSERT INTO %s (%s) VALUES (%s)", tables[table].name, names, values);
	free(names);
	free(values);
	query_open(&rows->query, database, tables[table].name, rows->sql);
}

bool rows_insert(struct rows *rows, const void *row)
{
	for (size_t i = 0; i < tables[rows->table].column_count; i++) {
		const struct column *column = &tables[rows->table].columns[i];

		query_bind_value(&rows->query, (int)i + 1,
				 *(const int64_t *)((const char *)row + column->offset), ROW_NULL);
	}
	query_next(&rows->query);
	return !rows->query.database->error;
}

void rows_create_view(struct database *database, enum row_table table, const char *schema,
		      const char *view)
{
	const bool has_table = !database->error && rows_has_table(database, table);
	char *sql = memory_format("CREATE TEMP VIEW %s AS SELECT ", view), *longer;

	for (size_t i = 0; i < tables[table].column_count; i++) {
		const struct column *column = &tables[table].columns[i];

		longer = memory_format("%s%s%s(%s) AS \"%s\"", sql, i ? ", " : "",
				       column->is_text ? QUERY_TEXT : "",
				       has_table ? column_sql(database, table, column) : "NULL",
				       column->name);
		free(sql);
		sql = longer;
	}
	longer = has_table ? memory_format("%s FROM %s.%s", sql, schema, tables[table].name)
			   : memory_format("%s WHERE 0", sql);
	database_run(database, longer);
	free(longer);
	free(sql);
}

void rows_close(struct rows *rows)
{
	query_close(&rows->query);
	free(rows->sql);
	rows->sql = NULL;
}

uint64_t rows_count(struct database *database, enum row_table table)
{
	/* Counts row by row: SQLite's own count(*) of a table ignores the limits (limits.h). */
	char *sql = memory_format("SELECT count(*) FROM (SELECT 1 FROM %s LIMIT -1)",
				  tables[table].name);
	uint64_t count = (uint64_t)database_number(database, tables[table].name, sql);

	free(sql);
	return count;
}

const char *rows_table_name(enum row_table table)
{
	return tables[table].name;
}

bool rows_are_events(enum row_table table)
{
	return tables[table].holds == EVENTS;
}
