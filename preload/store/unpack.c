/* Blocks as rows. */
#include "facts/argument_blocks.h"
#include "facts/call_blocks.h"
#include "facts/operation_blocks.h"
#include "store/private.h"

#include <stdlib.h>

static bool step_statement(sqlite3_stmt *prepared)
{
	const bool ok = sqlite3_step(prepared) == SQLITE_DONE;

	sqlite3_reset(prepared);
	return ok;
}

static bool insert_row(const struct store *store, enum statement statement, const void *row)
{
	store_bind(&store->inserts[statement], row);
	return step_statement(store->inserts[statement].prepared);
}

/* The third column. SQLite owns the bytes until the statement's next step; no bytes if memory has
 * run out. */
static struct row_bytes bytes_of(sqlite3_stmt *stored)
{
	const void *start = sqlite3_column_blob(stored, 2);

	return (struct row_bytes){start, start ? (size_t)sqlite3_column_bytes(stored, 2) : 0};
}

static bool insert_calls(struct store *store, sqlite3_stmt *stored)
{
	struct call_block *block = malloc(sizeof(*block));
	struct calls_row row;
	bool ok = block != NULL;

	if (!block)
		return false;
	call_block_open(block, &(struct call_blocks_row){
				       .first_id = sqlite3_column_int64(stored, 0),
				       .calls = sqlite3_column_int64(stored, 1),
				       .bytes = bytes_of(stored),
				       .thread_id = sqlite3_column_int64(stored, 3),
			       });
	while (ok && call_block_next(block, &row))
		ok = insert_row(store, STATEMENT_CALL, &row);
	ok = ok && !call_block_is_damaged(block);
	free(block);
	return ok;
}

static int64_t read_column(sqlite3_stmt *statement, int index)
{
	return sqlite3_column_type(statement, index) == SQLITE_NULL
		       ? ROW_NULL
		       : sqlite3_column_int64(statement, index);
}

static bool find_configuration(void *context, int64_t id, struct operations_row *row)
{
	sqlite3_stmt *found = ((struct store *)context)->find_configuration;
	bool is_there;
	int index = 0;

	sqlite3_bind_int64(found, 1, id);
	is_there = sqlite3_step(found) == SQLITE_ROW;
#define TAKE(name) row->name = read_column(found, index++);
	if (is_there) {
		OPERATION_BLOCK_CONFIGURATION(TAKE)
	}
#undef TAKE
	sqlite3_reset(found);
	return is_there;
}

static bool insert_operations(struct store *store, sqlite3_stmt *stored)
{
	struct operation_block *block = malloc(sizeof(*block));
	struct operations_row row;
	bool ok = block != NULL;

	if (!block)
		return false;
	operation_block_open(block,
			     &(struct operation_blocks_row){
				     .first_id = sqlite3_column_int64(stored, 0),
				     .operations = sqlite3_column_int64(stored, 1),
				     .bytes = bytes_of(stored),
			     },
			     find_configuration, store);
	/* Binds only the columns of the operation's kind: binding NULL costs as much as a value. */
	while (ok && operation_block_next(block, &row))
		ok = insert_row(store,
				row.kind == OPERATION_KERNEL ? STATEMENT_KERNEL : STATEMENT_COPY,
				&row);
	ok = ok && !operation_block_is_damaged(block);
	free(block);
	return ok;
}

static bool insert_arguments(struct store *store, sqlite3_stmt *stored)
{
	struct launch_arguments_row row;
	struct argument_block block;
	bool ok = true;

	argument_block_open(&block, &(struct argument_blocks_row){
					    .first_id = sqlite3_column_int64(stored, 0),
					    .sets = sqlite3_column_int64(stored, 1),
					    .bytes = bytes_of(stored),
				    });
	while (ok && argument_block_next(&block, &row))
		ok = insert_row(store, STATEMENT_ARGUMENT, &row);
	return ok && !argument_block_is_damaged(&block);
}

static bool unpack_table(struct store *store, const struct block_table *table,
			 bool (*is_over)(void),
			 bool (*insert)(struct store *store, sqlite3_stmt *stored))
{
	bool ok = true, is_left = true;

	while (ok && is_left && !is_over()) {
		is_left = sqlite3_step(table->oldest) == SQLITE_ROW;
		if (is_left) {
			sqlite3_bind_int64(table->remove, 1,
					   sqlite3_column_int64(table->oldest, 0));
			ok = insert(store, table->oldest);
		}
		sqlite3_reset(table->oldest);
		if (is_left && ok)
			ok = step_statement(table->remove);
	}
	return ok && !is_left;
}

static bool unpack_tables(struct store *store, bool (*is_over)(void))
{
	return unpack_table(store, &store->call_blocks, is_over, insert_calls) &&
	       unpack_table(store, &store->operation_blocks, is_over, insert_operations) &&
	       unpack_table(store, &store->argument_blocks, is_over, insert_arguments);
}

/* In a transaction of its own: if it fails on a full disk, the blocks stay and nothing is lost. */
void store_unpack(struct store *store, int64_t most_rows, bool (*is_over)(void))
{
	if (store->call_count + store->operation_count + store->argument_count > most_rows)
		return;
	store_commit(store);
	if (!store->has_blocks || store->is_broken)
		return;
	if (unpack_tables(store, is_over)) {
		store->has_blocks = false;
		store_commit(store);
		return;
	}
	if (!sqlite3_get_autocommit(store->database))
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	store_commit(store);
}
