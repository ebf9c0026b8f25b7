/*
 * Reads calls stored as blocks of bytes: rows of table call_blocks, whose layout schema.sql has
 * byte by byte.
 *
 * libstrace.so writes the bytes (preload/recorder/pack.h). libstrace.so and the analyzer read them
 * here, as rows of table calls:
 *
 *	call_block_open(block, &stored);
 *	while (call_block_next(block, &row))
 *		...
 *	if (call_block_is_damaged(block))
 *		...
 *
 * The bytes are untrusted (block_numbers.h) and must stay valid while they are read. Nothing is to
 * be freed. No allocation, no locks. A block has some 32 KB and belongs to one thread.
 */
#ifndef STREAMTRACE_CALL_BLOCKS_H
#define STREAMTRACE_CALL_BLOCKS_H

#include "facts/block_numbers.h"
#include "facts/rows.h"

/* The most shapes and sets of arguments in a block. */
#define CALL_BLOCK_SHAPES_MOST	  256
#define CALL_BLOCK_ARGUMENTS_MOST 512

/* Bits of a shape: which values its calls have, besides function, site and times. */
enum call_block_bit {
	CALL_BLOCK_API_PATH = 1 << 0, /* calls.api_path is 1 */
	CALL_BLOCK_PER_THREAD = 1 << 1,
	CALL_BLOCK_CORRELATION = 1 << 2,
	CALL_BLOCK_FIRST_FIELD = 1 << 3 /* the bit of field 0 of enum call_block_field; field i:
					 * shifted left by i */
};

/* Fields stored only when they change: bit i of a call's change mask is field i. Frequent ones come
 * first, because a mask below 2^7 takes one byte. */
enum call_block_field {
	CALL_BLOCK_STREAM,
	CALL_BLOCK_OBJECT,
	CALL_BLOCK_DST,
	CALL_BLOCK_SRC,
	CALL_BLOCK_SIZE,
	CALL_BLOCK_ARGUMENTS, /* 1 + the position in the block's list; 0: none */
	CALL_BLOCK_NUMBERS,   /* 0: none */
	CALL_BLOCK_COPY_KIND,
	CALL_BLOCK_RESULT,
	CALL_BLOCK_CONTEXT, /* 0: none */
	CALL_BLOCK_FIELDS
};

/* The bit in struct call_block_shape.bits that says that the shape's calls have the field; without
 * the bit the field is NULL. Only for STREAM, OBJECT, DST, SRC, SIZE and COPY_KIND: no bit is asked
 * for the other fields. */
#define CALL_BLOCK_HAS(field) ((uint32_t)CALL_BLOCK_FIRST_FIELD << (field))

struct call_block_shape {
	int64_t function_id, site_id; /* site_id: ROW_NULL if there is none */
	uint64_t bits;
	uint64_t values[CALL_BLOCK_FIELDS]; /* values of the last call read with this shape */
};

struct call_block {
	struct block_bytes bytes;
	int64_t next_id, thread_id;
	uint64_t left; /* calls left */
	uint64_t end_ns, correlation_id;
	uint64_t shape_count, argument_count;
	/* Of the last call read: the index of its shape, and whether a field differs from the call
	 * before it with the same shape. */
	uint64_t shape;
	bool is_changed;
	struct call_block_shape shapes[CALL_BLOCK_SHAPES_MOST];
	int64_t arguments[CALL_BLOCK_ARGUMENTS_MOST];
};

/* Begins to read a row of call_blocks. stored->bytes are not copied. */
static inline void call_block_open(struct call_block *block, const struct call_blocks_row *stored)
{
	block->bytes.at = stored->bytes.start;
	block->bytes.end = block->bytes.at + stored->bytes.count;
	block->bytes.is_damaged = stored->calls < 0 || stored->first_id > INT64_MAX - stored->calls;
	block->next_id = stored->first_id;
	block->thread_id = stored->thread_id;
	block->left = (uint64_t)stored->calls;
	block->end_ns = block->correlation_id = 0;
	block->shape_count = block_count(&block->bytes, CALL_BLOCK_SHAPES_MOST);
	for (uint64_t i = 0; i < block->shape_count; i++) {
		const int64_t function_id = (int64_t)block_number(&block->bytes);
		const uint64_t bits = block_number(&block->bytes);
		const int64_t site_id = (int64_t)block_number(&block->bytes);

		block->shapes[i] = (struct call_block_shape){
			.function_id = function_id,
			.site_id = site_id ? site_id : ROW_NULL,
			.bits = bits,
		};
	}
	block->argument_count = block_count(&block->bytes, CALL_BLOCK_ARGUMENTS_MOST);
	for (uint64_t i = 0; i < block->argument_count; i++)
		block->arguments[i] = (int64_t)block_number(&block->bytes);
}

/* For call_block_next(): the field's value in the shape's last call; ROW_NULL: these calls do not
 * have the field. */
static inline int64_t call_block_value(const struct call_block_shape *shape, int field)
{
	return shape->bits & CALL_BLOCK_HAS(field) ? (int64_t)shape->values[field] : ROW_NULL;
}

/* For call_block_next(): the id at this position of the block's list, counted from 1; ROW_NULL for
 * 0. */
static inline int64_t call_block_arguments(struct call_block *block, uint64_t position)
{
	if (!position)
		return ROW_NULL;
	if (position <= block->argument_count)
		return block->arguments[position - 1];
	block->bytes.is_damaged = true;
	return ROW_NULL;
}

/* For call_block_next(): reads a change mask, and adds the differences behind it to the shape's
 * values. */
static inline void call_block_change(struct call_block *block, struct call_block_shape *shape)
{
	uint64_t changes = block_count(&block->bytes, (1 << CALL_BLOCK_FIELDS) - 1);

	for (; changes; changes &= changes - 1)
		shape->values[__builtin_ctzll(changes)] +=
			block_unfold(block_number(&block->bytes));
}

/* Reads the next call. False: the end, or the bytes are damaged; *row is then undefined. */
static inline bool call_block_next(struct call_block *block, struct calls_row *row)
{
	uint64_t head, start_ns;
	struct call_block_shape *shape;

	if (!block->left || block->bytes.is_damaged)
		return false;
	head = block_number(&block->bytes);
	if (head >> 1 >= block->shape_count) {
		block->bytes.is_damaged = true;
		return false;
	}
	block->shape = head >> 1;
	block->is_changed = head & 1;
	shape = &block->shapes[block->shape];
	start_ns = block->end_ns + block_unfold(block_number(&block->bytes));
	block->end_ns = start_ns + block_number(&block->bytes);
	if (shape->bits & CALL_BLOCK_CORRELATION)
		block->correlation_id += block_unfold(block_number(&block->bytes));
	if (block->is_changed)
		call_block_change(block, shape);
	*row = (struct calls_row){
		.id = block->next_id,
		.thread_id = block->thread_id,
		.function_id = shape->function_id,
		.start_ns = (int64_t)start_ns,
		.end_ns = (int64_t)block->end_ns,
		.result = (int64_t)shape->values[CALL_BLOCK_RESULT],
		.api_path = (shape->bits & CALL_BLOCK_API_PATH) != 0,
		.per_thread_stream = (shape->bits & CALL_BLOCK_PER_THREAD) != 0,
		.site_id = shape->site_id,
		.correlation_id = shape->bits & CALL_BLOCK_CORRELATION
					  ? (int64_t)block->correlation_id
					  : ROW_NULL,
		.stream_handle = call_block_value(shape, CALL_BLOCK_STREAM),
		.object = call_block_value(shape, CALL_BLOCK_OBJECT),
		.dst = call_block_value(shape, CALL_BLOCK_DST),
		.src = call_block_value(shape, CALL_BLOCK_SRC),
		.size_bytes = call_block_value(shape, CALL_BLOCK_SIZE),
		.copy_kind = call_block_value(shape, CALL_BLOCK_COPY_KIND),
		.arguments_id = call_block_arguments(block, shape->values[CALL_BLOCK_ARGUMENTS]),
		.numbers = shape->values[CALL_BLOCK_NUMBERS]
				   ? (int64_t)shape->values[CALL_BLOCK_NUMBERS]
				   : ROW_NULL,
		.context_id = shape->values[CALL_BLOCK_CONTEXT]
				      ? (int64_t)shape->values[CALL_BLOCK_CONTEXT]
				      : ROW_NULL,
	};
	block->next_id = (int64_t)((uint64_t)block->next_id + 1);
	block->left--;
	return !block->bytes.is_damaged;
}

/* Whether the bytes were damaged. Call after call_block_next() has returned false. */
static inline bool call_block_is_damaged(const struct call_block *block)
{
	return block->bytes.is_damaged || block->left || block->bytes.at != block->bytes.end;
}

#endif
