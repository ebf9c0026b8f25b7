#include "store/private.h"

#include "base/clock.h"
#include "base/losses.h"
#include "store/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern const char store_schema_sql[]; /* schema.S */

static const char *const statement_sql[STATEMENT_COUNT] = {
#define X(name, sql) [STATEMENT_##name] = sql,
	STATEMENTS(X)
#undef X
};

/* Every SQLite error comes through here: the first one is kept, with its statement. A file that
 * failed is not written to again, but for what was lost: after a rollback later rows would refer to
 * names and call sites that are gone. */
static void store_error(struct store *store, const char *sql)
{
	if (!store->error[0])
		snprintf(store->error, sizeof(store->error), "%s: %.80s",
			 sqlite3_errmsg(store->database), sql);
	if (sqlite3_errcode(store->database) != SQLITE_CONSTRAINT)
		store->is_broken = true;
	if (sqlite3_get_autocommit(store->database)) {
		store->failed_rows += store->open_rows;
		store->open_rows = 0;
	}
}

static bool step(struct store *store, enum statement statement)
{
	sqlite3_stmt *prepared = store->statements[statement];
	bool done;

	if ((store->is_broken || statement == STATEMENT_BEGIN) && store_file_is_gone()) {
		store->is_broken = true;
		return false;
	}
	done = sqlite3_step(prepared) == SQLITE_DONE;
	if (!done)
		store_error(store, statement_sql[statement]);
	sqlite3_reset(prepared);
	return done;
}

void store_run_counted(struct store *store, enum statement statement, uint64_t count)
{
	if (step(store, statement))
		store->open_rows += count;
	else
		store->failed_rows += count;
}

void store_lost(struct store *store, const char *why)
{
	if (!store->error[0])
		snprintf(store->error, sizeof(store->error), "%s", why);
	store->failed_rows++;
}

void store_run(struct store *store, enum statement statement)
{
	if (store->is_broken)
		store->failed_rows++;
	else
		store_run_counted(store, statement, 1);
}

void store_initialize(void)
{
	/* This copy of SQLite is ours alone, and one thread's: no locks, no statistics. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (!sqlite3_initialize())
		store_file_initialize(sqlite3_vfs_find(NULL));
}

static bool prepare(struct store *store)
{
	/* A write-ahead log: each commit lasts through a kill of the process; a power cut may take
	 * it. */
	static const char pragmas[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; "
				      "PRAGMA wal_autocheckpoint = 8192; "
				      "PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 1000;";

	static const char begun[] = "INSERT INTO metadata VALUES ('end', 'running')";

	/* One transaction: a kill leaves an empty file or a trace that says so, and a slow disk is
	 * waited for once. */
	if (sqlite3_exec(store->database, "PRAGMA synchronous = OFF; BEGIN IMMEDIATE", NULL, NULL,
			 NULL) ||
	    sqlite3_exec(store->database, store_schema_sql, NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, begun, NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL) ||
	    sqlite3_exec(store->database, pragmas, NULL, NULL, NULL))
		return false;
	for (int i = 0; i < STATEMENT_COUNT; i++)
		if (sqlite3_prepare_v3(store->database, statement_sql[i], -1,
				       SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL))
			return false;
	return sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
}

static void discard(struct store *store)
{
	/* SQLite would close what is the program's by now. */
	if (!store->is_broken || !store_file_is_gone()) {
		for (int i = 0; i < STATEMENT_COUNT; i++)
			sqlite3_finalize(store->statements[i]);
		sqlite3_close(store->database);
	}
	intern_free(&store->strings);
	intern_free(&store->threads);
	intern_free(&store->modules);
	free(store->pending);
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
	    prepare(store))
		return store;
	snprintf(error, error_size, "cannot write %s: %s", path,
		 store ? sqlite3_errmsg(store->database) : "out of memory");
	if (store)
		discard(store);
	unlink(path);
	return NULL;
}

void store_after_fork(void)
{
	store_file_after_fork();
}

void store_metadata(struct store *store, const char *key, const char *value)
{
	store_bind_text(store->statements[STATEMENT_METADATA], 1, key);
	store_bind_text(store->statements[STATEMENT_METADATA], 2, value);
	store_run_counted(store, STATEMENT_METADATA, 0);
}

void store_metadata_int(struct store *store, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	store_metadata(store, key, text);
}

/* Commits, or takes everything since the last commit back. */
static void commit(struct store *store)
{
	if (!sqlite3_get_autocommit(store->database) && !step(store, STATEMENT_COMMIT) &&
	    !sqlite3_get_autocommit(store->database)) {
		sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
		store->failed_rows += store->open_rows;
	}
	store->open_rows = 0;
}

/* In a transaction of its own, so that it is known to last before the count is forgotten. */
static void store_failed_rows(struct store *store)
{
	uint64_t failed_rows = store->failed_rows;

	if (!failed_rows || !step(store, STATEMENT_BEGIN))
		return;
	store->failed_rows = 0;
	store_loss(store, losses_name(LOSS_FILE_ERROR), failed_rows, STORE_NULL, store->error);
	commit(store);
}

void store_commit(struct store *store)
{
	if (!store->is_saving_room) {
		commit(store);
		store_failed_rows(store);
		store->is_saving_room = store->is_broken;
	}
	if (sqlite3_get_autocommit(store->database))
		step(store, STATEMENT_BEGIN);
}

void store_close(struct store *store)
{
	commit(store);
	store_failed_rows(store);
	/* Out of WAL mode: what is left is one file. Fails harmlessly while someone reads it. */
	if (!store->is_broken || !store_file_is_gone())
		sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	discard(store);
}
