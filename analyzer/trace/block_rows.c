#include "trace/block_rows.h"

#include "base/memory.h"
#include "facts/argument_blocks.h"
#include "facts/call_blocks.h"
#include "facts/operation_blocks.h"

#include <stdlib.h>
#include <string.h>

#define SHAPES_MOST OPERATION_BLOCK_SHAPES_MOST
_Static_assert(SHAPES_MOST >= CALL_BLOCK_SHAPES_MOST, "of any block");

enum row_table block_rows_table(enum row_table table)
{
	switch (table) {
	case TABLE_calls:
		return TABLE_call_blocks;
	case TABLE_operations:
		return TABLE_operation_blocks;
	default:
		return TABLE_argument_blocks;
	}
}

const char *block_rows_ids_sql(enum row_table table)
{
	return table == TABLE_calls
		       ? "SELECT first_id, calls FROM call_blocks ORDER BY first_id"
		       : "SELECT first_id, operations FROM operation_blocks ORDER BY first_id";
}

static void next_stored(struct block_rows *blocks)
{
	blocks->has_stored = rows_next(&blocks->rows, &blocks->stored);
	if (blocks->table == TABLE_calls)
		blocks->first_id = blocks->stored.calls.first_id;
	else if (blocks->table == TABLE_operations)
		blocks->first_id = blocks->stored.operations.first_id;
	else
		blocks->first_id = blocks->stored.arguments.first_id;
}

void block_rows_open(struct block_rows *blocks, struct database *database, enum row_table table,
		     const struct configurations *configurations, int64_t first_id, int64_t last_id)
{
	char *condition = memory_format("WHERE first_id BETWEEN %lld AND %lld ORDER BY first_id",
					(long long)first_id, (long long)last_id);

	*blocks = (struct block_rows){.table = table, .configurations = configurations};
	rows_open(&blocks->rows, database, block_rows_table(table), condition);
	next_stored(blocks);
	if (blocks->has_stored && table == TABLE_calls)
		blocks->calls = memory_array(1, sizeof(*blocks->calls));
	else if (blocks->has_stored && table == TABLE_operations)
		blocks->operations = memory_array(1, sizeof(*blocks->operations));
	else if (blocks->has_stored)
		blocks->arguments = memory_array(1, sizeof(*blocks->arguments));
	if (blocks->calls || blocks->operations)
		blocks->made = memory_array(SHAPES_MOST, sizeof(*blocks->made));
	free(condition);
}

static bool find_configuration(void *context, int64_t id, struct operations_row *row)
{
	struct block_rows *blocks = context;
	const struct kernel_configurations_row *configuration =
		configurations_find(blocks->configurations, id);

	if (configuration)
		operation_block_configure(row, configuration);
	else
		rows_fail(&blocks->rows, "kernel_configurations has no row %lld", (long long)id);
	return configuration != NULL;
}

static void open_block(struct block_rows *blocks)
{
	if (blocks->calls)
		call_block_open(blocks->calls, &blocks->stored.calls);
	else if (blocks->operations)
		operation_block_open(blocks->operations, &blocks->stored.operations,
				     find_configuration, blocks);
	else
		argument_block_open(blocks->arguments, &blocks->stored.arguments);
	blocks->is_open = true;
	if (blocks->made)
		memset(blocks->made, 0, SHAPES_MOST * sizeof(*blocks->made));
}

static bool next_row(struct block_rows *blocks, void *row)
{
	if (blocks->calls)
		return call_block_next(blocks->calls, row);
	if (blocks->operations)
		return operation_block_next(blocks->operations, row);
	return argument_block_next(blocks->arguments, row);
}

static bool is_damaged(const struct block_rows *blocks)
{
	if (blocks->calls)
		return call_block_is_damaged(blocks->calls);
	if (blocks->operations)
		return operation_block_is_damaged(blocks->operations);
	return argument_block_is_damaged(blocks->arguments);
}

static void end_block(struct block_rows *blocks)
{
	if (is_damaged(blocks))
		rows_fail(&blocks->rows, "its bytes are damaged");
	blocks->is_open = false;
	next_stored(blocks);
}

bool block_rows_next(struct block_rows *blocks, int64_t id, void *row)
{
	while (blocks->has_stored && (blocks->is_open || blocks->first_id < id)) {
		if (!blocks->is_open)
			open_block(blocks);
		if (next_row(blocks, row))
			return rows_check(&blocks->rows, blocks->table, row);
		end_block(blocks);
	}
	return false;
}

const void **block_rows_made(struct block_rows *blocks, bool *is_same)
{
	*is_same = blocks->calls ? !blocks->calls->is_changed : !blocks->operations->is_changed;
	return &blocks->made[blocks->calls ? blocks->calls->shape : blocks->operations->shape];
}

void block_rows_close(struct block_rows *blocks)
{
	rows_close(&blocks->rows);
	free(blocks->calls);
	free(blocks->operations);
	free(blocks->arguments);
	free(blocks->made);
}

/* Reads block after block: if ids do not increase, the file is damaged, and sum() over its pages
 * might never end. */
struct block_ids block_rows_ids(struct database *database, enum row_table table)
{
	struct block_ids ids = {0};
	int64_t first_id, count, low = INT64_MIN;
	struct query query;

	if (!rows_has_table(database, block_rows_table(table)))
		return ids;
	query_open(&query, database, rows_table_name(block_rows_table(table)),
		   block_rows_ids_sql(table));
	while (query_next(&query)) {
		first_id = query_integer(&query, 0, low, INT64_MAX - INT32_MAX);
		count = query_integer(&query, 1, 0, INT32_MAX);
		low = first_id + 1;
		ids.last_id = first_id + count - (count > 0);
		ids.first_id = ids.rows ? ids.first_id : first_id;
		ids.rows += (uint64_t)count;
	}
	query_close(&query);
	return ids;
}

uint64_t block_rows_count(struct database *database, enum row_table table)
{
	if (table == TABLE_calls || table == TABLE_operations)
		return block_rows_ids(database, table).rows;
	if (table != TABLE_launch_arguments || !rows_has_table(database, TABLE_argument_blocks))
		return 0;
	return (uint64_t)database_number(database, "argument_blocks",
					 "SELECT coalesce(sum(arguments), 0) FROM argument_blocks");
}
