/*
 * Rows of the trace's tables, read into the structs of facts/rows.h and checked on the way: columns
 * that may not be NULL are not, numbers are in the ranges that facts/columns.def names.
 *
 *	struct rows rows;
 *	struct calls_row row;
 *
 *	rows_open(&rows, &database, TABLE_calls, "ORDER BY id");
 *	while (rows_next_calls(&rows, &row))
 *		...
 *	rows_close(&rows);
 *
 * A table that came after format 1.0 reads as empty where the file lacks it. In a file of an older
 * minor version a column that it lacks reads as NULL, and one that had another name is found by
 * that name. The first failure is kept in the database's error, as everywhere in database.h; a row
 * with one is not given out. One thread.
 */
#ifndef STREAMTRACE_TRACE_ROWS_H
#define STREAMTRACE_TRACE_ROWS_H

#include "trace/database.h"

#include "facts/rows.h"

#define ROW_COLUMNS_MOST 32

struct column;

struct rows {
	struct query query;
	enum row_table table;
	const struct column *columns[ROW_COLUMNS_MOST]; /* what is read, in the statement's order */
	int column_count;
	char *sql;
};

/* condition is what follows the table's name in the statement: "" or, say, "WHERE id > 5". */
void rows_open(struct rows *rows, struct database *database, enum row_table table,
	       const char *condition);

/* Reads the next row into the struct of rows->table; false at the end, and after a failure. Texts
 * are valid until the next call. Members of columns that columns.def marks UNREAD are not set. */
bool rows_next(struct rows *rows, void *row);

/* The same with the row's type checked: rows_next_calls() and so on. */
#define TABLE(table, since, holds)                                                                 \
	static inline bool rows_next_##table(struct rows *from, struct table##_row *row)           \
	{                                                                                          \
		return rows_next(from, row);                                                       \
	}
#include "facts/columns.def"

/* The same for all rows at once, in half of the time: take() is called for each, when it stands in
 * the struct. What fails is not said in words that are meant for a user, only that it did. */
void rows_open_scan(struct rows *rows, struct database *database, enum row_table table,
		    const char *condition);
void rows_scan(struct rows *rows, void *row, void (*take)(void *context), void *context);

/* "table, row N: what": a failure in the current row. */
#define rows_fail(rows, ...) query_fail(&(rows)->query, __VA_ARGS__)

/* Fails unless the value of the column is within [low, high]. */
void rows_expect(struct rows *rows, const char *column, int64_t value, int64_t low, int64_t high);

/* Fails unless a row of another table, of numbers alone, has what rows_next() would accept there: for
 * rows that were made of what `rows` gave. */
bool rows_check(struct rows *rows, enum row_table table, const void *row);

/* To write rows of numbers alone: rows_insert() writes one, of the struct of the table, and says whether
 * that went well. */
void rows_open_insert(struct rows *rows, struct database *database, enum row_table table);
bool rows_insert(struct rows *rows, const void *row);

void rows_close(struct rows *rows);

/* Makes a temporary view of all columns of the table in `schema` ("main"), under today's names, with texts
 * as QUERY_TEXT gives them. A table or a column that an older trace lacks is there, without rows or with
 * NULL. The database is one of database_create(). */
void rows_create_view(struct database *database, enum row_table table, const char *schema,
		      const char *view);

/* Whether the file has the table; true for one of format 1.0, without which it is no trace. */
bool rows_has_table(struct database *database, enum row_table table);

/* The number of rows in a table that is there. */
uint64_t rows_count(struct database *database, enum row_table table);

const char *rows_table_name(enum row_table table);

/* Whether its rows are events: what the program or the device did. */
bool rows_are_events(enum row_table table);

/* The value, or `absent` for NULL. */
static inline int64_t row_or(int64_t value, int64_t absent)
{
	return value == ROW_NULL ? absent : value;
}

/* The bits of an address or a handle; NULL gives 0. */
static inline uint64_t row_bits(int64_t value)
{
	return value == ROW_NULL ? 0 : (uint64_t)value;
}

#endif
