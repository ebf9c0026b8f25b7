/*
 * A struct for each table of the trace, `struct calls_row`, with a member for each column; and the
 * tables as numbers.
 *
 * Integers are int64_t: ROW_NULL where the column is NULL, addresses and handles with the bits that
 * they have. Texts are NULL where the column is; whose they are says who fills the row in.
 */
#ifndef STREAMTRACE_ROWS_H
#define STREAMTRACE_ROWS_H

#include <stdint.h>

#define ROW_NULL INT64_MIN

#define MEMBER_INTEGER(name)				int64_t name;
#define MEMBER_TEXT(name)				const char *name;
#define TABLE(table, since, holds)			struct table##_row {
#define COLUMN(table, name, type, null, written, range) MEMBER_##type(name)
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"
#undef MEMBER_INTEGER
#undef MEMBER_TEXT

enum row_table {
#define TABLE(table, since, holds) TABLE_##table,
#include "facts/columns.def"
	TABLE_COUNT
};

#endif
