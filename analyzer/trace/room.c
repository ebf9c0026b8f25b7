/* Whether there is memory for a trace, before it is read. */
#include "base/format.h"
#include "base/free_memory.h"
#include "trace/loader.h"

#include <stdlib.h>

/* The least that a call or operation takes in memory while being read, and its row in the file. A
 * file that claims more rows than it has bytes for is read like any other. */
#define READ_BYTES_LEAST      48
#define ROW_BYTES_LEAST	      24
#define BLOCK_ROW_BYTES_LEAST 3

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* By the ids, which a counter gave: counting rows would read the file. */
static uint64_t rows_at_most(struct database *database, enum row_table table)
{
	const char *name = rows_table_name(table);
	char *least = memory_format("SELECT coalesce(min(id), 0) FROM %s", name);
	char *most = memory_format("SELECT coalesce(max(id), -1) FROM %s", name);
	uint64_t rows = 0;

	if (rows_has_table(database, table))
		rows = (uint64_t)database_number(database, name, most) -
		       (uint64_t)database_number(database, name, least) + 1;
	free(most);
	free(least);
	return least_of(rows, database_bytes(database) / ROW_BYTES_LEAST);
}

void trace_check_room(struct trace_loader *loader)
{
	struct database *database = &loader->database;
	uint64_t rows, free_bytes = free_memory_bytes();
	struct format count, needed, left;

	if (database->error || database->is_nsys)
		return;
	rows = rows_at_most(database, TABLE_calls) + rows_at_most(database, TABLE_operations) +
	       least_of(block_rows_ids(database, TABLE_calls).rows +
				block_rows_ids(database, TABLE_operations).rows,
			database_bytes(database) / BLOCK_ROW_BYTES_LEAST);
	if (database->error || rows <= free_bytes / READ_BYTES_LEAST)
		return;
	database_fail(database,
		      "has %s calls and GPU operations: reading them takes %s of memory, and %s "
		      "are free. Record a part of the run (STREAMTRACE_START=paused)",
		      format_count(&count, rows), format_bytes(&needed, rows * READ_BYTES_LEAST),
		      format_bytes(&left, free_bytes));
}
