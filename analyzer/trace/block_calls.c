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

/* One block after the other: where ids do not increase the file is damaged, and sum() of what its pages
 * then stand for need not end. */
struct block_ids block_calls_ids(struct database *database)
{
	struct block_ids ids = {0};
	int64_t first_id, calls, low = INT64_MIN;
	struct query query;

	if (!rows_has_table(database, TABLE_call_blocks))
		return ids;
	query_open(&query, database, "call_blocks",
		   "SELECT first_id, calls FROM call_blocks ORDER BY first_id");
	while (query_next(&query)) {
		first_id = query_integer(&query, 0, low, INT64_MAX - INT32_MAX);
		calls = query_integer(&query, 1, 0, INT32_MAX);
		low = first_id + 1;
		ids.last_id = first_id + calls - (calls > 0);
		ids.first_id = ids.calls ? ids.first_id : first_id;
		ids.calls += (uint64_t)calls;
	}
	query_close(&query);
	return ids;
}
