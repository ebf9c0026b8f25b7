/*
 * The only file that calls SQLite: opens a trace, steps through statements, checks the types and
 * ranges of what they give, and keeps the first failure as one line that quotes the statement.
 *
 * After a failure every function does nothing and returns false, 0 or "": callers check
 * database->error once, at the end. One thread.
 */
#ifndef STREAMTRACE_DATABASE_H
#define STREAMTRACE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database {
	void *connection; /* sqlite3 */
	const char *path; /* belongs to the caller */
	char *error;	  /* NULL, or the first failure: one line, malloc'ed */
	int64_t schema_version;
	bool lacks_log; /* a write-ahead log beside the file could not be read */
};

/* Opens the trace at path and begins a read transaction: rows that a running program adds later
 * do not show. Says in database->error why a file is no trace that this version reads. */
void database_open(struct database *database, const char *path);

/* The same for changing it: begins a write transaction, which database_commit() ends. */
void database_open_write(struct database *database, const char *path);

void database_commit(struct database *database);

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
};

/* Prepares sql, one statement. table names it in messages. Both must outlive the query. */
void query_open(struct query *query, struct database *database, const char *table, const char *sql);

/* Binds the parameter of that name, ":id". text may be NULL and must live until query_next(). */
void query_bind_integer(struct query *query, const char *parameter, int64_t value);
/* The parameter of that number, from 1 on; `absent` is written as NULL. */
void query_bind_value(struct query *query, int parameter, int64_t value, int64_t absent);
void query_bind_text(struct query *query, const char *parameter, const char *text);

/* Steps to the next row; false at the end. After the end it may be bound and stepped again. */
bool query_next(struct query *query);

/* The one number that the statement gives; 0 where it gives none. */
int64_t database_number(struct database *database, const char *table, const char *sql);

/* The following take the number of a column in the statement: rows.h knows it.
 *
 * A number within [low, high]; NULL, another type or another value is a failure. */
int64_t query_integer(struct query *query, int column, int64_t low, int64_t high);

/* The same, but NULL gives absent. */
int64_t query_optional(struct query *query, int column, int64_t low, int64_t high, int64_t absent);

/* The bits of a 64-bit address or handle; NULL gives 0. */
uint64_t query_bits(struct query *query, int column);

/* Text, valid until the next query_next(). Never NULL; NULL in the file is a failure. */
const char *query_text(struct query *query, int column);

/* The same, but NULL gives NULL. */
const char *query_optional_text(struct query *query, int column);

/* Bytes, valid until the next query_next(); another type, NULL too, is a failure. */
const void *query_bytes(struct query *query, int column, size_t *size);

bool query_is_null(struct query *query, int column);

/* "table, row N: what": a failure in the current row. */
void query_fail(struct query *query, const char *format, ...) __attribute__((format(printf, 2, 3)));

void query_close(struct query *query);

#endif
