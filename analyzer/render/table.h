/*
 * Prints a table of text. A failure is kept until table_print(), which returns it. One thread.
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
	struct libscols_table *scols; /* NULL: no memory was left */
	size_t column_count;
	bool is_complete; /* false: memory ran out for a column or a row */
};

/* width: the largest width in columns; 0: as wide as its texts. out must stay open until table_print(). */
struct table table_open(FILE *out, size_t width);

/* Sets how many blanks separate columns, at most 8; before that it is 1. */
void table_set_gap(struct table *table, size_t gap);

/* is_right: align its cells to the right. Call before the first row. */
void table_add_column(struct table *table, const char *name, bool is_right);

/* cells: a text for each column, which are copied. */
void table_add_row(struct table *table, const char *const *cells);

/* Prints the table and frees it. False: memory ran out, and nothing is printed. */
bool table_print(struct table *table);

#endif
