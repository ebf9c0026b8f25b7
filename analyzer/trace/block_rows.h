/*
 * Reads the rows stored in blocks of bytes (facts/call_blocks.h and its like): calls in
 * `call_blocks`, operations in `operation_blocks`, launch_arguments in `argument_blocks`. They are
 * checked like rows of tables, and read merged with those by id. Failures as in rows.h. One thread
 * at a time.
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
	struct rows rows; /* the rows of the table of blocks */
	union {
		struct call_blocks_row calls;
		struct operation_blocks_row operations;
		struct argument_blocks_row arguments;
	} stored;
	int64_t first_id;
	bool has_stored, is_open; /* has_stored: `stored` holds a block; is_open: it is being
				   * read */
	struct call_block *calls;
	struct operation_block *operations;
	struct argument_block *arguments;
	/* For calls and operations: what the reader has made for each shape of the block; NULL at
	 * first. */
	const void **made;
};

/* Opens the blocks whose first_id is between first_id and last_id. configurations: needed for
 * operations. */
void block_rows_open(struct block_rows *blocks, struct database *database, enum row_table table,
		     const struct configurations *configurations, int64_t first_id,
		     int64_t last_id);

/* Reads the next row of a block that begins before `id` into *row, a struct of the table. False: no
 * more, or a failure. */
bool block_rows_next(struct block_rows *blocks, int64_t id, void *row);

/* For calls and operations: the place to keep what the reader makes for the shape of the last row;
 * NULL at first. *is_same: the last row equals the one for which that was made, except for id,
 * times and correlation_id. Equal in any case: the columns that a shape holds for all its rows; of
 * a call thread, function, site, api_path and per_thread_stream. */
const void **block_rows_made(struct block_rows *blocks, bool *is_same);

void block_rows_close(struct block_rows *blocks);

/* How many calls or operations are in blocks, and the range of their ids; all 0: none. For launch
 * arguments use block_rows_count(). */
struct block_ids {
	uint64_t rows;
	int64_t first_id, last_id;
};

struct block_ids block_rows_ids(struct database *database, enum row_table table);

/* The table with the blocks of calls, operations or launch_arguments. */
enum row_table block_rows_table(enum row_table table);

/* "SELECT first_id, number of rows FROM the table of blocks, by first_id"; static. */
const char *block_rows_ids_sql(enum row_table table);

/* How many rows of the table are in blocks; 0 for a table that has no blocks. */
uint64_t block_rows_count(struct database *database, enum row_table table);

/* Whether the table holds blocks. */
static inline bool block_rows_is_table(enum row_table table)
{
	return table == TABLE_call_blocks || table == TABLE_operation_blocks ||
	       table == TABLE_argument_blocks;
}

#endif
