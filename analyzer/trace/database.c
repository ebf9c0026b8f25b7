#include "trace/database.h"

#include "base/memory.h"
#include "facts/format.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_HEADER_BYTES 100 /* https://sqlite.org/fileformat.html, 1.3 */
#define BUSY_TIMEOUT_MS	  2000
#define JOIN_TRIES	  100
#define JOIN_PAUSE_MS	  10

/* The work allowed for writing, by byte of the trace: more than for reading, because of joins and
 * indexes. */
#define WRITTEN_PER_BYTE 64

/* How much more work is allowed for an export of Nsight Systems, which is joined to be read as a
 * trace. */
#define JOINS_WORK 8

static uint64_t bytes_beside(const char *path, const char *ending)
{
	char *beside = memory_format("%s%s", path, ending);
	struct stat status;
	uint64_t bytes = stat(beside, &status) ? 0 : (uint64_t)status.st_size;

	free(beside);
	return bytes;
}

static uint64_t log_bytes(const char *path)
{
	return bytes_beside(path, "-wal");
}

bool database_has_log(const char *path)
{
	return log_bytes(path) > 0;
}

/* Refuses pipes and the like beside the trace: SQLite opens these files, too, and would wait for a
 * pipe's writer. */
static void check_beside(struct database *database)
{
	static const char *const endings[] = {"-journal", "-wal", "-shm"};

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		char *path = memory_format("%s%s", database->path, endings[i]);
		struct stat status;

		if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
			database_fail(database,
				      "cannot be read: the %s file beside it is not a regular file",
				      endings[i]);
		free(path);
	}
}

/* Refuses files that SQLite would refuse less clearly, or not at all: it opens an empty file as an
 * empty database, and notices missing pages only when it needs them. */
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
	/* With a log or a journal the header may be ahead of the file: it is written in any order. */
	if ((uint64_t)status.st_size < expected_bytes && !database_has_log(database->path) &&
	    !bytes_beside(database->path, "-journal"))
		database_fail(database, "is truncated: %llu of %llu bytes are left",
			      (unsigned long long)status.st_size,
			      (unsigned long long)expected_bytes);
	check_beside(database);
out:
	if (file >= 0)
		close(file);
}

static int execute_sql(struct database *database, const char *sql)
{
	return sqlite3_exec(database->connection, sql, NULL, NULL, NULL);
}

/* A read transaction that has really begun. */
#define BEGIN_READ "BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1"

/* It would lock a counter at each allocation of each thread. */
static void leave_memory_uncounted(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int database_connect(const char *name, int flags, void **connection)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, leave_memory_uncounted);
	return sqlite3_open_v2(name, (sqlite3 **)connection, flags | SQLITE_OPEN_NOMUTEX, NULL);
}

/* Opens the connection and begins a transaction. */
static int begin_reading(struct database *database, const char *name, int flags)
{
	int status;

	sqlite3_close_v2(database->connection);
	database->connection = NULL;
	status = database_connect(name, flags | SQLITE_OPEN_URI, &database->connection);
	if (status != SQLITE_OK)
		return status;
	sqlite3_extended_result_codes(database->connection, 1);
	sqlite3_busy_timeout(database->connection, BUSY_TIMEOUT_MS);
	limits_set(database->connection, &database->limits,
		   database_bytes(database) + log_bytes(database->path));
	status = execute_sql(database, "PRAGMA cell_size_check = ON");
	if (status != SQLITE_OK)
		return status;
	status = query_register_scans(database);
	if (status != SQLITE_OK)
		return status;
	return execute_sql(database,
			   flags & SQLITE_OPEN_READWRITE ? "BEGIN IMMEDIATE" : BEGIN_READ);
}

/* The file's URI; path may hold any byte. */
char *database_file_uri(const char *path, const char *parameters)
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

/* Every export of Nsight Systems has these two. */
static bool is_of_nsys(struct database *database)
{
	return database_number(database, "header",
			       "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
			       "name IN ('StringIds', 'META_DATA_EXPORT')") == 2;
}

void database_check_schema(struct database *database)
{
	if (database_number(database, "schema",
			    "SELECT count(*) FROM sqlite_schema"
			    " WHERE type = 'table' AND rootpage = 0"))
		database_fail(database, "is not a trace: it has virtual tables");
	if (database_number(database, "schema",
			    "SELECT count(*) FROM sqlite_schema t"
			    " JOIN pragma_table_xinfo(t.name) c"
			    " WHERE t.type = 'table' AND c.hidden"))
		database_fail(database, "is not a trace: it has generated columns");
}

static void check_format(struct database *database)
{
	int64_t id = database_number(database, "header", "PRAGMA application_id"), major;

	if (id == FORMAT_SUMMARY_APPLICATION_ID)
		database_fail(database,
			      "is not a trace but a summary of one, which only the report "
			      "of a job reads");
	if (id != FORMAT_APPLICATION_ID) {
		database->is_nsys = is_of_nsys(database);
		database->schema_version = FORMAT_VERSION;
		database->limits.work_most *= JOINS_WORK;
		if (!database->is_nsys)
			database_fail(database, "is not a trace: this SQLite database was written "
						"by another program");
		database_check_schema(database);
		return;
	}
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
	database_check_schema(database);
}

/* A log needs an index beside it, which cannot be made in a folder that is read-only. */
static bool is_folder_read_only(int status)
{
	return (status & 0xff) == SQLITE_CANTOPEN ||
	       ((status & 0xff) == SQLITE_READONLY && status != SQLITE_READONLY_ROLLBACK);
}

void database_open(struct database *database, const char *path)
{
	int status = SQLITE_OK;

	*database = (struct database){.path = path, .uri = database_file_uri(path, "?mode=ro")};
	check_file(database);
	if (!database->error)
		status = begin_reading(database, database->uri, SQLITE_OPEN_READONLY);
	/* Not done here: what lies beside a file that is only read is not written into it. */
	if (status == SQLITE_READONLY_ROLLBACK)
		database_fail(database, "is not whole: what changed it was ended half-way; "
					"streamtrace unpack takes that back and changes all of it");
	if (is_folder_read_only(status)) {
		free(database->uri);
		database->uri = database_file_uri(path, "?immutable=1");
		database->lacks_log = database_has_log(path);
		status = begin_reading(database, database->uri, SQLITE_OPEN_READONLY);
	}
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "BEGIN");
	check_format(database);
}

/* Changes when another connection has committed; -1: not known. */
static int64_t data_version(struct database *database)
{
	int64_t version = database_number(database, "header", "PRAGMA data_version");

	return database->error ? -1 : version;
}

/* Whether another file is at the path by now. */
static bool is_moved(const struct database *database)
{
	int moved = 0;

	return sqlite3_file_control(database->connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) ||
	       moved;
}

/* All connections begin their transactions between two checks by a further one, which has none. */
static bool begin_together(struct database *watch, struct database *first, struct database *more,
			   size_t count)
{
	int status = begin_reading(watch, first->uri, SQLITE_OPEN_READONLY);
	int64_t version;

	if (status != SQLITE_OK || execute_sql(watch, "COMMIT") != SQLITE_OK)
		return false;
	version = data_version(watch);
	status = execute_sql(first, "COMMIT; " BEGIN_READ);
	if (status != SQLITE_OK)
		database_fail_sqlite(first, status, "BEGIN");
	check_format(first);
	for (size_t i = 0; i < count; i++)
		if (begin_reading(&more[i], first->uri, SQLITE_OPEN_READONLY) != SQLITE_OK ||
		    is_moved(&more[i]))
			return false;
	return version >= 0 && data_version(watch) == version && !is_moved(first);
}

bool database_open_more(struct database *first, struct database *more, size_t count)
{
	struct database watch = {.path = first->path};
	bool is_same;

	if (first->error || !sqlite3_threadsafe())
		return false;
	for (size_t i = 0; i < count; i++)
		more[i] = (struct database){.path = first->path,
					    .schema_version = first->schema_version};
	is_same = begin_together(&watch, first, more, count);
	free(database_close(&watch));
	for (size_t i = 0; !is_same && i < count; i++)
		free(database_close(&more[i]));
	return is_same;
}

static uint64_t file_bytes(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : (uint64_t)status.st_size;
}

uint64_t database_bytes(const struct database *database)
{
	return file_bytes(database->path);
}

void database_run(struct database *database, const char *sql)
{
	int status;

	if (database->error)
		return;
	status = execute_sql(database, sql);
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, sql);
}

void database_open_write(struct database *database, const char *path)
{
	char *uri = database_file_uri(path, "?mode=rw");
	int status = SQLITE_OK;

	*database = (struct database){.path = path};
	check_file(database);
	if (!database->error)
		status = begin_reading(database, uri, SQLITE_OPEN_READWRITE);
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "BEGIN IMMEDIATE");
	check_format(database);
	if (database->is_nsys)
		database_fail(database, "is an export of Nsight Systems, which is only read");
	/* The log is merged when the connection closes. */
	if (!database->error)
		execute_sql(database, "UPDATE metadata SET value = 'read' WHERE key = 'log'");
	free(uri);
}

/* SQLite leaves WAL mode in two steps: whoever began to read in between left an empty log, which
 * counts as none. Removes it if nobody else has the file open. */
static void remove_empty_log(const char *path)
{
	char *log = memory_format("%s-wal", path), *index = memory_format("%s-shm", path);
	struct stat status;

	if (stat(log, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) {
		unlink(log);
		unlink(index);
	}
	free(log);
	free(index);
}

bool database_join_log(const char *path)
{
	char *uri = database_file_uri(path, "?mode=rw");
	void *connection = NULL;
	int status = database_connect(uri, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, &connection);

	/* SQLite itself does not wait for readers here. */
	for (int tries = 0; status == SQLITE_OK; tries++) {
		status = sqlite3_exec(connection, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE",
				      NULL, NULL, NULL);
		if (status != SQLITE_BUSY || tries == JOIN_TRIES)
			break;
		status = SQLITE_OK;
		sqlite3_sleep(JOIN_PAUSE_MS);
	}
	if (status == SQLITE_OK)
		remove_empty_log(path);
	sqlite3_close_v2(connection);
	free(uri);
	return status == SQLITE_OK;
}

/* A trace in a folder that is read-only: see database_open(). */
static void attach_trace(struct database *database, const char *trace_path)
{
	static const char *const parameters[] = {"?mode=ro", "?immutable=1"};
	int status = SQLITE_CANTOPEN;

	for (int i = 0; i < 2 && is_folder_read_only(status); i++) {
		char *uri = database_file_uri(trace_path, parameters[i]);
		struct query query;

		query_open(&query, database, "trace", "ATTACH :uri AS trace");
		query_bind_text(&query, ":uri", uri);
		query_next(&query);
		query_close(&query);
		free(uri);
		status = database->error ? SQLITE_ERROR
					 : execute_sql(database,
						       "SELECT count(*) FROM trace.sqlite_schema");
		if (status != SQLITE_OK && !database->error && i == 0)
			execute_sql(database, "DETACH trace");
	}
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "ATTACH");
}

void database_create(struct database *database, const char *path, const char *trace_path)
{
	char *uri = database_file_uri(path, "");
	int status;

	*database = (struct database){.path = path};
	status = database_connect(uri, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI,
				  &database->connection);
	free(uri);
	if (status == SQLITE_OK)
		status = execute_sql(database,
				     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
	if (status == SQLITE_OK)
		status = query_register_texts(database);
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "PRAGMA journal_mode = OFF");
	sqlite3_extended_result_codes(database->connection, 1);
	sqlite3_busy_timeout(database->connection, BUSY_TIMEOUT_MS);
	limits_set(database->connection, &database->limits,
		   WRITTEN_PER_BYTE * (file_bytes(trace_path) + log_bytes(trace_path)));
	if (!database->error)
		attach_trace(database, trace_path);
	database_run(database, "BEGIN");
	database->schema_version = database_number(database, "header", "PRAGMA trace.user_version");
}

void database_commit(struct database *database)
{
	int status;

	if (database->error)
		return;
	status = execute_sql(database, "COMMIT");
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "COMMIT");
}

char *database_close(struct database *database)
{
	char *error = database->error;

	/* Cannot fail: every statement is finalized, and an open transaction is rolled back. */
	sqlite3_close_v2(database->connection);
	free(database->uri);
	*database = (struct database){0};
	return error;
}
