/*
 * A struct for each table of the trace, `struct calls_row`, with a member for each column; and the
 * tables as numbers.
 *
 * Integers are int64_t: ROW_NULL where the column is NULL, addresses and handles with the bits that
 * they have. Texts are NULL where the column is, and so is the start of bytes; whose they are says who
 * fills the row in.
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

#define MEMBER_INTEGER(name)				int64_t name;
#define MEMBER_TEXT(name)				const char *name;
#define MEMBER_BLOB(name)				struct row_bytes name;
#define TABLE(table, since, holds)			struct table##_row {
#define COLUMN(table, name, type, null, written, range) MEMBER_##type(name)
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"
#undef MEMBER_INTEGER
#undef MEMBER_TEXT
#undef MEMBER_BLOB

/* streams_null() is a row of only NULLs, to be filled in piece by piece. */
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
#define COLUMN(table, name, type, null, written, range) .name = NULL_##type,
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
