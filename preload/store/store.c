#include "base/clock.h"
#include "base/losses.h"
#include "base/options.h"
#include "store/file.h"
#include "store/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOG_PAGES 256 /* the log is moved into the file when it has this many pages */

extern const char store_schema_sql[]; /* schema.S */

void store_initialize(void)
{
	/* SQLite is linked for us alone and used by one thread: no locks, no statistics. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, (sqlite3_int64)0, (sqlite3_int64)0);
	if (!sqlite3_initialize())
		store_file_initialize(sqlite3_vfs_find(NULL));
}

/* SQLite's hook of a commit. */
static int note_log(void *context, sqlite3 *database, const char *name, int pages)
{
	((struct store *)context)->log_pages = pages;
	return SQLITE_OK;
}

static bool create_tables(struct store *store)
{
	/* A write-ahead log: each commit survives a kill of the process, though not a power cut. */
	static const char pragmas[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; "
				      "PRAGMA journal_size_limit = 4194304; "
				      "PRAGMA temp_store = MEMORY;";

	/* Someone can look at the new file already. */
	static const char begin[] =
		"PRAGMA busy_timeout = 1000; PRAGMA synchronous = OFF; BEGIN IMMEDIATE";

	static const char begun[] =
		"INSERT INTO metadata VALUES ('end', 'running'), ('log', 'unread')";

	/* One transaction: a kill leaves an empty file or a trace that tells it, and a slow disk is
	 * waited for once. */
	if (sqlite3_exec(store->database, begin, NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, store_schema_sql, NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, begun, NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, pragmas, NULL, NULL, NULL))
		return false;
	sqlite3_wal_hook(store->database, note_log, store);
	if (!store_prepare(store) ||
	    sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL))
		return false;
	/* From now on there is a log. */
	store_metadata(store, "log", "read");
	return sqlite3_exec(store->database, "COMMIT; BEGIN IMMEDIATE", NULL, NULL, NULL) ==
	       SQLITE_OK;
}

static void discard_store(struct store *store)
{
	store_finalize(store);
	sqlite3_close(store->database);
	intern_free(&store->communicators);
	intern_free(&store->strings);
	intern_free(&store->threads);
	intern_free(&store->modules);
	free(store->pending);
	free(store->block_bytes);
	store_operations_free(store);
	free(store->argument_pack);
	store_nvtx_ranges_free(store);
	free(store);
}

struct store *store_open(char *path, size_t size, int64_t since_ns, char *error, size_t error_size)
{
	struct store *store;

	if (!store_file_create(path, size, since_ns, error, error_size))
		return NULL;
	store = calloc(1, sizeof(*store));
	if (store)
		store->generation = (uint32_t)clock_now_ns() | 1;
	if (store &&
	    sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			    NULL) == SQLITE_OK &&
	    create_tables(store)) {
		store_file_reserve(path);
		return store;
	}
	snprintf(error, error_size, "cannot write %s: %s", path,
		 store ? sqlite3_errmsg(store->database) : "out of memory");
	if (store)
		discard_store(store);
	store_file_close();
	store_file_remove(path);
	return NULL;
}

void store_after_fork(void)
{
	store_file_after_fork();
}

void store_metadata(struct store *store, const char *key, const char *value)
{
	store_insert_counted(store, STATEMENT_METADATA,
			     &(struct metadata_row){.key = key, .value = value}, 0);
}

void store_metadata_int(struct store *store, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	store_metadata(store, key, text);
}

/* Commits. False: no transaction is open, or the commit failed; then rolls back to the last one. */
static bool commit_transaction(struct store *store)
{
	bool is_open = !sqlite3_get_autocommit(store->database);
	bool is_kept = is_open && store_step(store, store->commit);

	if (is_open && !is_kept && !sqlite3_get_autocommit(store->database)) {
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
		store->failed_rows += store->open_rows;
	}
	store->open_rows = 0;
	return is_kept;
}

/* In a transaction of its own: it must be in the file before the count is reset. */
static void store_failed_rows(struct store *store)
{
	uint64_t failed_rows = store->failed_rows;

	if (!failed_rows || !store_step(store, store->begin))
		return;
	store->failed_rows = 0;
	store_loss(store, losses_name(LOSS_FILE_ERROR), failed_rows, STORE_NULL, store->error);
	commit_transaction(store);
}

/* Call between transactions. A file copied without its log has the state of the last checkpoint,
 * and tells it. */
static void checkpoint_log(struct store *store)
{
	if (store->is_saving_room || !store_step(store, store->begin))
		return;
	store->is_log_unread = true;
	store_metadata(store, "log", "unread");
	commit_transaction(store);
	if (!store->is_broken)
		sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
					  NULL);
}

static void begin_transaction(struct store *store)
{
	if (sqlite3_get_autocommit(store->database) && store_step(store, store->begin) &&
	    store->is_log_unread) {
		store_metadata(store, "log", "read");
		store->is_log_unread = false;
	}
}

void store_commit(struct store *store)
{
	store_open_ranges(store);
	store_argument_block(store);
	store_operation_block(store);
	if (!store->is_saving_room) {
		commit_transaction(store);
		store_failed_rows(store);
		store->is_saving_room = store->is_broken;
		if (store->log_pages >= LOG_PAGES)
			checkpoint_log(store);
	}
	begin_transaction(store);
}

/* Leaves WAL mode: one file remains. Fails harmlessly while someone reads it. */
static void fold_log(struct store *store)
{
	if (!store->is_broken || !store_file_is_gone())
		sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

void store_settle(struct store *store)
{
	commit_transaction(store);
	fold_log(store);
}

void store_resume(struct store *store)
{
	if (store->is_broken)
		return;
	sqlite3_exec(store->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	checkpoint_log(store);
	begin_transaction(store);
}

/* A trace that could not say what it lacks has no end. */
static bool store_end(struct store *store, const char *end)
{
	if (store->failed_rows || !store_step(store, store->begin))
		return false;
	store_metadata(store, "end", end);
	return commit_transaction(store);
}

void store_close(struct store *store, const char *end)
{
	uint64_t failed_rows;

	store_open_ranges(store);
	store_argument_block(store);
	store_operation_block(store);
	commit_transaction(store);
	store_file_give_room(true);
	failed_rows = store->failed_rows;
	store_failed_rows(store);
	if (!store_end(store, end))
		options_warn(OPTIONS_LOST, "%s: %llu rows could not be written: %s",
			     sqlite3_db_filename(store->database, NULL),
			     (unsigned long long)failed_rows + 1,
			     store->error[0] ? store->error : "its file was closed");
	fold_log(store);
	discard_store(store);
	store_file_close();
}
