/* Stores launch arguments as blocks; layout: facts/argument_blocks.h. */
#include "base/argument_position.h"
#include "base/atoms.h"
#include "facts/argument_blocks.h"
#include "store/private.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES 16384

/* The most that a set may take. */
#define MOST_SET_BYTES (BLOCK_NUMBER_BYTES * (1 + 3 * ARGUMENT_BLOCK_SET_MOST))

struct argument_pack {
	uint8_t *at; /* after the last set */
	int64_t sets, arguments;
	uint64_t addresses[ARGUMENT_BLOCK_SET_MOST];
	uint8_t bytes[BLOCK_BYTES];
};

static void begin_block(struct argument_pack *pack)
{
	pack->at = pack->bytes;
	pack->sets = pack->arguments = 0;
	memset(pack->addresses, 0, sizeof(pack->addresses));
}

/* In the order in which argument_block_next() reads. */
static void put_set(struct argument_pack *pack, const struct atom *set)
{
	const int count = set->count / 2;
	uint8_t *at = block_put(pack->at, (uint64_t)count);
	uint64_t parameter = 0;

	for (int i = 0; i < count; i++) {
		const uint64_t position = set->words[2 * i], address = set->words[2 * i + 1];
		const uint64_t offset = (uint64_t)argument_position_offset(position);
		const uint64_t difference =
			(uint64_t)argument_position_parameter(position) - parameter;

		at = block_put(at, block_fold(difference) << 1 | (offset != 0));
		if (offset)
			at = block_put(at, offset);
		at = block_put(at, block_fold(address - pack->addresses[i]));
		pack->addresses[i] = address;
		parameter += difference;
	}
	pack->at = at;
	pack->sets++;
	pack->arguments += count;
}

void store_argument_block(struct store *store)
{
	struct argument_pack *pack = store->argument_pack;

	if (!pack || !pack->sets)
		return;
	store_insert_block(store, STATEMENT_ARGUMENT_BLOCK,
			   &(struct argument_blocks_row){
				   .first_id = store->set_count - pack->sets + 1,
				   .sets = pack->sets,
				   .arguments = pack->arguments,
				   .bytes = {pack->bytes, (size_t)(pack->at - pack->bytes)},
			   },
			   (uint64_t)pack->arguments);
	begin_block(pack);
}

int64_t store_arguments_id(struct store *store, struct atom *set)
{
	struct argument_pack *pack = store->argument_pack;

	if (!set)
		return ROW_NULL;
	if (set->row_generation == store->generation)
		return set->row_id;
	if (!pack) {
		pack = store->argument_pack = malloc(sizeof(*pack));
		if (!pack) {
			store_lost(store, "out of memory");
			return ROW_NULL;
		}
		begin_block(pack);
	}
	if (pack->bytes + sizeof(pack->bytes) - pack->at < MOST_SET_BYTES)
		store_argument_block(store);
	set->row_generation = store->generation;
	set->row_id = ++store->set_count;
	store->argument_count += set->count / 2;
	put_set(pack, set);
	return set->row_id;
}
