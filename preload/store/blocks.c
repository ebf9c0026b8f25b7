/* Stores calls as blocks, in table call_blocks. */
#include "base/atoms.h"
#include "facts/call_blocks.h"
#include "recorder/pack.h"
#include "store/private.h"

#include <stdlib.h>
#include <string.h>

/* The most that the lists before a block's records take. */
#define MOST_LIST_BYTES                                                                            \
	(BLOCK_NUMBER_BYTES * (2 + 3 * CALL_BLOCK_SHAPES_MOST + CALL_BLOCK_ARGUMENTS_MOST))

static uint64_t shape_bits(unsigned function, uint32_t has)
{
	static const struct {
		uint32_t has, bit;
	} bits[] = {
		{RECORD_IS_PER_THREAD, CALL_BLOCK_PER_THREAD},
		{RECORD_HAS_CORRELATION, CALL_BLOCK_CORRELATION},
		{RECORD_HAS_STREAM, CALL_BLOCK_HAS(CALL_BLOCK_STREAM)},
		{RECORD_HAS_OBJECT, CALL_BLOCK_HAS(CALL_BLOCK_OBJECT)},
		{RECORD_HAS_DST, CALL_BLOCK_HAS(CALL_BLOCK_DST)},
		{RECORD_HAS_SRC, CALL_BLOCK_HAS(CALL_BLOCK_SRC)},
		{RECORD_HAS_SIZE, CALL_BLOCK_HAS(CALL_BLOCK_SIZE)},
		{RECORD_HAS_COPY_KIND, CALL_BLOCK_HAS(CALL_BLOCK_COPY_KIND)},
	};
	uint64_t all = function >= FUNCTION_DRIVER_FIRST ? CALL_BLOCK_API_PATH : 0;

	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		if (has & bits[i].has)
			all |= bits[i].bit;
	return all;
}

/* Writes the block's lists: only the writer can give their ids. */
static uint8_t *put_lists(struct store *store, const struct packed *packed, uint8_t *at)
{
	const struct packed_note *note = NULL;

	at = block_put(at, packed->shape_count);
	while ((note = packed_next_note(packed, note))) {
		int64_t site_id;

		if (note->kind != PACKED_SHAPE)
			continue;
		site_id = store_site_id(store, (struct atom *)(uintptr_t)note->value);
		store_note_function(store, note->function);
		at = block_put(at, note->function);
		at = block_put(at, shape_bits(note->function, note->number));
		at = block_put(at, site_id == ROW_NULL ? 0 : (uint64_t)site_id);
	}
	at = block_put(at, packed->argument_count);
	for (note = NULL; (note = packed_next_note(packed, note));)
		if (note->kind == PACKED_ARGUMENTS)
			at = block_put(at, (uint64_t)store_arguments_id(
						   store, (struct atom *)(uintptr_t)note->value));
	return at;
}

#define MOST_RECORD_BYTES ((size_t)128 << 10)

int64_t store_call_block(struct store *store, const struct packed *packed, uint32_t thread_id)
{
	const int64_t first_id = store->call_count + 1;
	uint8_t *end;

	if (!packed->calls)
		return first_id;
	store->call_count += packed->calls;
	if (!store->block_bytes)
		store->block_bytes = malloc(MOST_LIST_BYTES + MOST_RECORD_BYTES);
	if (!store->block_bytes || packed->record_bytes > MOST_RECORD_BYTES) {
		store_lost(store, "out of memory");
		store->failed_rows += packed->calls - 1;
		return first_id;
	}
	store_note_thread(store, thread_id);
	end = put_lists(store, packed, store->block_bytes);
	memcpy(end, packed->records, packed->record_bytes);
	end += packed->record_bytes;
	store_insert_block(
		store, STATEMENT_CALL_BLOCK,
		&(struct call_blocks_row){
			.first_id = first_id,
			.thread_id = thread_id,
			.calls = packed->calls,
			.bytes = {store->block_bytes, (size_t)(end - store->block_bytes)},
		},
		packed->calls);
	return first_id;
}
