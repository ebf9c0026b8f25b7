#include "trace/nsys.h"

#include "base/memory.h"

#include <stdlib.h>

struct their_column {
	const char *view, *table, *name; /* view and table: NULL, that of the row above */
};

static const struct their_column columns[] = {
#define THEIR_TABLE(view, table) {#view, #table, NULL},
#define THEIR_COLUMN(name)	 {NULL, NULL, #name},
#define THEIR_END
#include "trace/nsys_columns.def"
};

#define COLUMN_ROWS (sizeof(columns) / sizeof(*columns))

/* A view has a column `row` only where it was made before. */
static bool table_has(struct database *database, const char *table, const char *column)
{
	struct query query;
	bool is_there;

	query_open(&query, database, table,
		   "SELECT 1 FROM pragma_table_info(:table, 'main') "
		   "WHERE :column IS NULL OR name = :column");
	query_bind_text(&query, ":table", table);
	query_bind_text(&query, ":column", column);
	is_there = query_next(&query);
	query_close(&query);
	return is_there;
}

static char *append_freed(char *text, char *more)
{
	char *longer = memory_format("%s%s", text, more);

	free(text);
	free(more);
	return longer;
}

/* Makes the view of the table in row `first`. Returns the row of the next table. */
static size_t make_view(struct database *database, size_t first)
{
	const char *table = columns[first].table;
	const bool has_table = table_has(database, table, NULL);
	char *sql = memory_format("CREATE TEMP VIEW %s AS SELECT %s AS row", columns[first].view,
				  has_table ? "rowid" : "NULL");
	size_t i;

	for (i = first + 1; i < COLUMN_ROWS && columns[i].name; i++) {
		const char *name = columns[i].name;
		const bool has_column = has_table && table_has(database, table, name);

		sql = append_freed(sql, has_column ? memory_format(", \"%s\"", name)
						   : memory_format(", NULL AS \"%s\"", name));
	}
	sql = append_freed(sql, has_table ? memory_format(" FROM main.%s", table)
					  : memory_format(" WHERE 0"));
	database_run(database, sql);
	free(sql);
	return i;
}

void nsys_prepare(struct database *database)
{
	for (size_t i = 0; i < COLUMN_ROWS;)
		i = make_view(database, i);
	database_run(database, theirs_as_ours_sql);
}
