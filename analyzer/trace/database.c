#include "trace/database.h"
#include "base/memory.h"
#include "facts/format.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_HEADER_BYTES   100 /* https://sqlite.org/fileformat.html, 1.3 */
#define BUSY_TIMEOUT_MS	    2000
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
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = ' ';
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

/* Every SQLite failure ends here. */
static void sqlite_fail(struct database *database, int status, const char *sql)
{
	int primary = status & 0xff;

	if (primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT)
		database_fail(database, "is damaged: %s (in: %.*s)",
			      sqlite3_errmsg(database->connection), LONGEST_QUOTE_BYTES, sql);
	else if (primary == SQLITE_BUSY)
		database_fail(database, "is locked by another program (in: %.*s)",
			      LONGEST_QUOTE_BYTES, sql);
	else
		database_fail(database, "%s (in: %.*s)", sqlite3_errmsg(database->connection),
			      LONGEST_QUOTE_BYTES, sql);
}

static bool log_exists(const char *path)
{
	char *log = memory_format("%s-wal", path);
	struct stat status;
	bool exists = stat(log, &status) == 0 && status.st_size > 0;

	free(log);
	return exists;
}

/* Refuses what SQLite would refuse in less helpful words, or not at all: it opens an empty file as
 * an empty database, and notices missing pages only when it needs them. */
static void check_file(struct database *database)
{
	unsigned char header[FILE_HEADER_BYTES] = {0};
	uint64_t page_bytes, expected_bytes;
	struct stat status;
	ssize_t got;
	int file = open(database->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (file < 0 || fstat(file, &status)) {
		database_fail(database, "%s", strerror(errno));
		goto out;
	}
	if (!S_ISREG(status.st_mode)) {
		database_fail(database, "is not a trace: %s",
			      S_ISDIR(status.st_mode) ? "it is a directory" : "not a regular file");
		goto out;
	}
	got = pread(file, header, sizeof(header), 0);
	if (got == 0)
		database_fail(database, "is not a trace: the file is empty");
	else if (got < 16 || memcmp(header, "SQLite format 3", 16) != 0)
		database_fail(database, "is not a trace: it is not a SQLite database");
	else if (got < FILE_HEADER_BYTES)
		database_fail(database, "is truncated: only %zd bytes are left", got);
	page_bytes = (uint64_t)header[16] << 8 | header[17];
	page_bytes = page_bytes == 1 ? 65536 : page_bytes;
	expected_bytes = page_bytes * ((uint64_t)header[28] << 24 | (uint64_t)header[29] << 16 |
				       (uint64_t)header[30] << 8 | header[31]);
	/* With a log the header may be ahead of the file: a checkpoint writes it in any order. */
	if ((uint64_t)status.st_size < expected_bytes && !log_exists(database->path))
		database_fail(database, "is truncated: %llu of %llu bytes are left",
			      (unsigned long long)status.st_size,
			      (unsigned long long)expected_bytes);
out:
	if (file >= 0)
		close(file);
}

static int execute(struct database *database, const char *sql)
{
	return sqlite3_exec(database->connection, sql, NULL, NULL, NULL);
}

/* Opens the connection and takes a read transaction that has really begun. */
static int begin(struct database *database, const char *name, int flags)
{
	int status;

	sqlite3_close_v2(database->connection);
	database->connection = NULL;
	status = sqlite3_open_v2(name, (sqlite3 **)&database->connection,
				 flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL);
	if (status != SQLITE_OK)
		return status;
	sqlite3_extended_result_codes(database->connection, 1);
	sqlite3_busy_timeout(database->connection, BUSY_TIMEOUT_MS);
	sqlite3_db_config(database->connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(database->connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	status = execute(database, "PRAGMA cell_size_check = ON");
	if (status != SQLITE_OK)
		return status;
	return execute(database, flags & SQLITE_OPEN_READWRITE
					 ? "BEGIN IMMEDIATE"
					 : "BEGIN; SELECT count(*) FROM sqlite_schema");
}

/* The file's URI; path may hold any byte. */
static char *file_uri(const char *path, const char *parameters)
{
	char *escaped = memory_array(strlen(path) + 1, 3), *out = escaped, *uri;

	for (; *path; path++)
		if (strchr("%?#", *path))
			out += sprintf(out, "%%%02X", (unsigned char)*path);
		else
			*out++ = *path;
	/* With no authority: a path that begins with two slashes would name one. */
	uri = memory_format("file:%s%s%s", *escaped == '/' ? "//" : "", escaped, parameters);
	free(escaped);
	return uri;
}

static void check_format(struct database *database)
{
	int64_t major;

	if (database_number(database, "header", "PRAGMA application_id") != FORMAT_APPLICATION_ID)
		database_fail(database, "is not a trace: this SQLite database was written by "
					"another program");
	database->schema_version = database_number(database, "header", "PRAGMA user_version");
	major = database->schema_version / 1000;
	if (major > FORMAT_MAJOR)
		database_fail(database,
			      "has trace format %lld.%lld, this streamtrace reads up to %d.x: "
			      "use a newer streamtrace",
			      (long long)major, (long long)(database->schema_version % 1000),
			      FORMAT_MAJOR);
	else if (major < 1)
		database_fail(database, "has no valid trace format version");
}

/* A log needs an index beside it, which cannot be made in a folder that is read-only. */
static bool is_folder_read_only(int status)
{
	int primary = status & 0xff;

	return primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY;
}

void database_open(struct database *database, const char *path)
{
	char *uri = file_uri(path, "?mode=ro"), *immutable = file_uri(path, "?immutable=1");
	int status = SQLITE_OK;

	*database = (struct database){.path = path};
	check_file(database);
	if (!database->error)
		status = begin(database, uri, SQLITE_OPEN_READONLY);
	if (is_folder_read_only(status)) {
		database->lacks_log = log_exists(path);
		status = begin(database, immutable, SQLITE_OPEN_READONLY);
	}
	if (status != SQLITE_OK)
		sqlite_fail(database, status, "BEGIN");
	check_format(database);
	free(uri);
	free(immutable);
}

void database_open_write(struct database *database, const char *path)
{
	char *uri = file_uri(path, "?mode=rw");
	int status = SQLITE_OK;

	*database = (struct database){.path = path};
	check_file(database);
	if (!database->error)
		status = begin(database, uri, SQLITE_OPEN_READWRITE);
	if (status != SQLITE_OK)
		sqlite_fail(database, status, "BEGIN IMMEDIATE");
	check_format(database);
	free(uri);
}

void database_commit(struct database *database)
{
	int status;

	if (database->error)
		return;
	status = execute(database, "COMMIT");
	if (status != SQLITE_OK)
		sqlite_fail(database, status, "COMMIT");
}

char *database_close(struct database *database)
{
	char *error = database->error;

	/* Cannot fail: every statement is finalized, and an open transaction is rolled back. */
	sqlite3_close_v2(database->connection);
	*database = (struct database){0};
	return error;
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
		sqlite_fail(database, status, sql);
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
		sqlite_fail(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_value(struct query *query, int parameter, int64_t value, int64_t absent)
{
	int status;

	if (query->database->error)
		return;
	status = value == absent ? sqlite3_bind_null(query->statement, parameter)
				 : sqlite3_bind_int64(query->statement, parameter, value);
	if (status != SQLITE_OK)
		sqlite_fail(query->database, status, sqlite3_sql(query->statement));
}

void query_bind_text(struct query *query, const char *parameter, const char *text)
{
	int status;

	if (query->database->error)
		return;
	status = sqlite3_bind_text(query->statement, parameter_index(query, parameter), text, -1,
				   SQLITE_STATIC);
	if (status != SQLITE_OK)
		sqlite_fail(query->database, status, sqlite3_sql(query->statement));
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
		sqlite_fail(query->database, status, sqlite3_sql(query->statement));
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

int64_t query_integer(struct query *query, int column, int64_t low, int64_t high)
{
	int64_t value;

	if (query->database->error)
		return low;
	if (sqlite3_column_type(query->statement, column) != SQLITE_INTEGER) {
		query_fail(query, "%s is %s, not a number", column_name(query, column),
			   query_is_null(query, column) ? "missing" : "of a wrong type");
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
	if (query_is_null(query, column))
		return absent;
	return query_integer(query, column, low, high);
}

uint64_t query_bits(struct query *query, int column)
{
	return (uint64_t)query_optional(query, column, INT64_MIN, INT64_MAX, 0);
}

const char *query_optional_text(struct query *query, int column)
{
	if (query->database->error || query_is_null(query, column))
		return NULL;
	if (sqlite3_column_type(query->statement, column) == SQLITE_TEXT)
		return (const char *)sqlite3_column_text(query->statement, column);
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
			   query_is_null(query, column) ? "missing" : "of a wrong type");
		return NULL;
	}
	*size = (size_t)sqlite3_column_bytes(query->statement, column);
	return sqlite3_column_blob(query->statement, column);
}

bool query_is_null(struct query *query, int column)
{
	return query->database->error ||
	       sqlite3_column_type(query->statement, column) == SQLITE_NULL;
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
