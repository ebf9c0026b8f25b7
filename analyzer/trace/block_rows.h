/*
 * Reads the rows stored in blocks of bytes (facts/call_blocks.h and its like): calls in
 * `call_blocks`, operations in `operation_blocks`, launch_arguments in `argument_blocks`. Rows from
 * blocks are checked like rows of tables; the reader merges both by id. A failure is kept in the
 * database's error (rows.h). One thread for each database.
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
	int64_t first_id;	  /* of the block in `stored` */
	bool has_stored, is_open; /* has_stored: `stored` holds a block; is_open: it is being
				   * read */
	struct call_block *calls;
	struct operation_block *operations;
	struct argument_block *arguments;
	/* For calls and operations: by shape of the block, what the reader has made for the shape;
	 * NULL at first. */
	const void **made;
};

/* Opens the blocks whose first_id is from first_id to last_id, both included. configurations: must
 * outlive *blocks for operations; may be NULL for other tables. Close by block_rows_close(), also
 * after a failure. */
void block_rows_open(struct block_rows *blocks, struct database *database, enum row_table table,
		     const struct configurations *configurations, int64_t first_id,
		     int64_t last_id);

/* Reads the next row into *row, a struct of blocks->table. Only blocks whose first_id is below `id`
 * are read. False: no more rows, or a failure. */
bool block_rows_next(struct block_rows *blocks, int64_t id, void *row);

/* For calls and operations. Returns the place where the reader may keep a pointer for the last
 * row's shape; the place holds NULL at first, and again when a new block begins. *is_same: the last
 * row equals the row before of that shape, except for id, times and correlation_id. Columns that a
 * shape holds for all its rows are equal in any case: of calls thread, function, site, api_path and
 * per_thread_stream. */
const void **block_rows_made(struct block_rows *blocks, bool *is_same);

/* Frees what block_rows_open() and block_rows_next() have made. */
void block_rows_close(struct block_rows *blocks);

/* How many calls or operations are in blocks, and their first and last id (both included); all 0:
 * none. */
struct block_ids {
	uint64_t rows;
	int64_t first_id, last_id;
};

/* table: calls or operations; for launch arguments use block_rows_count(). */
struct block_ids block_rows_ids(struct database *database, enum row_table table);

/* The table with the blocks of calls, operations or launch_arguments. */
enum row_table block_rows_table(enum row_table table);

/* The statement that gives each block's first_id and number of rows, by first_id; static. table:
 * calls or operations. */
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
