/* The statements of a database, and how failures are kept (database.h). */
#include "base/memory.h"
#include "base/printable.h"
#include "trace/database.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST_QUOTE_BYTES 120

static void fail_arguments(struct database *database, const char *prefix, const char *format,
			   va_list arguments)
{
	char *text = NULL, *c;

	if (database->error)
		return;
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	database->error = memory_format("%s%s", prefix, text ? text : "out of memory");
	free(text);
	for (c = database->error; *c; c++)
		if (*c == '\n' || *c == '\t') /* of a statement */
			*c = ' ';
	/* SQLite's errors quote the file, and so do ours. */
	printable_make(database->error);
}

void database_fail(struct database *database, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fail_arguments(database, "", format, arguments);
	va_end(arguments);
}

void query_fail(struct query *query, const char *format, ...)
{
	char prefix[80];
	va_list arguments;

	snprintf(prefix, sizeof(prefix), "table %s, row %lld: ", query->table,
		 (long long)query->row);
	va_start(arguments, format);
	fail_arguments(query->database, prefix, format, arguments);
	va_end(arguments);
}

void database_fail_sqlite(struct database *database, int status, const char *sql)
{
	int primary = status & 0xff;

	if (primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT)
		database_fail(database, "is damaged: %s (in: %.*s)",
			      sqlite3_errmsg(database->connection), LONGEST_QUOTE_BYTES, sql);
	else if (primary == SQLITE_INTERRUPT)
		database_fail(database, LIMITS_EXCEEDED);
	else if (primary == SQLITE_BUSY)
		database_fail(database, "is locked by another program (in: %.*s)",
			      LONGEST_QUOTE_BYTES, sql);
	else
		database_fail(database, "%s (in: %.*s)", sqlite3_errmsg(database->connection),
			      LONGEST_QUOTE_BYTES, sql);
}

void query_open(struct query *query, struct database *database, const char *table, const char *sql)
{
	int status;

	*query = (struct query){.database = database, .table = table};
	if (database->error)
		return;
	status = sqlite3_prepare_v2(database->connection, sql, -1,
				    (sqlite3_stmt **)&query->statement, NULL);
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, sql);
}

static int parameter_index(struct query *query, const char *parameter)
{
	return sqlite3_bind_parameter_index(query->statement, parameter);
}

void query_bind_integer(struct query *query, const char *parameter, int64_t value)
{
	int status;

	if (query->database->error)
		return;
	status = sqlite3_bind_int64(query->statement, parameter_index(query, parameter), value);
	if (status != SQLITE_OK)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_value(struct query *query, int parameter, int64_t value, int64_t absent)
{
	int status;

	if (query->database->error)
		return;
	status = value == absent ? sqlite3_bind_null(query->statement, parameter)
				 : sqlite3_bind_int64(query->statement, parameter, value);
	if (status != SQLITE_OK)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_text(struct query *query, const char *parameter, const char *text)
{
	int status;

	if (query->database->error)
		return;
	status = sqlite3_bind_text(query->statement, parameter_index(query, parameter), text, -1,
				   SQLITE_STATIC);
	if (status != SQLITE_OK)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_word(struct query *query, int parameter, const char *text)
{
	int status;

	if (query->database->error)
		return;
	status = sqlite3_bind_text(query->statement, parameter, text, -1, SQLITE_STATIC);
	if (status != SQLITE_OK)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_bytes(struct query *query, int parameter, const void *bytes, size_t size)
{
	int status;

	if (query->database->error)
		return;
	status = sqlite3_bind_blob64(query->statement, parameter, bytes, size, SQLITE_STATIC);
	if (status != SQLITE_OK)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
}

bool query_next(struct query *query)
{
	int status;

	if (query->database->error)
		return false;
	status = sqlite3_step(query->statement);
	if (status == SQLITE_ROW) {
		query->row++;
		return true;
	}
	if (status != SQLITE_DONE)
		database_fail_sqlite(query->database, status, sqlite3_sql(query->statement));
	/* Repeats the status of the step, which was handled. */
	(void)sqlite3_reset(query->statement);
	query->row = 0;
	return false;
}

static const char *column_name(struct query *query, int column)
{
	const char *name = sqlite3_column_name(query->statement, column);

	return name ? name : "?";
}

static bool is_null(struct query *query, int column)
{
	return query->database->error ||
	       sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

int64_t query_integer(struct query *query, int column, int64_t low, int64_t high)
{
	int64_t value;

	if (query->database->error)
		return low;
	if (sqlite3_column_type(query->statement, column) != SQLITE_INTEGER) {
		query_fail(query, "%s is %s, not a number", column_name(query, column),
			   is_null(query, column) ? "missing" : "of a wrong type");
		return low;
	}
	value = sqlite3_column_int64(query->statement, column);
	if (value >= low && value <= high)
		return value;
	query_fail(query, "%s is out of range: %lld", column_name(query, column), (long long)value);
	return low;
}

int64_t query_optional(struct query *query, int column, int64_t low, int64_t high, int64_t absent)
{
	if (is_null(query, column))
		return absent;
	return query_integer(query, column, low, high);
}

/* Many rows can share the pages of one long value. */
static void take_bytes(struct query *query, int column)
{
	int bytes = sqlite3_column_bytes(query->statement, column);

	if (!limits_take(&query->database->limits, (uint64_t)bytes))
		database_fail(query->database, LIMITS_EXCEEDED);
}

const char *query_optional_text(struct query *query, int column)
{
	if (query->database->error || is_null(query, column))
		return NULL;
	if (sqlite3_column_type(query->statement, column) == SQLITE_TEXT) {
		take_bytes(query, column);
		return (const char *)sqlite3_column_text(query->statement, column);
	}
	query_fail(query, "%s is of a wrong type, not text", column_name(query, column));
	return NULL;
}

const char *query_text(struct query *query, int column)
{
	const char *text = query_optional_text(query, column);

	if (!text)
		query_fail(query, "%s is missing", column_name(query, column));
	return text ? text : "";
}

const void *query_bytes(struct query *query, int column, size_t *size)
{
	*size = 0;
	if (query->database->error)
		return NULL;
	if (sqlite3_column_type(query->statement, column) != SQLITE_BLOB) {
		query_fail(query, "%s is %s, not bytes", column_name(query, column),
			   is_null(query, column) ? "missing" : "of a wrong type");
		return NULL;
	}
	take_bytes(query, column);
	*size = (size_t)sqlite3_column_bytes(query->statement, column);
	return sqlite3_column_blob(query->statement, column);
}

void query_close(struct query *query)
{
	/* Repeats the status of the last step, which was handled. */
	(void)sqlite3_finalize(query->statement);
	query->statement = NULL;
}

int64_t database_number(struct database *database, const char *table, const char *sql)
{
	struct query query;
	int64_t value = 0;

	query_open(&query, database, table, sql);
	if (query_next(&query))
		value = query_integer(&query, 0, INT64_MIN, INT64_MAX);
	query_close(&query);
	return value;
}

/* False: the value is not the column's. */
static bool read_value(const struct query_column *column, sqlite3_value *value, void *row)
{
	const int type = sqlite3_value_type(value);
	void *member = (char *)row + column->offset;
	int64_t number;

	if (column->is_text) {
		if (type != SQLITE_TEXT && !(type == SQLITE_NULL && column->is_nullable))
			return false;
		*(const char **)member = (const char *)sqlite3_value_text(value);
		return true;
	}
	if (type == SQLITE_INTEGER) {
		number = sqlite3_value_int64(value);
		*(int64_t *)member = number;
		return number >= column->low && number <= column->high;
	}
	*(int64_t *)member = column->absent;
	return type == SQLITE_NULL && column->is_nullable;
}

static void scan_row(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct query *query = ((struct database *)sqlite3_user_data(context))->scanned;
	const struct query_scan *scan = query->scan;

	query->row++;
	if (count != scan->column_count)
		query_fail(query, "it has %d columns", count);
	for (int i = 0; i < count && i < scan->column_count; i++)
		if (!read_value(&scan->columns[i], values[i], scan->row))
			query_fail(query, "%s does not fit", scan->columns[i].name);
	if (!query->database->error)
		scan->take(scan->context);
	if (query->database->error)
		sqlite3_result_error(context, query->database->error, -1);
}

static void end_scan(sqlite3_context *context)
{
	sqlite3_result_null(context);
}

int query_register_scans(struct database *database)
{
	return sqlite3_create_function_v2(database->connection, QUERY_SCANS, -1,
					  SQLITE_UTF8 | SQLITE_DIRECTONLY, database, NULL, scan_row,
					  end_scan, NULL);
}

static void clean_text(sqlite3_context *context, int count, sqlite3_value **values)
{
	const char *text = (const char *)sqlite3_value_text(values[0]);
	char *clean;

	if (!text)
		return;
	clean = memory_format("%s", text);
	printable_make(clean);
	sqlite3_result_text(context, clean, -1, free);
}

int query_register_texts(struct database *database)
{
	return sqlite3_create_function_v2(database->connection, QUERY_TEXT, 1,
					  SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, clean_text,
					  NULL, NULL, NULL);
}

bool query_scan(struct query *query, struct query_scan *scan)
{
	if (query->database->error)
		return false;
	query->scan = scan;
	query->database->scanned = query;
	while (query_next(query))
		;
	query->database->scanned = NULL;
	return !query->database->error;
}
