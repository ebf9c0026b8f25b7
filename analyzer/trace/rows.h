/*
 * Reads rows of the trace's tables into the structs of facts/rows.h, and checks them: NOT_NULL
 * columns are not NULL, numbers lie within the limits of facts/columns.def.
 *
 *	struct rows rows;
 *	struct calls_row row;
 *
 *	rows_open(&rows, &database, TABLE_calls, "ORDER BY id");
 *	while (rows_next_calls(&rows, &row))
 *		...
 *	rows_close(&rows);
 *
 * A table added after format 1.0 reads as empty if the file lacks it. In a file of an older
 * version, missing columns read as NULL, and renamed columns are found by their old names. The
 * first failure is kept in the database's error (database.h); the row with the failure is not
 * given. One thread for each database.
 */
#ifndef STREAMTRACE_TRACE_ROWS_H
#define STREAMTRACE_TRACE_ROWS_H

#include "facts/rows.h"
#include "trace/database.h"

#define ROW_COLUMNS_MOST 32

struct column;

struct rows {
	struct query query;
	enum row_table table;
	const struct column *columns[ROW_COLUMNS_MOST]; /* the columns read, in the statement's
							 * order */
	int column_count;
	char *sql;
};

/* Opens a table. condition: the rest of the statement after the table's name, such as "" or "ORDER
 * BY id"; it need not outlive the call. Close by rows_close(), also after a failure. */
void rows_open(struct rows *rows, struct database *database, enum row_table table,
	       const char *condition);

/* Reads the next row into *row, the struct of rows->table. False: the end, or a failure. Texts are
 * valid until the next call. Members of UNREAD columns (columns.def) are not set. */
bool rows_next(struct rows *rows, void *row);

/* rows_next() with the row's type checked: rows_next_calls() and so on. */
#define TABLE(table, since, holds)                                                                 \
	static inline bool rows_next_##table(struct rows *from, struct table##_row *row)           \
	{                                                                                          \
		return rows_next(from, row);                                                       \
	}
#include "facts/columns.def"

/* Reads all rows in half the time that rows_next() takes: rows_scan() fills in *row and calls
 * take(context) for each row. A failure's message does not say what is wrong with the row. Texts
 * are valid until take() returns. */
void rows_open_scan(struct rows *rows, struct database *database, enum row_table table,
		    const char *condition);
void rows_scan(struct rows *rows, void *row, void (*take)(void *context), void *context);

/* Keeps "table, row N: what" as a failure, with the current row. */
#define rows_fail(rows, ...) query_fail(&(rows)->query, __VA_ARGS__)

/* Fails unless value is within [low, high]. column: its name, for the message. */
void rows_expect(struct rows *rows, const char *column, int64_t value, int64_t low, int64_t high);

/* Checks *row, a struct of `table` with numbers only, that was made from the current row of `rows`.
 * False: rows_next() would refuse such a row, and a failure is kept. */
bool rows_check(struct rows *rows, enum row_table table, const void *row);

/* For writing rows of numbers only. rows_insert() writes *row, a struct of the table. False: it
 * failed. End by rows_close(). */
void rows_open_insert(struct rows *rows, struct database *database, enum row_table table);
bool rows_insert(struct rows *rows, const void *row);

/* Frees the statement; works after rows_open(), rows_open_scan() and rows_open_insert(). */
void rows_close(struct rows *rows);

/* Makes the temporary view `view` of all columns of the table in `schema` ("main"), under today's
 * names, with texts made printable by QUERY_TEXT. A table that an older trace lacks is empty, a
 * column is NULL. The database must be from database_create(). */
void rows_create_view(struct database *database, enum row_table table, const char *schema,
		      const char *view);

/* Whether the file has the table; always true for tables of format 1.0, which each trace must
 * have. */
bool rows_has_table(struct database *database, enum row_table table);

/* The number of rows in the table itself, without those in blocks (block_rows.h); 0 also after a
 * failure. The file must have the table. */
uint64_t rows_count(struct database *database, enum row_table table);

/* The table's name in the file; static. */
const char *rows_table_name(enum row_table table);

/* Whether the table's rows are events: what the program or the device did. */
bool rows_are_events(enum row_table table);

/* The value, or `absent` for NULL. */
static inline int64_t row_or(int64_t value, int64_t absent)
{
	return value == ROW_NULL ? absent : value;
}

/* The bits of an address or handle; 0 for NULL. */
static inline uint64_t row_bits(int64_t value)
{
	return value == ROW_NULL ? 0 : (uint64_t)value;
}

#endif
