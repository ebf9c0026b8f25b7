/* Databases that are bytes in memory (database.h). */
#include "base/memory.h"
#include "trace/database.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_HEADER_BYTES 100 /* https://sqlite.org/fileformat.html, 1.3 */

/* What is written needs no more than this of limits_set(). */
#define WRITTEN_BYTES (UINT64_C(1) << 30)

/* With flags of SQLite's; bytes: what limits_set() takes. */
static void open_connection(struct database *database, const char *name, int flags, uint64_t bytes)
{
	int status = database_connect(name, flags, &database->connection);

	if (status != SQLITE_OK) {
		database_fail_sqlite(database, status, "open");
		return;
	}
	sqlite3_extended_result_codes(database->connection, 1);
	limits_set(database->connection, &database->limits, bytes);
}

static void open_memory(struct database *database, uint64_t bytes)
{
	*database = (struct database){.path = ":memory:"};
	open_connection(database, database->path,
			SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, bytes);
}

/* Begins to read it, if it is of that kind. */
static void begin_kind(struct database *database, const struct database_kind *kind)
{
	int64_t major;

	database_run(database, "PRAGMA cell_size_check = ON; BEGIN");
	if (database_number(database, "header", "PRAGMA application_id") != kind->application_id)
		database_fail(database, "is no %s: it was written by another program", kind->name);
	database->schema_version = database_number(database, "header", "PRAGMA user_version");
	major = database->schema_version / 1000;
	if (major > kind->major || major < 1)
		database_fail(database, "is a %s of format %lld.%lld, this streamtrace reads %d.x",
			      kind->name, (long long)major,
			      (long long)(database->schema_version % 1000), kind->major);
	database_check_schema(database);
}

void database_open_bytes(struct database *database, const void *bytes, size_t size,
			 const struct database_kind *kind)
{
	unsigned char *copy = sqlite3_malloc64(size ? size : 1);
	int status;

	open_memory(database, size);
	if (copy && size)
		memcpy(copy, bytes, size);
	if (!copy || database->error || size < FILE_HEADER_BYTES ||
	    memcmp(copy, "SQLite format 3", 16) != 0) {
		database_fail(database,
			      copy ? "is no %s: it is not a SQLite database" : "%s: out of memory",
			      kind->name);
		sqlite3_free(copy);
		return;
	}
	/* The header of a database written with a log tells it, but in memory there is no log. */
	copy[18] = copy[19] = 1;
	status = sqlite3_deserialize(database->connection, "main", copy, (sqlite3_int64)size,
				     (sqlite3_int64)size,
				     SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
	if (status != SQLITE_OK)
		database_fail_sqlite(database, status, "deserialize");
	begin_kind(database, kind);
}

void database_open_kind(struct database *database, const char *path,
			const struct database_kind *kind)
{
	struct stat status;

	*database = (struct database){.path = path, .uri = database_file_uri(path, "?immutable=1")};
	if (stat(path, &status) || !S_ISREG(status.st_mode)) {
		database_fail(database, "cannot be read");
		return;
	}
	open_connection(database, database->uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
			(uint64_t)status.st_size);
	begin_kind(database, kind);
}

void database_create_bytes(struct database *database, const char *schema)
{
	open_memory(database, WRITTEN_BYTES);
	database_run(database, schema);
	database_run(database, "BEGIN");
}

void *database_to_bytes(struct database *database, size_t *size)
{
	sqlite3_int64 bytes = 0;
	unsigned char *serialized = NULL;
	void *copy = NULL;

	*size = 0;
	database_commit(database);
	if (!database->error)
		serialized = sqlite3_serialize(database->connection, "main", &bytes, 0);
	if (!database->error && (!serialized || bytes <= 0))
		database_fail(database, "out of memory");
	if (!database->error && serialized) {
		*size = (size_t)bytes;
		copy = memory_array(*size, 1);
		memcpy(copy, serialized, *size);
	}
	sqlite3_free(serialized);
	return copy;
}
