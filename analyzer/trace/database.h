/*
 * The only module that calls SQLite (database.c, database_bytes.c, query.c, and limits.c for what is
 * allowed): opens a trace, steps through statements, checks the types and ranges of what they give, and
 * keeps the first failure as one line that quotes the statement.
 *
 * After a failure every function does nothing and returns false, 0 or "": callers check
 * database->error once, at the end. Each database is one thread's at a time.
 */
#ifndef STREAMTRACE_DATABASE_H
#define STREAMTRACE_DATABASE_H

#include "trace/limits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database {
	void *connection; /* sqlite3 */
	const char *path; /* belongs to the caller */
	char *uri;	  /* of a database that is read: what was opened */
	char *error;	  /* NULL, or the first failure: one line, malloc'ed */
	int64_t schema_version;
	bool lacks_log;	       /* a write-ahead log beside the file could not be read */
	bool is_nsys;	       /* no trace of ours, but an export of Nsight Systems (nsys.h) */
	struct query *scanned; /* by query_scan() */
	struct limits limits;
};

/* Where a column's value goes: into an int64_t or a const char * at that offset of a row. Of a number
 * NULL gives `absent`. */
struct query_column {
	const char *name;
	size_t offset;
	bool is_text, is_nullable;
	int64_t low, high, absent;
};

/* SQLite's sqlite3_open_v2() for one thread at a time, into *connection: its status. All connections are made so. */
int database_connect(const char *name, int flags, void **connection);

/* Opens the trace at path and begins a read transaction: rows that a running program adds later
 * do not show. Says in database->error why a file is no trace that this version reads. One of Nsight
 * Systems is opened, and is_nsys says so. */
void database_open(struct database *database, const char *path);

/* Whether a write-ahead log with something in it is beside the file. */
bool database_has_log(const char *path);

/* Opens count more of the trace that first reads, for other threads. They read the same rows: first
 * begins its transaction anew, so that nothing must have been read from it that has to agree. False,
 * and none is open: somebody wrote meanwhile, or the system has no more. */
bool database_open_more(struct database *first, struct database *more, size_t count);

/* Bytes of the file, without its log. */
uint64_t database_bytes(const struct database *database);

/* The same as database_open() for changing it: begins a write transaction, which database_commit()
 * ends. */
void database_open_write(struct database *database, const char *path);

void database_commit(struct database *database);

/* Makes the trace one file, which has no log beside it any more. Readers are waited for, a second at most; false:
 * there is one still, and nothing is lost, or the file cannot be written. */
bool database_join_log(const char *path);

/* A kind of file of ours beside traces. */
struct database_kind {
	const char *name; /* "summary" */
	int64_t application_id;
	int major; /* of user_version, MAJOR * 1000 + MINOR: newer ones are refused */
};

/* Opens a database that is in memory, to read it: as untrusted as a file, of which size bytes are copied. */
void database_open_bytes(struct database *database, const void *bytes, size_t size,
			 const struct database_kind *kind);

/* The same of a file, of which it reads what is asked for. Nothing may write to it. */
void database_open_kind(struct database *database, const char *path,
			const struct database_kind *kind);

/* The URI of a file; malloc'ed. path may hold any byte. */
char *database_file_uri(const char *path, const char *parameters);

/* Makes one in memory by its schema, and begins a transaction, which database_to_bytes() ends. */
void database_create_bytes(struct database *database, const char *schema);

/* Its bytes, malloc'ed; NULL: database->error. The same statements give the same bytes. */
void *database_to_bytes(struct database *database, size_t *size);

/* Fails where SQLite would compute something while it reads. Views are left alone, and cannot be used. */
void database_check_schema(struct database *database);

/* Makes a new database of the empty file at path, attaches the trace, which is only read, as `trace`, and begins a
 * transaction of both, which database_commit() ends. What fails can leave a part of a file. */
void database_create(struct database *database, const char *path, const char *trace_path);

/* Runs statements, one after the other, that give no rows. */
void database_run(struct database *database, const char *sql);

/* Keeps what SQLite says about a status that it gave for the statement. */
void database_fail_sqlite(struct database *database, int status, const char *sql);

/* Keeps the first failure. */
void database_fail(struct database *database, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Frees everything. The first failure, which is the caller's to free, or NULL: nothing else says
 * whether what was read can be used, or whether what was written is in the file. */
char *database_close(struct database *database);

struct query {
	struct database *database;
	void *statement; /* sqlite3_stmt */
	const char *table;
	int64_t row; /* counted from 1 */
	struct query_scan *scan;
};

/* Prepares sql, one statement. table names it in messages. Both must outlive the query. */
void query_open(struct query *query, struct database *database, const char *table, const char *sql);

/* Binds the parameter of that name, ":id". text may be NULL and must live until query_next(). */
void query_bind_integer(struct query *query, const char *parameter, int64_t value);
/* The parameter of that number, from 1 on; `absent` is written as NULL. */
void query_bind_value(struct query *query, int parameter, int64_t value, int64_t absent);
void query_bind_text(struct query *query, const char *parameter, const char *text);
/* By number again; both may be NULL, and must live until query_next(). */
void query_bind_word(struct query *query, int parameter, const char *text);
void query_bind_bytes(struct query *query, int parameter, const void *bytes, size_t size);

/* Steps to the next row; false at the end. After the end it may be bound and stepped again. */
bool query_next(struct query *query);

/* A scan gives all rows to a function: in half of the time that steps take, but it does not say what
 * is wrong with a row. */
struct query_scan {
	const struct query_column *columns;
	int column_count;
	void *row; /* where the columns go before each take() */
	void (*take)(void *context);
	void *context;
};

/* The statement is "SELECT " QUERY_SCANS "(COLUMN, ...) FROM ...", opened but not stepped. False:
 * a row did not fit its columns, take() failed, or another failure; database->error is set. */
bool query_scan(struct query *query, struct query_scan *scan);

#define QUERY_SCANS "streamtrace_scan"

/* Makes QUERY_SCANS known to a new connection; a status of SQLite's. The database must not move. */
int query_register_scans(struct database *database);

/* A function of a text, as printable_make() makes it (base/printable.h); NULL of NULL. */
#define QUERY_TEXT "streamtrace_text"

/* Makes it known to a new connection; a status of SQLite's. */
int query_register_texts(struct database *database);

/* The one number that the statement gives; 0 where it gives none. */
int64_t database_number(struct database *database, const char *table, const char *sql);

/* The following take the number of a column in the statement: rows.h knows it.
 *
 * A number within [low, high]; NULL, another type or another value is a failure. */
int64_t query_integer(struct query *query, int column, int64_t low, int64_t high);

/* The same, but NULL gives absent. */
int64_t query_optional(struct query *query, int column, int64_t low, int64_t high, int64_t absent);

/* Text, valid until the next query_next(). Never NULL; NULL in the file is a failure. */
const char *query_text(struct query *query, int column);

/* The same, but NULL gives NULL. */
const char *query_optional_text(struct query *query, int column);

/* Bytes, valid until the next query_next(); another type, NULL too, is a failure. */
const void *query_bytes(struct query *query, int column, size_t *size);

/* "table, row N: what": a failure in the current row. */
void query_fail(struct query *query, const char *format, ...) __attribute__((format(printf, 2, 3)));

void query_close(struct query *query);

#endif
