/*
 * Calls of a trace, wherever they are: rows of `calls`, and those that are still bytes of `call_blocks`
 * (facts/call_blocks.h), together in the order of their ids and checked alike.
 *
 *	call_rows_open(&calls, &database);
 *	while ((rows = call_rows_next(&calls, &row)))
 *		...
 *	call_rows_close(&calls);
 *
 * Failures as in rows.h. One thread.
 */
#ifndef STREAMTRACE_CALL_ROWS_H
#define STREAMTRACE_CALL_ROWS_H

#include "trace/rows.h"

struct call_block;

struct call_rows {
	struct rows calls, blocks;
	struct calls_row next_call;
	struct call_blocks_row next_block;
	bool has_call, has_block;
	struct call_block *block; /* that is being read: of next_block */
	bool is_in_block;
};

void call_rows_open(struct call_rows *from, struct database *database);

/* The next call; where it is from, for rows_fail(). NULL: at the end, and after a failure. */
struct rows *call_rows_next(struct call_rows *from, struct calls_row *row);

void call_rows_close(struct call_rows *from);

/* Calls that are in blocks. */
uint64_t call_rows_count_in_blocks(struct database *database);

#endif
