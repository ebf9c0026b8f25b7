/* Calls as blocks: whole into the table call_blocks, and later as rows. */
#include "store/private.h"

#include "base/atoms.h"
#include "recorder/pack.h"

#include "facts/call_blocks.h"

#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 10 /* of the longest */

/* Of the lists before a block's records. */
#define MOST_LIST_BYTES                                                                            \
	(NUMBER_BYTES * (2 + 3 * CALL_BLOCK_SHAPES_MOST + CALL_BLOCK_ARGUMENTS_MOST))

static uint8_t *put(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

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

/* The block's lists, whose ids only the writer can give. */
static uint8_t *put_lists(struct store *store, const struct packed *packed, uint8_t *at)
{
	const struct packed_note *note = NULL;

	at = put(at, packed->shape_count);
	while ((note = packed_next_note(packed, note))) {
		int64_t site_id;

		if (note->kind != PACKED_SHAPE)
			continue;
		site_id = store_site_id(store, (struct atom *)(uintptr_t)note->value);
		store_note_function(store, note->function);
		at = put(at, note->function);
		at = put(at, shape_bits(note->function, note->number));
		at = put(at, site_id == ROW_NULL ? 0 : (uint64_t)site_id);
	}
	at = put(at, packed->argument_count);
	for (note = NULL; (note = packed_next_note(packed, note));)
		if (note->kind == PACKED_ARGUMENTS)
			at = put(at, (uint64_t)store_arguments_id(
					     store, (struct atom *)(uintptr_t)note->value));
	return at;
}

static void insert_block(struct store *store, const struct call_blocks_row *row)
{
	if (store->is_broken)
		store->failed_rows += (uint64_t)row->calls;
	else
		store_insert_counted(store, STATEMENT_CALL_BLOCK, row, (uint64_t)row->calls);
	store->block_count++;
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
	insert_block(store,
		     &(struct call_blocks_row){
			     .first_id = first_id,
			     .thread_id = thread_id,
			     .calls = packed->calls,
			     .bytes = {store->block_bytes, (size_t)(end - store->block_bytes)},
		     });
	return first_id;
}

/* What a SELECT gives belongs to it until the next step. */
static bool insert_rows(struct store *store, const struct call_blocks_row *stored)
{
	struct call_block *block = malloc(sizeof(*block));
	const struct insert *insert = &store->inserts[STATEMENT_CALL];
	struct calls_row row;
	bool ok = block != NULL;

	if (!block)
		return false;
	call_block_open(block, stored);
	while (ok && call_block_next(block, &row)) {
		store_bind(insert, &row);
		ok = sqlite3_step(insert->prepared) == SQLITE_DONE;
		sqlite3_reset(insert->prepared);
	}
	ok = ok && !call_block_is_damaged(block);
	free(block);
	return ok;
}

static bool delete_block(struct store *store, int64_t first_id)
{
	bool ok;

	sqlite3_bind_int64(store->delete_block, 1, first_id);
	ok = sqlite3_step(store->delete_block) == SQLITE_DONE;
	sqlite3_reset(store->delete_block);
	return ok;
}

/* False: none is left, or it cannot be. */
static bool unpack_oldest(struct store *store)
{
	sqlite3_stmt *oldest = store->oldest_block;
	int64_t first_id = 0;
	bool ok = sqlite3_step(oldest) == SQLITE_ROW;

	if (ok) {
		first_id = sqlite3_column_int64(oldest, 0);
		ok = insert_rows(store, &(struct call_blocks_row){
						.first_id = first_id,
						.thread_id = sqlite3_column_int64(oldest, 1),
						.calls = sqlite3_column_int64(oldest, 2),
						.bytes = {sqlite3_column_blob(oldest, 3),
							  (size_t)sqlite3_column_bytes(oldest, 3)},
					});
	}
	sqlite3_reset(oldest);
	return ok && delete_block(store, first_id);
}

/* In a transaction of its own: where it fails, on a full disk, the blocks stay, and nothing is lost. */
void store_unpack_blocks(struct store *store, bool (*is_over)(void))
{
	bool ok = true;

	if (!store->block_count || store->is_broken)
		return;
	store_commit(store);
	while (ok && store->block_count && !store->is_broken && !is_over()) {
		ok = unpack_oldest(store);
		store->block_count -= ok;
	}
	if (ok) {
		store_commit(store);
		return;
	}
	store->block_count = 0; /* for here */
	if (!sqlite3_get_autocommit(store->database))
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	store_commit(store);
}
