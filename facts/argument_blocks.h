/*
 * Reads launch arguments stored as blocks of bytes: rows of table argument_blocks, whose layout
 * schema.sql has byte by byte.
 *
 * libstrace.so writes the bytes (preload/store/arguments.c). libstrace.so and the analyzer read
 * them here, as rows of table launch_arguments:
 *
 *	argument_block_open(block, &stored);
 *	while (argument_block_next(block, &row))
 *		...
 *	if (argument_block_is_damaged(block))
 *		...
 *
 * The bytes are untrusted (block_numbers.h) and must stay valid while they are read. Nothing is to
 * be freed. A block belongs to one thread.
 */
#ifndef STREAMTRACE_ARGUMENT_BLOCKS_H
#define STREAMTRACE_ARGUMENT_BLOCKS_H

#include "facts/block_numbers.h"
#include "facts/rows.h"

#define ARGUMENT_BLOCK_SET_MOST 64 /* arguments in a set */

struct argument_block {
	struct block_bytes bytes;
	int64_t next_id;
	uint64_t left;	      /* sets left */
	uint64_t count, done; /* arguments in the current set, and how many were read */
	uint64_t parameter;
	uint64_t addresses[ARGUMENT_BLOCK_SET_MOST]; /* the last address at each position */
};

/* Begins to read a row of argument_blocks. stored->bytes are not copied. */
static inline void argument_block_open(struct argument_block *block,
				       const struct argument_blocks_row *stored)
{
	*block = (struct argument_block){
		.bytes = {.at = stored->bytes.start,
			  .end = (const uint8_t *)stored->bytes.start + stored->bytes.count,
			  .is_damaged =
				  stored->sets < 0 || stored->first_id > INT64_MAX - stored->sets},
		.next_id = stored->first_id,
		.left = (uint64_t)stored->sets,
	};
}

/* For argument_block_next(): begins the next set. Adds 1 to next_id: afterwards the id of the set
 * being read is next_id - 1. */
static inline void argument_block_next_set(struct argument_block *block)
{
	block->count = block_count(&block->bytes, ARGUMENT_BLOCK_SET_MOST);
	block->done = 0;
	block->parameter = 0;
	block->next_id = (int64_t)((uint64_t)block->next_id + 1);
	block->left--;
}

/* Reads the next argument. False: the end, or the bytes are damaged; *row is then undefined. */
static inline bool argument_block_next(struct argument_block *block,
				       struct launch_arguments_row *row)
{
	uint64_t head;

	while (block->done == block->count && block->left && !block->bytes.is_damaged)
		argument_block_next_set(block);
	if (block->done == block->count || block->bytes.is_damaged)
		return false;
	head = block_number(&block->bytes);
	block->parameter += block_unfold(head >> 1);
	*row = (struct launch_arguments_row){
		.id = (int64_t)((uint64_t)block->next_id - 1),
		.position = (int64_t)block->done,
		.parameter = (int64_t)block->parameter,
		.offset_bytes = head & 1 ? (int64_t)block_number(&block->bytes) : 0,
	};
	block->addresses[block->done] += block_unfold(block_number(&block->bytes));
	row->address = (int64_t)block->addresses[block->done++];
	return !block->bytes.is_damaged;
}

/* Whether the bytes were damaged. Call after argument_block_next() has returned false. */
static inline bool argument_block_is_damaged(const struct argument_block *block)
{
	return block->bytes.is_damaged || block->left || block->done != block->count ||
	       block->bytes.at != block->bytes.end;
}

#endif
