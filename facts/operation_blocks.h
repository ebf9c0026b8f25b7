/*
 * Reads operations stored as blocks of bytes: rows of table operation_blocks, whose layout
 * schema.sql has byte by byte.
 *
 * libstrace.so writes the bytes (preload/store/operations.c). libstrace.so and the analyzer read
 * them here, as rows of table operations:
 *
 *	operation_block_open(block, &stored, find, context);
 *	while (operation_block_next(block, &row))
 *		...
 *	if (operation_block_is_damaged(block))
 *		...
 *
 * The bytes are untrusted (block_numbers.h) and must stay valid while they are read. Nothing is to
 * be freed. A block has some 120 KB and belongs to one thread.
 */
#ifndef STREAMTRACE_OPERATION_BLOCKS_H
#define STREAMTRACE_OPERATION_BLOCKS_H

#include "facts/block_numbers.h"
#include "facts/rows.h"

#define OPERATION_BLOCK_SHAPES_MOST 512

/* The columns of operations that a shape stores for all its operations, in the order of the bytes.
 * After them comes the id of a row of kernel_configurations. */
#define OPERATION_BLOCK_COLUMNS(COLUMN)                                                            \
	COLUMN(kind)                                                                               \
	COLUMN(device_id)                                                                          \
	COLUMN(context_id)                                                                         \
	COLUMN(stream_id)                                                                          \
	COLUMN(channel_id)                                                                         \
	COLUMN(channel_type)                                                                       \
	COLUMN(copy_kind)                                                                          \
	COLUMN(src_kind)                                                                           \
	COLUMN(dst_kind)                                                                           \
	COLUMN(is_async)                                                                           \
	COLUMN(src_device_id)                                                                      \
	COLUMN(dst_device_id)

/* The columns of operations that a row of kernel_configurations stores. */
#define OPERATION_BLOCK_CONFIGURATION(COLUMN)                                                      \
	COLUMN(name_id)                                                                            \
	COLUMN(grid_x)                                                                             \
	COLUMN(grid_y)                                                                             \
	COLUMN(grid_z)                                                                             \
	COLUMN(block_x)                                                                            \
	COLUMN(block_y)                                                                            \
	COLUMN(block_z)                                                                            \
	COLUMN(registers_per_thread)                                                               \
	COLUMN(static_shared_bytes)                                                                \
	COLUMN(dynamic_shared_bytes)                                                               \
	COLUMN(local_bytes_per_thread)

/* Bits of an operation's change mask. */
enum operation_block_bit {
	OPERATION_BLOCK_NODE = 1 << 0, /* graph_node_id differs from that of the last operation of
				        * this shape */
	OPERATION_BLOCK_SIZE = 1 << 1, /* size_bytes differs likewise */
	OPERATION_BLOCK_UNTIMED = 1 << 2,
	OPERATION_BLOCK_BITS = 7
};

/* Maps a value of a shape to the number that stores it: 0 for ROW_NULL.
 * operation_block_unfold_value() is the inverse. */
static inline uint64_t operation_block_fold_value(int64_t value)
{
	return block_fold((uint64_t)value) + 1; /* folding ROW_NULL gives all bits set */
}

static inline int64_t operation_block_unfold_value(uint64_t number)
{
	return (int64_t)block_unfold(number - 1);
}

/* Copies the columns of the configuration into *row: a help for an operation_block_find(). */
static inline void operation_block_configure(struct operations_row *row,
					     const struct kernel_configurations_row *configuration)
{
#define COPY(column) row->column = configuration->column;
	OPERATION_BLOCK_CONFIGURATION(COPY)
#undef COPY
}

/* Copies the columns of the row of kernel_configurations with this id into *row. False: no such
 * row. */
typedef bool operation_block_find(void *context, int64_t id, struct operations_row *row);

struct operation_block {
	struct block_bytes bytes;
	int64_t next_id;
	uint64_t left; /* operations left */
	uint64_t end_ns, correlation_id;
	operation_block_find *find;
	void *context;
	uint64_t shape_count;
	/* Of the last operation read: the index of its shape, and whether graph_node_id or
	 * size_bytes differs from the operation before it with the same shape. */
	uint64_t shape;
	bool is_changed;
	struct operations_row shapes[OPERATION_BLOCK_SHAPES_MOST]; /* each with the columns of the
								    * last operation read with it */
};

/* Begins to read a row of operation_blocks. stored->bytes are not copied. find(context, ...) is
 * called for each shape with a configuration. */
static inline void operation_block_open(struct operation_block *block,
					const struct operation_blocks_row *stored,
					operation_block_find *find, void *context)
{
	block->bytes.at = stored->bytes.start;
	block->bytes.end = block->bytes.at + stored->bytes.count;
	block->bytes.is_damaged =
		stored->operations < 0 || stored->first_id > INT64_MAX - stored->operations;
	block->next_id = stored->first_id;
	block->left = (uint64_t)stored->operations;
	block->end_ns = block->correlation_id = 0;
	block->find = find;
	block->context = context;
	block->shape_count = 0;
}

/* For the functions below: reads a value of a shape. */
static inline int64_t operation_block_value(struct operation_block *block)
{
	return operation_block_unfold_value(block_number(&block->bytes));
}

/* Reads the next new shape. */
static inline void operation_block_read_shape(struct operation_block *block)
{
	struct operations_row *shape = &block->shapes[block->shape_count++];
	int64_t configuration_id;

	*shape = operations_null();
#define READ(column) shape->column = operation_block_value(block);
	OPERATION_BLOCK_COLUMNS(READ)
#undef READ
	configuration_id = operation_block_value(block);
	shape->graph_node_id = operation_block_value(block);
	shape->size_bytes = operation_block_value(block);
	if (configuration_id != ROW_NULL && !block->bytes.is_damaged &&
	    !block->find(block->context, configuration_id, shape))
		block->bytes.is_damaged = true;
}

/* Returns the shape with this index, and reads it first if it is the next new one. NULL: there is
 * no such shape; the bytes are damaged. */
static inline struct operations_row *operation_block_shape(struct operation_block *block,
							   uint64_t index)
{
	if (index == block->shape_count && index < OPERATION_BLOCK_SHAPES_MOST)
		operation_block_read_shape(block);
	if (index < block->shape_count)
		return &block->shapes[index];
	block->bytes.is_damaged = true;
	return NULL;
}

/* Reads the start and end of an operation into its shape. */
static inline void operation_block_read_times(struct operation_block *block,
					      struct operations_row *shape)
{
	const uint64_t start_ns = block->end_ns + block_unfold(block_number(&block->bytes));

	block->end_ns = start_ns + block_number(&block->bytes);
	shape->start_ns = (int64_t)start_ns;
	shape->end_ns = (int64_t)block->end_ns;
}

/* Reads a difference and adds it to *value. */
static inline void operation_block_change(struct operation_block *block, int64_t *value)
{
	*value = (int64_t)((uint64_t)*value + block_unfold(block_number(&block->bytes)));
}

/* Reads the next operation. False: the end, or the bytes are damaged; *row is then undefined. */
static inline bool operation_block_next(struct operation_block *block, struct operations_row *row)
{
	struct operations_row *shape;
	uint64_t head, bits = 0;

	if (!block->left || block->bytes.is_damaged)
		return false;
	head = block_number(&block->bytes);
	shape = operation_block_shape(block, head >> 1);
	if (!shape)
		return false;
	if (head & 1)
		bits = block_count(&block->bytes, OPERATION_BLOCK_BITS);
	block->shape = head >> 1;
	block->is_changed = bits & (OPERATION_BLOCK_NODE | OPERATION_BLOCK_SIZE);
	if (bits & OPERATION_BLOCK_UNTIMED)
		shape->start_ns = shape->end_ns = ROW_NULL;
	else
		operation_block_read_times(block, shape);
	block->correlation_id += block_unfold(block_number(&block->bytes));
	shape->correlation_id = (int64_t)block->correlation_id;
	if (bits & OPERATION_BLOCK_NODE)
		operation_block_change(block, &shape->graph_node_id);
	if (bits & OPERATION_BLOCK_SIZE)
		operation_block_change(block, &shape->size_bytes);
	shape->id = block->next_id;
	block->next_id = (int64_t)((uint64_t)block->next_id + 1);
	block->left--;
	*row = *shape;
	return !block->bytes.is_damaged;
}

/* Whether the bytes were damaged. Call after operation_block_next() has returned false. */
static inline bool operation_block_is_damaged(const struct operation_block *block)
{
	return block->bytes.is_damaged || block->left || block->bytes.at != block->bytes.end;
}

#endif
