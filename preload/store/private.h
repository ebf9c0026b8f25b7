/*
 * Shared by the modules of the store. From the bottom up: statements.c runs statements and counts
 * failures; rows.c has a function a table; blocks.c, operations.c and arguments.c store calls,
 * operations and launch arguments as blocks; nvtx_ranges.c pairs begins and ends of ranges; store.c
 * opens, commits and closes; unpack.c makes rows of blocks. Writer thread only.
 */
#ifndef STREAMTRACE_STORE_PRIVATE_H
#define STREAMTRACE_STORE_PRIVATE_H

#include "api/functions.h"
#include "facts/rows.h"
#include "stack/modules.h"
#include "store/intern.h"
#include "store/store.h"

#include <sqlite3.h>

/* Which columns of columns.def a statement writes: those whose `written` has one of the statement's
 * bits. */
enum written {
	WRITTEN_NEVER = 0,
	WRITTEN_ALWAYS = 1,
	WRITTEN_KERNEL = 2,
	WRITTEN_COPY = 4,
};

/* All statements that write rows: STATEMENT(name, verb, table, written, conflict). Their columns
 * come from facts/columns.def; conflict is the text after the columns. */
#define STATEMENTS(STATEMENT)                                                                      \
	STATEMENT(METADATA, "INSERT OR REPLACE", metadata, WRITTEN_ALWAYS, "")                     \
	STATEMENT(STRING, "INSERT", strings, WRITTEN_ALWAYS, "")                                   \
	STATEMENT(THREAD, "INSERT", threads, WRITTEN_ALWAYS, "")                                   \
	STATEMENT(THREAD_TIMES, "INSERT", thread_times, WRITTEN_ALWAYS, "")                        \
	STATEMENT(HOST_STATE, "INSERT", host_states, WRITTEN_ALWAYS, "")                           \
	STATEMENT(FUNCTION, "INSERT", functions, WRITTEN_ALWAYS, "")                               \
	STATEMENT(MODULE, "INSERT", modules, WRITTEN_ALWAYS, "")                                   \
	STATEMENT(SITE, "INSERT", call_sites, WRITTEN_ALWAYS, "")                                  \
	STATEMENT(FRAME, "INSERT", frames, WRITTEN_ALWAYS, "")                                     \
	STATEMENT(PYTHON_FRAME, "INSERT", python_frames, WRITTEN_ALWAYS, "")                       \
	STATEMENT(CALL, "INSERT", calls, WRITTEN_ALWAYS, "")                                       \
	STATEMENT(CALL_BLOCK, "INSERT", call_blocks, WRITTEN_ALWAYS, "")                           \
	STATEMENT(ARGUMENT, "INSERT", launch_arguments, WRITTEN_ALWAYS, "")                        \
	STATEMENT(CORRELATION, "INSERT OR IGNORE", correlations, WRITTEN_ALWAYS, "")               \
	STATEMENT(ARGUMENT_BLOCK, "INSERT", argument_blocks, WRITTEN_ALWAYS, "")                   \
	STATEMENT(OPERATION_BLOCK, "INSERT", operation_blocks, WRITTEN_ALWAYS, "")                 \
	STATEMENT(CONFIGURATION, "INSERT", kernel_configurations, WRITTEN_ALWAYS, "")              \
	STATEMENT(KERNEL, "INSERT", operations, WRITTEN_ALWAYS | WRITTEN_KERNEL, "")               \
	STATEMENT(COPY, "INSERT", operations, WRITTEN_ALWAYS | WRITTEN_COPY, "")                   \
	STATEMENT(GRAPH_NODE, "INSERT", graph_nodes, WRITTEN_ALWAYS,                               \
		  " ON CONFLICT (id) DO UPDATE SET "                                               \
		  "source_id = coalesce(source_id, excluded.source_id), "                          \
		  "call_id = coalesce(call_id, excluded.call_id)")                                 \
	STATEMENT(GRAPH_EDGE, "INSERT OR IGNORE", graph_edges, WRITTEN_ALWAYS, "")                 \
	STATEMENT(HOST_FUNCTION, "INSERT", host_functions, WRITTEN_ALWAYS, "")                     \
	STATEMENT(NVTX_RANGE, "INSERT OR REPLACE", nvtx_ranges, WRITTEN_ALWAYS, "")                \
	STATEMENT(COMMUNICATOR, "INSERT", communicators, WRITTEN_ALWAYS,                           \
		  " ON CONFLICT (id) DO UPDATE SET "                                               \
		  "unique_id = coalesce(excluded.unique_id, unique_id), "                          \
		  "rank = coalesce(excluded.rank, rank), "                                         \
		  "ranks = coalesce(excluded.ranks, ranks), "                                      \
		  "device_id = coalesce(excluded.device_id, device_id), "                          \
		  "created_ns = coalesce(excluded.created_ns, created_ns), "                       \
		  "destroyed_ns = coalesce(excluded.destroyed_ns, destroyed_ns)")                  \
	STATEMENT(COLLECTIVE, "INSERT", collectives, WRITTEN_ALWAYS, "")                           \
	STATEMENT(COLLECTIVE_GROUP, "INSERT", collective_groups, WRITTEN_ALWAYS, "")               \
	STATEMENT(CLOCK_READ, "INSERT", clock_reads, WRITTEN_ALWAYS, "")                           \
	STATEMENT(DEVICE, "INSERT OR REPLACE", devices, WRITTEN_ALWAYS, "")                        \
	STATEMENT(CONTEXT, "INSERT OR REPLACE", contexts, WRITTEN_ALWAYS, "")                      \
	STATEMENT(STREAM, "INSERT", streams, WRITTEN_ALWAYS,                                       \
		  " ON CONFLICT (context_id, id) DO UPDATE SET "                                   \
		  "flag = coalesce(excluded.flag, flag), "                                         \
		  "priority = coalesce(excluded.priority, priority), "                             \
		  "handle = coalesce(excluded.handle, handle), "                                   \
		  "created_ns = coalesce(excluded.created_ns, created_ns), "                       \
		  "destroyed_ns = coalesce(excluded.destroyed_ns, destroyed_ns)")                  \
	STATEMENT(EVENT_RECORD, "INSERT", event_records, WRITTEN_ALWAYS, "")                       \
	STATEMENT(SYNCHRONIZATION, "INSERT", synchronizations, WRITTEN_ALWAYS, "")                 \
	STATEMENT(ALLOCATION, "INSERT", allocations, WRITTEN_ALWAYS, "")                           \
	STATEMENT(MANAGED_MEMORY, "INSERT", managed_memory, WRITTEN_ALWAYS, "")                    \
	STATEMENT(MEMORY_POOL, "INSERT", memory_pools, WRITTEN_ALWAYS, "")                         \
	STATEMENT(OVERHEAD, "INSERT", overheads, WRITTEN_ALWAYS, "")                               \
	STATEMENT(TOOL_COST, "INSERT OR REPLACE", tool_costs, WRITTEN_ALWAYS, "")                  \
	STATEMENT(FIRST_USE, "INSERT", first_uses, WRITTEN_ALWAYS, "")                             \
	STATEMENT(COPY_WATCH, "INSERT", copy_watches, WRITTEN_ALWAYS, "")                          \
	STATEMENT(CODE_IMAGE, "INSERT", code_images, WRITTEN_ALWAYS, "")                           \
	STATEMENT(WINDOW, "INSERT OR REPLACE", windows, WRITTEN_ALWAYS, "")                        \
	STATEMENT(INCIDENT, "INSERT OR REPLACE", incidents, WRITTEN_ALWAYS, "")                    \
	STATEMENT(WATCHED_STEP, "INSERT OR REPLACE", steps, WRITTEN_ALWAYS, "")                    \
	STATEMENT(LOSS, "INSERT", losses, WRITTEN_ALWAYS, "")                                      \
	STATEMENT(CLOCK_SAMPLE, "INSERT", clock_samples, WRITTEN_ALWAYS, "")

enum statement {
#define STATEMENT(name, verb, table, written, conflict) STATEMENT_##name,
	STATEMENTS(STATEMENT)
#undef STATEMENT
		STATEMENT_COUNT
};

/* For each table, e.g. streams_written: how many of its columns libstrace.so writes. */
#define COUNT_NEVER					 0
#define COUNT_ALWAYS					 1
#define COUNT_KERNEL					 1
#define COUNT_COPY					 1
#define TABLE(table, since, holds)			 enum { table##_written = 0
#define COLUMN(table, name, type, null, written, values) +COUNT_##written
#define END(table)                                                                                 \
	}                                                                                          \
	;
#include "facts/columns.def"

/* INSERT() checks its members against these. */
#define STATEMENT(name, verb, table, written, conflict)                                            \
	typedef struct table##_row row_of_##name;                                                  \
	enum { columns_of_##name = table##_written };
STATEMENTS(STATEMENT)
#undef STATEMENT

#define STATEMENT_COLUMNS_MOST 32

enum column_type { COLUMN_INTEGER, COLUMN_TEXT, COLUMN_BLOB };

/* A prepared statement, and the offsets and types of its parameters in the row's struct. */
struct insert {
	sqlite3_stmt *prepared;
	uint16_t offsets[STATEMENT_COLUMNS_MOST];
	enum column_type types[STATEMENT_COLUMNS_MOST];
	int count;
};

/* A correlation or graph node that waits for its call's record. */
struct pending {
	uint64_t serial;
	uint32_t thread_id, correlation; /* of a node: its graph */
	bool is_node;
	int node_kind;
	uint64_t node_id, source_id;
};

/* The sums in a row of tool_costs. */
struct tool_cost {
	int64_t calls, outside_ns, inside_ns, entry_ns;
	bool is_stored; /* the row in the file has these values */
};

/* Statements for a table of blocks: select the oldest block, remove the block with a first_id. */
struct block_table {
	sqlite3_stmt *oldest, *remove;
};

struct store {
	sqlite3 *database;
	struct insert inserts[STATEMENT_COUNT];
	sqlite3_stmt *begin, *commit, *find_configuration;
	struct block_table call_blocks, operation_blocks, argument_blocks;
	struct intern strings, threads, modules, communicators;
	bool is_known_function[FUNCTION_COUNT];
	struct pending *pending;
	size_t pending_count, pending_capacity;
	/* Bit i: perhaps an item of `pending` has a thread_id with thread_id % 64 == i. A zero bit
	 * tells quickly that a thread has no item. */
	uint64_t pending_threads;
	int64_t module_ids[MODULES_MOST + 1]; /* by module number; 0: no row yet */
	int64_t call_count, operation_count, site_count, set_count, argument_count;
	bool has_blocks;			     /* the file holds blocks */
	uint8_t *block_bytes;			     /* blocks.c's, or NULL */
	struct operation_pack *operation_pack;	     /* operations.c's, or NULL */
	struct argument_pack *argument_pack;	     /* arguments.c's, or NULL */
	struct nvtx_table *nvtx_table;		     /* nvtx_ranges.c's, or NULL */
	struct tool_cost tool_costs[2][CLASS_COUNT]; /* first index: api_path */
	uint32_t generation;			     /* for the row ids that this store gives to
						      * atoms */
	uint32_t last_thread_id;
	int log_pages;	    /* at the last commit */
	bool is_log_unread; /* metadata log is "unread": the file alone lacks what is in its log */
	uint64_t open_rows; /* rows since the last commit: a rollback would lose them */
	uint64_t failed_rows; /* rows not in the file, and not in `losses` yet */
	bool is_broken;	      /* writing the file has failed: rows are only counted from now on */
	bool is_saving_room;  /* the remaining room is for the last commit */
	char error[256];
};

/* Prepares all statements. False: SQLite refused one. The caller must call store_finalize() in both
 * cases, which frees the statements. */
bool store_prepare(struct store *store);
void store_finalize(struct store *store);

/* Runs a statement that returns no rows. False: it failed, or was not run because the file's
 * descriptor may be the program's by now. */
bool store_step(struct store *store, sqlite3_stmt *prepared);

/* Binds the row's members to the statement's parameters. Texts and bytes are not copied: they must
 * stay valid until the statement has run. */
void store_bind(const struct insert *insert, const void *row);

/* Stores a row (of the statement's table). A row that cannot be stored is counted as failed. Texts
 * are not needed after the call. */
void store_insert(struct store *store, enum statement statement, const void *row);

/* Like store_insert() for a row that stands for `count` events; also tries it in a broken file. */
void store_insert_counted(struct store *store, enum statement statement, const void *row,
			  uint64_t count);

/* Stores a row given by its members: INSERT(store, CONTEXT, .id = 1, ..). Does not compile unless
 * all written columns are named, because an omitted one would be 0, not NULL. */
#define INSERT(store, statement, ...)                                                              \
	do {                                                                                       \
		_Static_assert(ARGUMENT_COUNT(__VA_ARGS__) == columns_of_##statement,              \
			       "each column is named once: ROW_NULL where there is no value");     \
		store_insert(store, STATEMENT_##statement,                                         \
			     &(const row_of_##statement){__VA_ARGS__});                            \
	} while (0)
#define ARGUMENT_COUNT(...)                                                                        \
	ARGUMENT_25(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, \
		    7, 6, 5, 4, 3, 2, 1, 0)
#define ARGUMENT_25(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x,        \
		    number, ...)                                                                   \
	number

/* statements.c: stores a row with a block of this many events, which are counted as failed if the
 * row cannot be stored. */
void store_insert_block(struct store *store, enum statement statement, const void *row,
			uint64_t events);

/* operations.c: store_operation_block() stores the operations that are not in a block yet;
 * store_operations_free() frees store->operation_pack. */
void store_operation_block(struct store *store);
void store_operations_free(struct store *store);

/* arguments.c: store_arguments_id() returns the id of a launch's set of arguments, and adds a new
 * set to the block. ROW_NULL: set is NULL, or out of memory (counted as failed).
 * store_argument_block() stores the sets that are not in a block yet. */
int64_t store_arguments_id(struct store *store, struct atom *set);
void store_argument_block(struct store *store);

/* nvtx_ranges.c: store_open_ranges() stores rows for ranges that have not ended;
 * store_nvtx_ranges_free() frees store->nvtx_table. */
void store_open_ranges(struct store *store);
void store_nvtx_ranges_free(struct store *store);

/* rows.c: what rows refer to; each function stores a row the first time it gets a text, function,
 * thread or call site. store_string_id() and store_site_id() return the row's id. ROW_NULL: out of
 * memory (counted as failed), or site is NULL; text must not be NULL. */
int64_t store_string_id(struct store *store, const char *text);
void store_note_function(struct store *store, unsigned function);
void store_note_thread(struct store *store, uint32_t thread_id);
int64_t store_site_id(struct store *store, struct atom *site);

/* Counts a row as failed that was never tried. why: becomes the detail of the losses' row, if it is
 * the first failure; copied. */
void store_lost(struct store *store, const char *why);

#endif
