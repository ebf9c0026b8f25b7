#include "render/table.h"

#include <libsmartcols.h>

struct table table_open(FILE *out, size_t width)
{
	struct table table = {.scols = scols_new_table()};

	table.is_complete = table.scols != NULL;
	if (!table.scols)
		return table;
	scols_table_set_stream(table.scols, out);
	if (width) {
		scols_table_set_termforce(table.scols, SCOLS_TERMFORCE_ALWAYS);
		scols_table_set_termwidth(table.scols, width);
		scols_table_enable_nowrap(table.scols, 0);
	}
	return table;
}

void table_set_gap(struct table *table, size_t gap)
{
	static const char blanks[] = "        ";
	size_t most = sizeof(blanks) - 1;

	if (table->is_complete)
		table->is_complete = !scols_table_set_column_separator(
			table->scols, blanks + most - (gap < most ? gap : most));
}

void table_add_column(struct table *table, const char *name, bool is_right)
{
	if (table->is_complete)
		table->is_complete = scols_table_new_column(table->scols, name, 0,
							    is_right ? SCOLS_FL_RIGHT : 0) != NULL;
	table->column_count++;
}

void table_add_row(struct table *table, const char *const *cells)
{
	struct libscols_line *line =
		table->is_complete ? scols_table_new_line(table->scols, NULL) : NULL;

	table->is_complete = line != NULL;
	for (size_t i = 0; table->is_complete && i < table->column_count; i++)
		table->is_complete = !scols_line_set_data(line, i, cells[i]);
}

bool table_print(struct table *table)
{
	bool ok = table->is_complete && !scols_print_table(table->scols);

	scols_unref_table(table->scols);
	return ok;
}
