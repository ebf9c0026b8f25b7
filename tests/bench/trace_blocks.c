#include "trace_blocks.h"

#include "recorder/pack.h"
#include "store/private.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#define PACK_BYTES ((uint32_t)96 << 10) /* as life/drain.c has it */

struct thread_pack {
	struct packer packer;
	_Alignas(64) uint8_t memory[PACK_BYTES];
};

struct trace_blocks {
	struct store store;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	int64_t first_thread, threads;
	struct thread_pack packs[];
};

/* What the tracer's modules call, in place of the rest of its store. The store is the first member. */
static sqlite3_stmt *statement_of(struct store *store, enum statement which, const char *sql)
{
	struct trace_blocks *blocks = (struct trace_blocks *)store;
	sqlite3_stmt **statement = &blocks->statements[which];

	if (!*statement && sqlite3_prepare_v2(store->database, sql, -1, statement, NULL))
		errx(1, "%s", sqlite3_errmsg(store->database));
	return *statement;
}

static void run(struct store *store, sqlite3_stmt *statement)
{
	if (sqlite3_step(statement) != SQLITE_DONE || sqlite3_reset(statement))
		errx(1, "%s", sqlite3_errmsg(store->database));
}

static void bind_bytes(sqlite3_stmt *statement, int index, const struct row_bytes *bytes)
{
	sqlite3_bind_blob64(statement, index, bytes->start, bytes->count, SQLITE_STATIC);
}

void store_insert_block(struct store *store, enum statement which, const void *row, uint64_t events)
{
	const struct call_blocks_row *calls = row;
	const struct operation_blocks_row *operations = row;
	sqlite3_stmt *statement;

	if (which == STATEMENT_CALL_BLOCK) {
		statement =
			statement_of(store, which, "INSERT INTO call_blocks VALUES (?, ?, ?, ?)");
		sqlite3_bind_int64(statement, 1, calls->first_id);
		sqlite3_bind_int64(statement, 2, calls->thread_id);
		sqlite3_bind_int64(statement, 3, calls->calls);
		bind_bytes(statement, 4, &calls->bytes);
	} else {
		statement =
			statement_of(store, which, "INSERT INTO operation_blocks VALUES (?, ?, ?)");
		sqlite3_bind_int64(statement, 1, operations->first_id);
		sqlite3_bind_int64(statement, 2, operations->operations);
		bind_bytes(statement, 3, &operations->bytes);
	}
	run(store, statement);
}

void store_insert(struct store *store, enum statement which, const void *row)
{
	const struct kernel_configurations_row *configuration = row;
	sqlite3_stmt *statement = statement_of(
		store, which,
		"INSERT INTO kernel_configurations (id, name_id, grid_x, grid_y, grid_z, block_x,"
		" block_y, block_z, registers_per_thread, static_shared_bytes,"
		" dynamic_shared_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	const int64_t values[] = {configuration->id,
				  configuration->name_id,
				  configuration->grid_x,
				  configuration->grid_y,
				  configuration->grid_z,
				  configuration->block_x,
				  configuration->block_y,
				  configuration->block_z,
				  configuration->registers_per_thread,
				  configuration->static_shared_bytes,
				  configuration->dynamic_shared_bytes};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		sqlite3_bind_int64(statement, (int)i + 1, values[i]);
	run(store, statement);
}

int64_t store_string_id(struct store *store, const char *text)
{
	sqlite3_stmt *statement;
	bool is_new;
	const int64_t id = intern(&store->strings, text, strlen(text) + 1, &is_new);

	if (!is_new)
		return id;
	statement = statement_of(store, STATEMENT_STRING, "INSERT INTO strings VALUES (?, ?)");
	sqlite3_bind_int64(statement, 1, id);
	sqlite3_bind_text(statement, 2, text, -1, SQLITE_STATIC);
	run(store, statement);
	return id;
}

void store_lost(struct store *store, const char *why)
{
	errx(1, "%s", why);
}

/* Sites and sets of arguments are their ids here, and their rows and those of functions are there. */
int64_t store_site_id(struct store *store, struct atom *site)
{
	return (int64_t)(uintptr_t)site;
}

int64_t store_arguments_id(struct store *store, struct atom *set)
{
	return (int64_t)(uintptr_t)set;
}

void store_note_function(struct store *store, unsigned function)
{
}

void store_note_thread(struct store *store, uint32_t thread_id)
{
}

static void begin_pack(struct thread_pack *pack)
{
	packer_begin(&pack->packer, (void *)pack->memory, PACK_BYTES);
}

static void end_pack(struct trace_blocks *blocks, struct thread_pack *pack)
{
	packer_end(&pack->packer);
	store_call_block(&blocks->store, pack->packer.packed,
			 (uint32_t)(blocks->first_thread + (pack - blocks->packs)));
}

struct trace_blocks *trace_blocks_open(sqlite3 *database, int64_t first_thread, int64_t threads)
{
	const size_t bytes =
		sizeof(struct trace_blocks) + (size_t)threads * sizeof(struct thread_pack);
	struct trace_blocks *blocks = aligned_alloc(64, (bytes + 63) / 64 * 64);

	if (!blocks)
		errx(1, "out of memory");
	memset(blocks, 0, bytes);
	blocks->store.database = database;
	blocks->first_thread = first_thread;
	blocks->threads = threads;
	for (int64_t i = 0; i < threads; i++)
		begin_pack(&blocks->packs[i]);
	return blocks;
}

void trace_blocks_call(struct trace_blocks *blocks, const struct calls_row *row)
{
	struct thread_pack *pack = &blocks->packs[row->thread_id - blocks->first_thread];
	const struct record record = {
		.function = (uint16_t)row->function_id,
		.start_ns = row->start_ns,
		.end_ns = row->end_ns,
		.stream = (uint64_t)row->stream_handle,
		.object = (uint64_t)row->object,
		.dst = (uint64_t)row->dst,
		.src = (uint64_t)row->src,
		.size_bytes = (uint64_t)row->size_bytes,
		.correlation = (uint32_t)row->correlation_id,
		.has = RECORD_HAS_STREAM | RECORD_HAS_OBJECT | RECORD_HAS_DST | RECORD_HAS_SRC |
		       RECORD_HAS_SIZE | RECORD_HAS_CORRELATION,
		.site = (struct atom *)(uintptr_t)row->site_id,
		.arguments = row->arguments_id == ROW_NULL
				     ? NULL
				     : (struct atom *)(uintptr_t)row->arguments_id,
	};

	if (packer_add(&pack->packer, &record))
		return;
	end_pack(blocks, pack);
	begin_pack(pack);
	if (!packer_add(&pack->packer, &record))
		errx(1, "a block has no room for a call");
}

void trace_blocks_operation(struct trace_blocks *blocks, struct operations_row *row,
			    const char *name)
{
	store_operation(&blocks->store, row, name);
}

void trace_blocks_close(struct trace_blocks *blocks)
{
	for (int64_t i = 0; i < blocks->threads; i++)
		end_pack(blocks, &blocks->packs[i]);
	store_operation_block(&blocks->store);
	store_operations_free(&blocks->store);
	intern_free(&blocks->store.strings);
	free(blocks->store.block_bytes);
	for (int i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(blocks->statements[i]);
	free(blocks);
}
