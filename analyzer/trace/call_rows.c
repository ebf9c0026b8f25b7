#include "trace/call_rows.h"

#include "base/memory.h"
#include "facts/call_blocks.h"

#include <stdlib.h>

void call_rows_open(struct call_rows *from, struct database *database)
{
	*from = (struct call_rows){0};
	rows_open(&from->calls, database, TABLE_calls, "ORDER BY id");
	rows_open(&from->blocks, database, TABLE_call_blocks, "ORDER BY first_id");
	from->has_block = rows_next_call_blocks(&from->blocks, &from->next_block);
	if (from->has_block)
		from->block = memory_array(1, sizeof(*from->block));
}

/* False: the block's last call was the one before. */
static bool next_in_block(struct call_rows *from, struct calls_row *row)
{
	if (call_block_next(from->block, row))
		return rows_check(&from->blocks, TABLE_calls, row);
	if (call_block_is_damaged(from->block))
		rows_fail(&from->blocks, "its bytes are damaged");
	from->is_in_block = false;
	from->has_block = rows_next_call_blocks(&from->blocks, &from->next_block);
	return false;
}

/* The row of calls that comes next is read before it is known what comes next. */
static bool is_block_next(struct call_rows *from)
{
	if (!from->has_call)
		from->has_call = rows_next_calls(&from->calls, &from->next_call);
	return from->has_block &&
	       (!from->has_call || from->next_block.first_id <= from->next_call.id);
}

struct rows *call_rows_next(struct call_rows *from, struct calls_row *row)
{
	while (from->is_in_block || is_block_next(from)) {
		if (!from->is_in_block)
			call_block_open(from->block, &from->next_block);
		from->is_in_block = true;
		if (next_in_block(from, row))
			return &from->blocks;
	}
	if (!from->has_call || from->calls.query.database->error)
		return NULL;
	*row = from->next_call;
	from->has_call = false;
	return &from->calls;
}

void call_rows_close(struct call_rows *from)
{
	rows_close(&from->calls);
	rows_close(&from->blocks);
	free(from->block);
}

uint64_t call_rows_count_in_blocks(struct database *database)
{
	if (!rows_has_table(database, TABLE_call_blocks))
		return 0;
	return (uint64_t)database_number(database, "call_blocks",
					 "SELECT coalesce(sum(calls), 0) FROM call_blocks");
}
