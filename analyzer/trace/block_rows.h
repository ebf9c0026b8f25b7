/*
 * Rows that are still bytes: of calls in `call_blocks`, of operations in `operation_blocks`, of
 * launch_arguments in `argument_blocks` (facts/), checked as rows of those tables are, to be read between
 * those by their ids. Failures as in rows.h. One thread at a time.
 */
#ifndef STREAMTRACE_BLOCK_ROWS_H
#define STREAMTRACE_BLOCK_ROWS_H

#include "trace/configurations.h"
#include "trace/rows.h"

struct call_block;
struct operation_block;
struct argument_block;

struct block_rows {
	enum row_table table; /* calls, operations or launch_arguments */
	const struct configurations *configurations;
	struct rows rows; /* of the blocks */
	union {
		struct call_blocks_row calls;
		struct operation_blocks_row operations;
		struct argument_blocks_row arguments;
	} stored;
	int64_t first_id;
	bool has_stored, is_open; /* stored: there is one; it is being read */
	struct call_block *calls;
	struct operation_block *operations;
	struct argument_block *arguments;
	/* Of calls and operations: what the reader makes of rows of each shape of the block, NULL at first. */
	const void **made;
};

/* Those of the blocks with a first_id from first_id to last_id. configurations: of operations. */
void block_rows_open(struct block_rows *blocks, struct database *database, enum row_table table,
		     const struct configurations *configurations, int64_t first_id,
		     int64_t last_id);

/* The next row of the blocks that begin before `id`, of the table's struct; false: there is none, or a
 * failure. */
bool block_rows_next(struct block_rows *blocks, int64_t id, void *row);

/* Calls and operations: where to keep what was made of the last row, all of which but its id, times and
 * correlation_id are those of the row that made it where *is_same; NULL at first. What is the same in all rows of
 * a shape (columns.def) is so in any case: of a call its thread, function, site, api_path and per_thread_stream. */
const void **block_rows_made(struct block_rows *blocks, bool *is_same);

void block_rows_close(struct block_rows *blocks);

/* How many of the table's rows are in blocks, and between which ids; all 0 where there are none. Of calls
 * and operations; of the others block_rows_count(). */
struct block_ids {
	uint64_t rows;
	int64_t first_id, last_id;
};

struct block_ids block_rows_ids(struct database *database, enum row_table table);

/* The table of blocks of calls, operations or launch_arguments. */
enum row_table block_rows_table(enum row_table table);

/* "SELECT first_id, its rows FROM the table of blocks, by first_id". */
const char *block_rows_ids_sql(enum row_table table);

/* How many of any table's rows are in blocks. */
uint64_t block_rows_count(struct database *database, enum row_table table);

/* Whether the table is one of blocks. */
static inline bool block_rows_is_table(enum row_table table)
{
	return table == TABLE_call_blocks || table == TABLE_operation_blocks ||
	       table == TABLE_argument_blocks;
}

#endif
