/*
 * Prints a table of text. A failure for lack of memory is kept until table_print(), which returns it. One thread.
 *
 *	struct table table = table_open(out, 0);
 *	table_add_column(&table, "NAME", false);	(each column)
 *	table_add_row(&table, cells);			(each row)
 *	ok = table_print(&table);
 */
#ifndef STREAMTRACE_TABLE_H
#define STREAMTRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table {
	struct libscols_table *scols; /* NULL: memory ran out in table_open() */
	size_t column_count;
	bool is_complete; /* false: memory ran out in an earlier call */
};

/* Returns an empty table, which table_print() frees. width: the table's largest width in columns of the terminal; 0:
 * as wide as its texts. out must stay open until table_print(). */
struct table table_open(FILE *out, size_t width);

/* Sets how many blanks separate columns, at most 8. Without this call 1 blank does. */
void table_set_gap(struct table *table, size_t gap);

/* Adds a column with the heading name. is_right: align the column's cells to the right. Call before the first
 * row. */
void table_add_column(struct table *table, const char *name, bool is_right);

/* Adds a row. cells: a text for each column; the texts are copied. */
void table_add_row(struct table *table, const char *const *cells);

/* Prints the table, and frees it also after false. False: memory ran out, and nothing is printed. Failures to write
 * show in ferror() of the file. */
bool table_print(struct table *table);

#endif
