/*
 * Calls that are still bytes of `call_blocks` (facts/call_blocks.h), checked as rows of `calls` are, to
 * be read between those by their ids. Failures as in rows.h. One thread at a time.
 */
#ifndef STREAMTRACE_BLOCK_CALLS_H
#define STREAMTRACE_BLOCK_CALLS_H

#include "trace/rows.h"

struct call_block;

struct block_calls {
	struct rows rows;
	struct call_blocks_row stored;
	bool has_stored, is_open; /* stored: there is one; `block` is in it */
	struct call_block *block;
};

/* Those of the blocks with a first_id from first_id to last_id. */
void block_calls_open(struct block_calls *calls, struct database *database, int64_t first_id,
		      int64_t last_id);

/* The next call of the blocks that begin before `id`; false: there is none, or a failure. */
bool block_calls_next(struct block_calls *calls, int64_t id, struct calls_row *row);

void block_calls_close(struct block_calls *calls);

/* How many calls are in blocks, and between which ids; all 0 where there are none. */
struct block_ids {
	uint64_t calls;
	int64_t first_id, last_id;
};

struct block_ids block_calls_ids(struct database *database);

#endif
