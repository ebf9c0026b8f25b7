#include "store.h"

#include "clock.h"
#include "functions.h"
#include "intern.h"
#include "modules.h"
#include "store_file.h"

#include <sqlite3.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char store_schema_sql[]; /* schema.S */

/* Every statement that writes, in the order of its table's columns. */
#define STATEMENTS(X)                                                                              \
	X(METADATA, "INSERT OR REPLACE INTO metadata VALUES (?1, ?2)")                             \
	X(STRING, "INSERT INTO strings VALUES (?1, ?2)")                                           \
	X(THREAD, "INSERT INTO threads VALUES (?1, ?2)")                                           \
	X(FUNCTION, "INSERT INTO functions VALUES (?1, ?2, ?3)")                                   \
	X(MODULE, "INSERT INTO modules VALUES (?1, ?2, ?3)")                                       \
	X(SITE, "INSERT INTO call_sites VALUES (?1, ?2)")                                          \
	X(FRAME, "INSERT INTO frames (site_id, depth, module_id, offset) VALUES (?1, ?2, ?3, ?4)") \
	X(CALL, "INSERT INTO calls VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "    \
		"?13, ?14, ?15, ?16)")                                                             \
	X(CORRELATION, "INSERT OR IGNORE INTO correlations VALUES (?1, ?2)")                       \
	X(KERNEL,                                                                                  \
	  "INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, "                \
	  "stream_id, correlation_id, graph_node_id, channel_id, channel_type, name_id, "          \
	  "grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread, "              \
	  "static_shared_bytes, dynamic_shared_bytes, local_bytes_per_thread) VALUES (?1, "        \
	  "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, "          \
	  "?19, ?20, ?21)")                                                                        \
	X(COPY,                                                                                    \
	  "INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, "     \
	  "correlation_id, graph_node_id, channel_id, channel_type, copy_kind, src_kind, "         \
	  "dst_kind, is_async, size_bytes, src_device_id, dst_device_id) VALUES (?1, ?2, "         \
	  "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)")                   \
	X(DEVICE, "INSERT OR REPLACE INTO devices VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "    \
		  "?10, ?11, ?12)")                                                                \
	X(CONTEXT, "INSERT OR REPLACE INTO contexts VALUES (?1, ?2, ?3)")                          \
	X(STREAM,                                                                                  \
	  "INSERT INTO streams VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "                               \
	  "ON CONFLICT (context_id, id) DO UPDATE SET flag = coalesce(excluded.flag, flag), "      \
	  "priority = coalesce(excluded.priority, priority), "                                     \
	  "handle = coalesce(excluded.handle, handle), "                                           \
	  "created_ns = coalesce(excluded.created_ns, created_ns), "                               \
	  "destroyed_ns = coalesce(excluded.destroyed_ns, destroyed_ns)")                          \
	X(EVENT_RECORD, "INSERT INTO event_records VALUES (NULL, ?1, ?2, ?3, ?4, ?5)")             \
	X(SYNCHRONIZATION,                                                                         \
	  "INSERT INTO synchronizations VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")            \
	X(ALLOCATION, "INSERT INTO allocations VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)") \
	X(OVERHEAD, "INSERT INTO overheads VALUES (NULL, ?1, ?2, ?3, ?4)")                         \
	X(LOSS, "INSERT INTO losses VALUES (NULL, ?1, ?2, ?3, ?4, ?5)")                            \
	X(CLOCK_SAMPLE, "INSERT INTO clock_samples VALUES (?1, ?2)")                               \
	X(BEGIN, "BEGIN IMMEDIATE")                                                                \
	X(COMMIT, "COMMIT")

enum statement {
#define X(name, sql) STATEMENT_##name,
	STATEMENTS(X)
#undef X
		STATEMENT_COUNT
};

static const char *const statement_sql[STATEMENT_COUNT] = {
#define X(name, sql) [STATEMENT_##name] = sql,
	STATEMENTS(X)
#undef X
};

/* A correlation that waits for the record of its call. */
struct pending {
	uint64_t serial;
	uint32_t thread_id, correlation;
};

struct store {
	sqlite3 *database;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	struct intern strings, threads, modules, sites;
	bool is_known_function[FUNCTION_COUNT];
	struct pending *pending;
	size_t pending_count, pending_capacity;
	int64_t call_count;
	uint32_t last_thread_id;
	uint64_t open_rows;   /* stored since the last commit: a rollback takes them back */
	uint64_t failed_rows; /* not in the file, and not in `losses` yet */
	bool is_broken;	      /* the file failed once: from then on rows are only counted */
	char error[256];
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

/* Stores a row that stands for `count` of what the program did. */
static void run_counted(struct store *store, enum statement statement, uint64_t count)
{
	if (step(store, statement))
		store->open_rows += count;
	else
		store->failed_rows += count;
}

static void run(struct store *store, enum statement statement)
{
	if (store->is_broken)
		store->failed_rows++;
	else
		run_counted(store, statement, 1);
}

static void bind_int(sqlite3_stmt *prepared, int index, int64_t value)
{
	if (value == STORE_NULL)
		sqlite3_bind_null(prepared, index);
	else
		sqlite3_bind_int64(prepared, index, value);
}

static void bind_text(sqlite3_stmt *prepared, int index, const char *text)
{
	if (text)
		sqlite3_bind_text(prepared, index, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(prepared, index);
}

static void insert(struct store *store, enum statement statement, const int64_t *values, int count)
{
	for (int i = 0; i < count; i++)
		bind_int(store->statements[statement], i + 1, values[i]);
	run(store, statement);
}

#define INSERT(store, statement, ...)                                                              \
	do {                                                                                       \
		const int64_t row_[] = {__VA_ARGS__};                                              \
		insert(store, STATEMENT_##statement, row_, (int)(sizeof(row_) / sizeof(row_[0]))); \
	} while (0)

void store_initialize(void)
{
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

	if (sqlite3_exec(store->database, store_schema_sql, NULL, NULL, NULL) ||
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
	intern_free(&store->sites);
	free(store->pending);
	free(store);
}

struct store *store_open(const char *path, char *error, size_t error_size)
{
	struct store *store;

	if (!store_file_create(path, error, error_size))
		return NULL;
	/* This copy of SQLite is ours alone, and one thread's: no locks, no statistics. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	store = calloc(1, sizeof(*store));
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

void store_metadata(struct store *store, const char *key, const char *value)
{
	bind_text(store->statements[STATEMENT_METADATA], 1, key);
	bind_text(store->statements[STATEMENT_METADATA], 2, value);
	run_counted(store, STATEMENT_METADATA, 0);
}

void store_metadata_int(struct store *store, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	store_metadata(store, key, text);
}

/* Interned texts: id, and the row the first time. */
static int64_t string_id(struct store *store, const char *text)
{
	bool is_new;
	int64_t id = intern(&store->strings, text, strlen(text), &is_new);

	if (is_new) {
		bind_int(store->statements[STATEMENT_STRING], 1, id);
		bind_text(store->statements[STATEMENT_STRING], 2, text);
		run(store, STATEMENT_STRING);
	}
	return id ? id : STORE_NULL;
}

static void note_function(struct store *store, unsigned function)
{
	if (function >= FUNCTION_COUNT || store->is_known_function[function])
		return;
	store->is_known_function[function] = true;
	bind_int(store->statements[STATEMENT_FUNCTION], 1, function);
	bind_text(store->statements[STATEMENT_FUNCTION], 2, function_infos[function].name);
	bind_text(store->statements[STATEMENT_FUNCTION], 3, function_infos[function].class);
	run(store, STATEMENT_FUNCTION);
}

static void note_thread(struct store *store, uint32_t thread_id)
{
	bool is_new;
	char path[64], name[32] = "";
	int file;

	if (thread_id == store->last_thread_id)
		return;
	store->last_thread_id = thread_id;
	intern(&store->threads, &thread_id, sizeof(thread_id), &is_new);
	if (!is_new)
		return;
	snprintf(path, sizeof(path), "/proc/self/task/%u/comm", thread_id);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		if (read(file, name, sizeof(name) - 1) < 0)
			name[0] = '\0';
		close(file);
	}
	name[strcspn(name, "\n")] = '\0';
	bind_int(store->statements[STATEMENT_THREAD], 1, thread_id);
	bind_text(store->statements[STATEMENT_THREAD], 2, name[0] ? name : NULL);
	run(store, STATEMENT_THREAD);
}

static int64_t module_id(struct store *store, const struct module *module)
{
	bool is_new;
	int64_t id = intern(&store->modules, module->path, strlen(module->path), &is_new);

	if (is_new) {
		bind_int(store->statements[STATEMENT_MODULE], 1, id);
		bind_text(store->statements[STATEMENT_MODULE], 2, module->path);
		bind_text(store->statements[STATEMENT_MODULE], 3,
			  module->build_id[0] ? module->build_id : NULL);
		run(store, STATEMENT_MODULE);
	}
	return id ? id : STORE_NULL;
}

static int64_t site_id(struct store *store, const struct record *record)
{
	bool is_new;
	size_t size = record->frame_count * sizeof(record->frames[0]);
	int64_t id;

	if (!record->frame_count)
		return STORE_NULL;
	id = intern(&store->sites, record->frames, size, &is_new);
	if (is_new) {
		INSERT(store, SITE, id, record->frame_count);
		for (int depth = 0; depth < record->frame_count; depth++) {
			uint64_t address = record->frames[depth];
			struct module module;

			/* One byte back: a call that never returns can end its module. */
			if (module_find(address - 1, &module))
				INSERT(store, FRAME, id, depth, module_id(store, &module),
				       (int64_t)(address - module.load_address));
			else
				INSERT(store, FRAME, id, depth, STORE_NULL, (int64_t)address);
		}
	}
	return id ? id : STORE_NULL;
}

static void store_pending(struct store *store, const struct record *record, uint32_t thread_id,
			  int64_t call_id)
{
	size_t kept = 0;

	for (size_t i = 0; i < store->pending_count; i++) {
		struct pending pending = store->pending[i];

		if (pending.thread_id != thread_id)
			store->pending[kept++] = pending;
		else if (pending.serial == record->serial)
			INSERT(store, CORRELATION, pending.correlation, call_id);
		/* An older one's call was lost in an overflow, which is counted. */
	}
	store->pending_count = kept;
}

void store_correlation(struct store *store, const struct record *record, uint32_t thread_id)
{
	if (store->pending_count == store->pending_capacity) {
		size_t capacity = store->pending_capacity ? store->pending_capacity * 2 : 64;
		struct pending *bigger = realloc(store->pending, capacity * sizeof(*bigger));

		if (!bigger) {
			store->failed_rows++;
			return;
		}
		store->pending = bigger;
		store->pending_capacity = capacity;
	}
	store->pending[store->pending_count++] =
		(struct pending){.serial = record->serial,
				 .thread_id = thread_id,
				 .correlation = record->correlation};
}

void store_call(struct store *store, const struct record *record, uint32_t thread_id)
{
	int64_t id = ++store->call_count;
	bool is_driver = record->function >= FUNCTION_DRIVER_FIRST;

#define IF(bit, field) (record->has & RECORD_HAS_##bit ? (int64_t)record->field : STORE_NULL)
	note_function(store, record->function);
	note_thread(store, thread_id);
	INSERT(store, CALL, id, thread_id, record->function, record->start_ns, record->end_ns,
	       record->result, is_driver, (record->has & RECORD_IS_PER_THREAD) != 0,
	       site_id(store, record), IF(CORRELATION, correlation), IF(STREAM, stream),
	       IF(OBJECT, object), IF(DST, dst), IF(SRC, src), IF(SIZE, size_bytes),
	       IF(COPY_KIND, copy_kind));
#undef IF
	if (store->pending_count)
		store_pending(store, record, thread_id, id);
}

#define PLACE_OF(row)                                                                              \
	(row)->kind, (row)->start_ns, (row)->end_ns, (row)->device_id, (row)->context_id,          \
		(row)->stream_id, (row)->correlation_id, (row)->graph_node_id, (row)->channel_id,  \
		(row)->channel_type

/* Only the columns that the kind has: a bound NULL costs as much as a value. */
void store_operation(struct store *store, const struct operation_row *row)
{
	if (row->kind == 1)
		INSERT(store, KERNEL, PLACE_OF(row),
		       row->name ? string_id(store, row->name) : STORE_NULL, row->grid[0],
		       row->grid[1], row->grid[2], row->block[0], row->block[1], row->block[2],
		       row->registers_per_thread, row->static_shared_bytes,
		       row->dynamic_shared_bytes, row->local_bytes_per_thread);
	else
		INSERT(store, COPY, PLACE_OF(row), row->copy_kind, row->src_kind, row->dst_kind,
		       row->is_async, row->size_bytes, row->src_device_id, row->dst_device_id);
}

void store_device(struct store *store, const struct device_row *row)
{
	sqlite3_stmt *prepared = store->statements[STATEMENT_DEVICE];

	bind_int(prepared, 1, row->id);
	bind_text(prepared, 2, row->name);
	for (int i = 0; i < 10; i++)
		bind_int(prepared, 3 + i, row->values[i]);
	run(store, STATEMENT_DEVICE);
}

void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id)
{
	INSERT(store, CONTEXT, id, device_id, null_stream_id);
}

void store_stream(struct store *store, const struct stream_row *row)
{
	INSERT(store, STREAM, row->context_id, row->id, row->flag, row->priority, row->handle,
	       row->created_ns, row->destroyed_ns);
}

void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id)
{
	INSERT(store, EVENT_RECORD, context_id, stream_id, event_id, correlation_id, sync_id);
}

void store_synchronization(struct store *store, const struct synchronization_row *row)
{
	INSERT(store, SYNCHRONIZATION, row->type, row->start_ns, row->end_ns, row->context_id,
	       row->stream_id, row->event_id, row->correlation_id, row->sync_id);
}

void store_allocation(struct store *store, const struct allocation_row *row)
{
	INSERT(store, ALLOCATION, row->time_ns, row->is_release, row->memory_kind, row->address,
	       row->size_bytes, row->device_id, row->context_id, row->stream_id,
	       row->correlation_id);
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
	INSERT(store, OVERHEAD, kind, start_ns, end_ns, thread_id);
}

void store_loss(struct store *store, const char *kind, uint64_t count, int64_t thread_id,
		const char *detail)
{
	sqlite3_stmt *prepared = store->statements[STATEMENT_LOSS];

	bind_text(prepared, 1, kind);
	bind_int(prepared, 2, (int64_t)count);
	bind_int(prepared, 3, clock_now_ns());
	bind_int(prepared, 4, thread_id);
	bind_text(prepared, 5, detail);
	/* Also into a file that failed: it needs little room. */
	run_counted(store, STATEMENT_LOSS, count);
}

void store_clock_sample(struct store *store, int64_t realtime_ns, int64_t monotonic_raw_ns)
{
	INSERT(store, CLOCK_SAMPLE, realtime_ns, monotonic_raw_ns);
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
	store_loss(store, "file-error", failed_rows, STORE_NULL, store->error);
	commit(store);
}

void store_commit(struct store *store)
{
	commit(store);
	store_failed_rows(store);
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
