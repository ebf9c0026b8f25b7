/*
 * A struct for each table of the trace (`struct calls_row`) with a member for each column, and an
 * enum of the tables.
 *
 * Integers are int64_t, ROW_NULL if the column is NULL; addresses and handles keep their bits.
 * Texts and the start of bytes are NULL if the column is NULL. The function that fills in a row
 * tells who owns the texts and bytes.
 */
#ifndef STREAMTRACE_ROWS_H
#define STREAMTRACE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#define ROW_NULL INT64_MIN

struct row_bytes {
	const void *start;
	size_t count;
};

#define MEMBER_INTEGER(name)				 int64_t name;
#define MEMBER_TEXT(name)				 const char *name;
#define MEMBER_BLOB(name)				 struct row_bytes name;
#define TABLE(table, since, holds)			 struct table##_row {
#define COLUMN(table, name, type, null, written, values) MEMBER_##type(name)
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"
#undef MEMBER_INTEGER
#undef MEMBER_TEXT
#undef MEMBER_BLOB

/* streams_null(): a row with all members NULL, to be filled in. */
#define NULL_INTEGER ROW_NULL
#define NULL_TEXT    NULL
#define NULL_BLOB                                                                                  \
	{                                                                                          \
		0                                                                                  \
	}
#define TABLE(table, since, holds)                                                                 \
	static inline struct table##_row table##_null(void)                                        \
	{                                                                                          \
		const struct table##_row row = {
#define COLUMN(table, name, type, null, written, values) .name = NULL_##type,
#define END(table)                                                                                 \
	}                                                                                          \
	;                                                                                          \
	return row;                                                                                \
	}
#include "facts/columns.def"
#undef NULL_INTEGER
#undef NULL_TEXT
#undef NULL_BLOB

enum row_table {
#define TABLE(table, since, holds) TABLE_##table,
#include "facts/columns.def"
	TABLE_COUNT
};

#endif
