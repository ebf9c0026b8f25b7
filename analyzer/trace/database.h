/*
 * The only module that calls SQLite (database.c, database_bytes.c, query.c, and limits.c for
 * restrictions): opens a trace, runs statements, checks the types and limits of their values, and
 * keeps the first failure as one line that quotes the statement.
 *
 *	database_open(&database, path);
 *	query_open(&query, &database, "calls", "SELECT id FROM calls");
 *	while (query_next(&query))
 *		id = query_integer(&query, 0, 0, INT64_MAX);
 *	query_close(&query);
 *	error = database_close(&database);
 *
 * After a failure every function does nothing and returns false, 0, NULL or "": check for an error
 * once, at the end. After each function that opens or creates, also if it failed, call
 * database_close(). Each database must be used by one thread at a time.
 */
#ifndef STREAMTRACE_DATABASE_H
#define STREAMTRACE_DATABASE_H

#include "trace/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database {
	void *connection; /* sqlite3 */
	const char *path; /* owned by the caller, who must keep it */
	char *uri;	  /* of a database opened for reading: the URI */
	char *error;	  /* NULL, or the first failure: one line, owned by the database */
	int64_t schema_version;
	bool lacks_log;	       /* the write-ahead log beside the file could not be read */
	bool is_nsys;	       /* an export of Nsight Systems (nsys.h), not a trace of ours */
	struct query *scanned; /* the query that query_scan() runs */
	struct limits limits;
};

/* Where to store a column's value: an int64_t or const char * at this offset in a row's struct.
 * low, high: the limits of a number; absent: its value for NULL. */
struct query_column {
	const char *name;
	size_t offset;
	bool is_text, is_nullable;
	int64_t low, high, absent;
};

/* sqlite3_open_v2() for use by one thread at a time; returns its status. All connections are made
 * by it. */
int database_connect(const char *name, int flags, void **connection);

/* Fills in *database: opens the trace at path and begins a read transaction, so that rows added
 * later by a running program do not show. If this version cannot read the file, database->error has
 * the reason. An export of Nsight Systems is opened, too, with is_nsys set. */
void database_open(struct database *database, const char *path);

/* Whether there is a nonempty write-ahead log beside the file. */
bool database_has_log(const char *path);

/* Opens `count` more connections, in the array `more`, to the trace of `first`. They see the same
 * rows as `first`, each on a thread of its own. Restarts the transaction of `first`: rows read
 * before may not agree with later ones. False: somebody wrote meanwhile, or the system has no more
 * connections; then none of `more` is open. */
bool database_open_more(struct database *first, struct database *more, size_t count);

/* The file's size in bytes without its log; 0 if it is gone. */
uint64_t database_bytes(const struct database *database);

/* Like database_open(), but for changes: begins a write transaction, which database_commit()
 * ends. */
void database_open_write(struct database *database, const char *path);

/* Commits the transaction of database_open_write() or database_create(). */
void database_commit(struct database *database);

/* Makes the trace at path a single file without a log. Waits for readers, about a second at most.
 * False: someone still reads the trace, or it cannot be written; nothing is lost. */
bool database_join_log(const char *path);

/* Identifies a kind of file of ours beside traces. */
struct database_kind {
	const char *name; /* "summary" */
	int64_t application_id;
	int major; /* of user_version (MAJOR * 1000 + MINOR); a newer major is refused */
};

/* Opens a database of this kind, held in memory, for reading. Copies the bytes, and trusts them no
 * more than a file. */
void database_open_bytes(struct database *database, const void *bytes, size_t size,
			 const struct database_kind *kind);

/* Like database_open_bytes(), for a file, which is read on demand. Nothing may write to it
 * meanwhile. */
void database_open_kind(struct database *database, const char *path,
			const struct database_kind *kind);

/* The URI of a file, which the caller must free(). path may contain any byte; parameters: the end
 * of the URI, such as "?mode=ro". */
char *database_file_uri(const char *path, const char *parameters);

/* Creates a database in memory with this schema, and begins a transaction. End it by
 * database_to_bytes(). */
void database_create_bytes(struct database *database, const char *schema);

/* Commits, and returns the database's bytes, which the caller must free(). NULL: failed, see
 * database->error. Equal statements give equal bytes. The database must still be closed. */
void *database_to_bytes(struct database *database, size_t *size);

/* Fails if SQLite would compute anything while it reads the tables. Ignores views, which cannot be
 * used. */
void database_check_schema(struct database *database);

/* Creates a new database in the empty file at path, attaches the trace, read-only, as `trace`, and
 * begins a transaction of both. End it by database_commit(). A failure can leave an incomplete
 * file. */
void database_create(struct database *database, const char *path, const char *trace_path);

/* Runs statements, separated by semicolons, that give no rows. */
void database_run(struct database *database, const char *sql);

/* Keeps SQLite's message for `status`, returned for the statement `sql`, as a failure. */
void database_fail_sqlite(struct database *database, int status, const char *sql);

/* Keeps the message as the failure, unless there is a failure already. */
void database_fail(struct database *database, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Closes and frees everything; an open transaction is rolled back. Returns the first failure, which
 * the caller must free(), or NULL. Only NULL means that all rows read are usable, and that
 * committed changes are in the file. */
char *database_close(struct database *database);

struct query {
	struct database *database;
	void *statement; /* sqlite3_stmt */
	const char *table;
	int64_t row; /* current row, counted from 1 */
	struct query_scan *scan;
};

/* Fills in *query and prepares sql, a single statement. table: named in messages. The database and
 * both texts must outlive the query. End it by query_close(), also after a failure. */
void query_open(struct query *query, struct database *database, const char *table, const char *sql);

/* Two functions bind a named parameter, such as ":id"; two bind a parameter by its number, from 1.
 * text and bytes may be NULL; they must stay valid until query_next(). */
void query_bind_integer(struct query *query, const char *parameter, int64_t value);
/* Binds by number; a value equal to `absent` is written as NULL. */
void query_bind_value(struct query *query, int parameter, int64_t value, int64_t absent);
void query_bind_text(struct query *query, const char *parameter, const char *text);
/* Bind by number, like the functions above. */
void query_bind_word(struct query *query, int parameter, const char *text);
void query_bind_bytes(struct query *query, int parameter, const void *bytes, size_t size);

/* Steps to the next row. False: the end, or a failure. After the end, parameters may be bound anew
 * and the query stepped again. */
bool query_next(struct query *query);

/* A scan passes all rows to a function, in half the time that stepping takes, but without telling
 * what is wrong with a row. */
struct query_scan {
	const struct query_column *columns;
	int column_count;
	void *row; /* filled in before each take() */
	void (*take)(void *context);
	void *context;
};

/* Runs the scan. The query must have the statement "SELECT " QUERY_SCANS "(COLUMN, ...) FROM ...",
 * not yet stepped. False: a value did not fit its column, or another failure; database->error is
 * set. */
bool query_scan(struct query *query, struct query_scan *scan);

#define QUERY_SCANS "streamtrace_scan"

/* Registers QUERY_SCANS on a new connection; returns SQLite's status. *database must not move. */
int query_register_scans(struct database *database);

/* An SQL function that makes a text printable (base/printable.h); NULL for NULL. */
#define QUERY_TEXT "streamtrace_text"

/* Registers QUERY_TEXT on a new connection; returns SQLite's status. */
int query_register_texts(struct database *database);

/* The single number that the statement gives; 0 if it gives none. table: named in messages. */
int64_t database_number(struct database *database, const char *table, const char *sql);

/* The functions below take a column's index in the statement, from 0.
 *
 * A number from low to high, both included. NULL, another type or value is a failure. */
int64_t query_integer(struct query *query, int column, int64_t low, int64_t high);

/* Like query_integer(), but NULL gives `absent`. */
int64_t query_optional(struct query *query, int column, int64_t low, int64_t high, int64_t absent);

/* A text, never NULL, valid until the next query_next(). NULL in the file is a failure. */
const char *query_text(struct query *query, int column);

/* Like query_text(), but NULL gives NULL. */
const char *query_optional_text(struct query *query, int column);

/* Bytes, valid until the next query_next(), and in *size how many. Another type or NULL is a
 * failure. An empty value gives NULL and 0. */
const void *query_bytes(struct query *query, int column, size_t *size);

/* Keeps "table, row N: what" as a failure, with the current row. */
void query_fail(struct query *query, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Frees the statement; its texts and bytes are then no longer valid. */
void query_close(struct query *query);

#endif
