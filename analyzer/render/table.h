/*
 * A table of text, column under column.
 */
#ifndef STREAMTRACE_TABLE_H
#define STREAMTRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table {
	struct libscols_table *scols; /* NULL: no memory was left */
	size_t column_count;
	bool is_complete; /* every column and row found memory */
};

/* width: how wide it may become, in characters; 0: as wide as it needs. */
struct table table_open(FILE *out, size_t width);

/* How many blanks stand between two columns; 1 at first. */
void table_set_gap(struct table *table, size_t gap);

void table_add_column(struct table *table, const char *name, bool is_right);

/* cells: a text a column, copied. */
void table_add_row(struct table *table, const char *const *cells);

/* Prints the table and frees it. False: nothing is printed, for no memory was left. */
bool table_print(struct table *table);

#endif
