#include "trace/unpack.h"

#include "trace/block_rows.h"

static int64_t unpack_table(struct database *database, enum row_table table,
			    const struct configurations *configurations)
{
	union {
		struct calls_row call;
		struct operations_row operation;
		struct launch_arguments_row argument;
	} row;
	struct block_rows blocks;
	struct rows rows;
	int64_t count = 0;

	block_rows_open(&blocks, database, table, configurations, INT64_MIN, INT64_MAX);
	rows_open_insert(&rows, database, table);
	while (block_rows_next(&blocks, INT64_MAX, &row) && rows_insert(&rows, &row))
		count++;
	rows_close(&rows);
	block_rows_close(&blocks);
	return count;
}

static void remove_blocks(struct database *database, const char *table, const char *sql)
{
	struct query query;

	query_open(&query, database, table, sql);
	query_next(&query);
	query_close(&query);
}

static void unpack_all(struct database *database, struct trace_unpacked *unpacked)
{
	struct configurations configurations;

	configurations_read(&configurations, database);
	if (rows_has_table(database, TABLE_call_blocks)) {
		unpacked->calls = unpack_table(database, TABLE_calls, NULL);
		remove_blocks(database, "call_blocks", "DELETE FROM call_blocks");
	}
	if (rows_has_table(database, TABLE_operation_blocks)) {
		unpacked->operations = unpack_table(database, TABLE_operations, &configurations);
		remove_blocks(database, "operation_blocks", "DELETE FROM operation_blocks");
	}
	if (rows_has_table(database, TABLE_argument_blocks)) {
		unpack_table(database, TABLE_launch_arguments, NULL);
		remove_blocks(database, "argument_blocks", "DELETE FROM argument_blocks");
	}
	configurations_free(&configurations);
}

int trace_unpack(const char *path, struct trace_unpacked *unpacked, char **error)
{
	struct database database;

	*unpacked = (struct trace_unpacked){0};
	database_open_write(&database, path);
	if (!database.error)
		unpack_all(&database, unpacked);
	database_commit(&database);
	*error = database_close(&database);
	return *error ? -1 : 0;
}
