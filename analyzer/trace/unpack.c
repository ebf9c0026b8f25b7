#include "trace/unpack.h"

#include "base/memory.h"
#include "facts/call_blocks.h"
#include "trace/rows.h"

#include <stdlib.h>

static int64_t unpack_block(struct call_block *block, const struct call_blocks_row *stored,
			    struct rows *blocks, struct rows *calls)
{
	struct calls_row row;
	int64_t count = 0;

	call_block_open(block, stored);
	for (; call_block_next(block, &row); count++)
		if (!rows_check(blocks, TABLE_calls, &row) || !rows_insert(calls, &row))
			return 0;
	if (call_block_is_damaged(block))
		rows_fail(blocks, "its bytes are damaged");
	return count;
}

int64_t trace_unpack_rows(struct database *database)
{
	struct call_block *block = memory_array(1, sizeof(*block));
	struct call_blocks_row stored;
	struct rows blocks, calls;
	int64_t count = 0;

	rows_open(&blocks, database, TABLE_call_blocks, "ORDER BY first_id");
	rows_open_insert(&calls, database, TABLE_calls);
	while (rows_next_call_blocks(&blocks, &stored))
		count += unpack_block(block, &stored, &blocks, &calls);
	rows_close(&calls);
	rows_close(&blocks);
	free(block);
	return count;
}

int64_t trace_unpack(const char *path, char **error)
{
	struct database database;
	int64_t count = 0;

	database_open_write(&database, path);
	if (!database.error && rows_has_table(&database, TABLE_call_blocks)) {
		count = trace_unpack_rows(&database);
		database_run(&database, "DELETE FROM call_blocks");
	}
	database_commit(&database);
	*error = database_close(&database);
	return *error ? -1 : count;
}
