/* Stores operations as blocks; layout: facts/operation_blocks.h. */
#include "facts/operation_blocks.h"
#include "store/private.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 65536
#define SLOTS	    2048 /* a power of two, more than there are shapes */

/* Known configurations take memory: at this number they are forgotten, and get rows again. */
#define CONFIGURATIONS_MOST 131072

enum {
#define COUNT(column) COLUMN_##column,
	OPERATION_BLOCK_COLUMNS(COUNT)
#undef COUNT
		CONFIGURATION,
	IS_NODE, /* graph_node_id is set */
	IS_SIZED,
	KEYS
};

/* The most that an operation may take: its head, bits, a new shape and five numbers. */
#define MOST_OPERATION_BYTES ((2 + CONFIGURATION + 3 + 5) * BLOCK_NUMBER_BYTES)

struct shape {
	int64_t keys[KEYS];
	int64_t node_id, size_bytes; /* of the shape's last operation */
};

struct operation_pack {
	uint8_t *at; /* after the last operation */
	int64_t operations;
	uint64_t end_ns, correlation_id;
	unsigned shape_count;
	uint16_t slots[SLOTS]; /* index + 1 */
	struct shape shapes[OPERATION_BLOCK_SHAPES_MOST];
	struct intern configurations;
	int64_t forgotten; /* number of forgotten configurations */
	uint8_t bytes[BLOCK_BYTES];
};

static int64_t configuration_id(struct store *store, const struct operations_row *row)
{
	struct operation_pack *pack = store->operation_pack;
	struct kernel_configurations_row configuration = {0};
	bool is_new;
	int64_t id;

	if (pack->configurations.count == CONFIGURATIONS_MOST) {
		pack->forgotten += CONFIGURATIONS_MOST;
		intern_free(&pack->configurations);
	}
#define COPY(column) configuration.column = row->column;
	OPERATION_BLOCK_CONFIGURATION(COPY)
#undef COPY
	id = intern(&pack->configurations, &configuration, sizeof(configuration), &is_new);
	if (!id) {
		store_lost(store, "out of memory");
		return ROW_NULL;
	}
	configuration.id = pack->forgotten + id;
	if (is_new)
		store_insert(store, STATEMENT_CONFIGURATION, &configuration);
	return configuration.id;
}

static void make_keys(struct store *store, const struct operations_row *row, int64_t keys[KEYS])
{
#define KEEP(column) keys[COLUMN_##column] = row->column;
	OPERATION_BLOCK_COLUMNS(KEEP)
#undef KEEP
	keys[CONFIGURATION] =
		row->kind == OPERATION_KERNEL ? configuration_id(store, row) : ROW_NULL;
	keys[IS_NODE] = row->graph_node_id != ROW_NULL;
	keys[IS_SIZED] = row->size_bytes != ROW_NULL;
}

static unsigned slot_of(const int64_t keys[KEYS])
{
	uint64_t hash = 0;

	for (int i = 0; i < KEYS; i++)
		hash = (hash ^ (uint64_t)keys[i]) * 0x9e3779b97f4a7c15;
	return (unsigned)(hash >> 53);
}
_Static_assert(SLOTS == 1 << (64 - 53), "a slot is the highest bits of a product");

/* The shape's index; equal to the number of shapes: new; -1: the block has no room for another
 * shape. */
static int find_shape(struct operation_pack *pack, const int64_t keys[KEYS])
{
	unsigned slot = slot_of(keys);

	for (; pack->slots[slot]; slot = (slot + 1) % SLOTS) {
		const int index = pack->slots[slot] - 1;

		if (!memcmp(pack->shapes[index].keys, keys, sizeof(pack->shapes[index].keys)))
			return index;
	}
	if (pack->shape_count == OPERATION_BLOCK_SHAPES_MOST)
		return -1;
	pack->slots[slot] = (uint16_t)(pack->shape_count + 1);
	return (int)pack->shape_count;
}

static uint8_t *put_shape(struct operation_pack *pack, const int64_t keys[KEYS],
			  const struct operations_row *row, uint8_t *at)
{
	struct shape *shape = &pack->shapes[pack->shape_count++];

	memcpy(shape->keys, keys, sizeof(shape->keys));
	shape->node_id = row->graph_node_id;
	shape->size_bytes = row->size_bytes;
	for (int i = 0; i <= CONFIGURATION; i++)
		at = block_put(at, operation_block_fold_value(keys[i]));
	at = block_put(at, operation_block_fold_value(row->graph_node_id));
	return block_put(at, operation_block_fold_value(row->size_bytes));
}

static unsigned bits_of(const struct shape *shape, const struct operations_row *row)
{
	const bool is_timed = row->start_ns != ROW_NULL && row->end_ns != ROW_NULL;

	return (row->graph_node_id != shape->node_id ? OPERATION_BLOCK_NODE : 0) |
	       (row->size_bytes != shape->size_bytes ? OPERATION_BLOCK_SIZE : 0) |
	       (is_timed ? 0 : OPERATION_BLOCK_UNTIMED);
}

static uint8_t *put_difference(uint8_t *at, int64_t value, int64_t before)
{
	return block_put(at, block_fold((uint64_t)value - (uint64_t)before));
}

/* In the order in which operation_block_next() reads. */
static void put_operation(struct operation_pack *pack, const struct operations_row *row,
			  const int64_t keys[KEYS], int index)
{
	struct shape *shape = &pack->shapes[index];
	const bool is_new = (unsigned)index == pack->shape_count;
	const unsigned bits = is_new ? bits_of(&(struct shape){.node_id = row->graph_node_id,
							       .size_bytes = row->size_bytes},
					       row)
				     : bits_of(shape, row);
	uint8_t *at = block_put(pack->at, (uint64_t)index << 1 | (bits != 0));

	if (is_new)
		at = put_shape(pack, keys, row, at);
	if (bits)
		at = block_put(at, bits);
	if (!(bits & OPERATION_BLOCK_UNTIMED)) {
		at = put_difference(at, row->start_ns, (int64_t)pack->end_ns);
		at = block_put(at, (uint64_t)row->end_ns - (uint64_t)row->start_ns);
		pack->end_ns = (uint64_t)row->end_ns;
	}
	at = put_difference(at, row->correlation_id, (int64_t)pack->correlation_id);
	pack->correlation_id = (uint64_t)row->correlation_id;
	if (bits & OPERATION_BLOCK_NODE)
		at = put_difference(at, row->graph_node_id, shape->node_id);
	if (bits & OPERATION_BLOCK_SIZE)
		at = put_difference(at, row->size_bytes, shape->size_bytes);
	shape->node_id = row->graph_node_id;
	shape->size_bytes = row->size_bytes;
	pack->at = at;
	pack->operations++;
}

static void begin_block(struct operation_pack *pack)
{
	pack->at = pack->bytes;
	pack->operations = 0;
	pack->end_ns = pack->correlation_id = 0;
	pack->shape_count = 0;
	memset(pack->slots, 0, sizeof(pack->slots));
}

void store_operation_block(struct store *store)
{
	struct operation_pack *pack = store->operation_pack;

	if (!pack || !pack->operations)
		return;
	store_insert_block(store, STATEMENT_OPERATION_BLOCK,
			   &(struct operation_blocks_row){
				   .first_id = store->operation_count - pack->operations + 1,
				   .operations = pack->operations,
				   .bytes = {pack->bytes, (size_t)(pack->at - pack->bytes)},
			   },
			   (uint64_t)pack->operations);
	begin_block(pack);
}

void store_operation(struct store *store, struct operations_row *row, const char *name)
{
	struct operation_pack *pack = store->operation_pack;
	int64_t keys[KEYS];
	int index;

	if (!pack) {
		pack = store->operation_pack = calloc(1, sizeof(*pack));
		if (!pack) {
			store_lost(store, "out of memory");
			return;
		}
		begin_block(pack);
	}
	row->name_id = name ? store_string_id(store, name) : ROW_NULL;
	make_keys(store, row, keys);
	if (pack->bytes + sizeof(pack->bytes) - pack->at < MOST_OPERATION_BYTES)
		store_operation_block(store);
	index = find_shape(pack, keys);
	if (index < 0) {
		store_operation_block(store);
		index = find_shape(pack, keys);
	}
	store->operation_count++;
	put_operation(pack, row, keys, index);
}

void store_operations_free(struct store *store)
{
	if (store->operation_pack)
		intern_free(&store->operation_pack->configurations);
	free(store->operation_pack);
}
