#include "trace/block_calls.h"

#include "base/memory.h"
#include "facts/call_blocks.h"

#include <stdlib.h>

void block_calls_open(struct block_calls *calls, struct database *database, int64_t first_id,
		      int64_t last_id)
{
	char *condition = memory_format("WHERE first_id BETWEEN %lld AND %lld ORDER BY first_id",
					(long long)first_id, (long long)last_id);

	*calls = (struct block_calls){0};
	rows_open(&calls->rows, database, TABLE_call_blocks, condition);
	calls->has_stored = rows_next_call_blocks(&calls->rows, &calls->stored);
	if (calls->has_stored)
		calls->block = memory_array(1, sizeof(*calls->block));
	free(condition);
}

static void end_block(struct block_calls *calls)
{
	if (call_block_is_damaged(calls->block))
		rows_fail(&calls->rows, "its bytes are damaged");
	calls->is_open = false;
	calls->has_stored = rows_next_call_blocks(&calls->rows, &calls->stored);
}

bool block_calls_next(struct block_calls *calls, int64_t id, struct calls_row *row)
{
	while (calls->has_stored && (calls->is_open || calls->stored.first_id < id)) {
		if (!calls->is_open)
			call_block_open(calls->block, &calls->stored);
		calls->is_open = true;
		if (call_block_next(calls->block, row))
			return rows_check(&calls->rows, TABLE_calls, row);
		end_block(calls);
	}
	return false;
}

void block_calls_close(struct block_calls *calls)
{
	rows_close(&calls->rows);
	free(calls->block);
}

uint64_t block_calls_count(struct database *database)
{
	if (!rows_has_table(database, TABLE_call_blocks))
		return 0;
	return (uint64_t)database_number(database, "call_blocks",
					 "SELECT coalesce(sum(calls), 0) FROM call_blocks");
}
