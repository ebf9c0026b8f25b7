#include "trace/unpack_blocks.h"

#include "base/memory.h"
#include "trace/block_rows.h"

#include <stdlib.h>

int64_t trace_unpack_rows(struct database *database, enum row_table table)
{
	union {
		struct calls_row call;
		struct operations_row operation;
		struct launch_arguments_row argument;
	} row;
	struct configurations configurations;
	struct block_rows blocks;
	struct rows rows;
	int64_t count = 0;

	if (database->error || !rows_has_table(database, block_rows_table(table)))
		return 0;
	configurations_read(&configurations, database);
	block_rows_open(&blocks, database, table, &configurations, INT64_MIN, INT64_MAX);
	rows_open_insert(&rows, database, table);
	while (block_rows_next(&blocks, INT64_MAX, &row) && rows_insert(&rows, &row))
		count++;
	rows_close(&rows);
	block_rows_close(&blocks);
	configurations_free(&configurations);
	return count;
}

static int64_t unpack_table(struct database *database, enum row_table table)
{
	const int64_t count = trace_unpack_rows(database, table);
	char *sql = memory_format("DELETE FROM %s", rows_table_name(block_rows_table(table)));

	if (!database->error && rows_has_table(database, block_rows_table(table)))
		database_run(database, sql);
	free(sql);
	return count;
}

/* Where the disk was full SQLite leaves that to whoever opens the file next. */
static void take_back(const char *path)
{
	struct database database;

	database_open_write(&database, path);
	free(database_close(&database));
}

int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error)
{
	struct database database;

	*unpacked = (struct trace_unpacked){0};
	database_open_write(&database, path);
	unpacked->calls = unpack_table(&database, TABLE_calls);
	unpacked->operations = unpack_table(&database, TABLE_operations);
	unpack_table(&database, TABLE_launch_arguments);
	database_commit(&database);
	*error = database_close(&database);
	if (*error)
		take_back(path);
	return *error ? -1 : 0;
}
