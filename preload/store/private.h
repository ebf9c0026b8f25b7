/*
 * What store.c (the connection, transactions, errors) and store/rows.c (a function a table) share.
 */
#ifndef STREAMTRACE_STORE_PRIVATE_H
#define STREAMTRACE_STORE_PRIVATE_H

#include "api/functions.h"
#include "store/intern.h"
#include "store/store.h"

#include <sqlite3.h>

/* Every statement that writes, in the order of its table's columns. */
#define STATEMENTS(X)                                                                              \
	X(METADATA, "INSERT OR REPLACE INTO metadata VALUES (?1, ?2)")                             \
	X(STRING, "INSERT INTO strings VALUES (?1, ?2)")                                           \
	X(THREAD, "INSERT INTO threads VALUES (?1, ?2)")                                           \
	X(FUNCTION, "INSERT INTO functions VALUES (?1, ?2, ?3)")                                   \
	X(MODULE, "INSERT INTO modules VALUES (?1, ?2, ?3)")                                       \
	X(SITE, "INSERT INTO call_sites VALUES (?1, ?2)")                                          \
	X(FRAME, "INSERT INTO frames (site_id, depth, module_id, offset) VALUES (?1, ?2, ?3, ?4)") \
	X(PYTHON_FRAME, "INSERT INTO python_frames VALUES (?1, ?2, ?3, ?4, ?5)")                   \
	X(CALL, "INSERT INTO calls VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "    \
		"?13, ?14, ?15, ?16, ?17)")                                                        \
	X(ARGUMENT, "INSERT INTO launch_arguments VALUES (?1, ?2, ?3, ?4, ?5)")                    \
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
	X(GRAPH_NODE,                                                                              \
	  "INSERT INTO graph_nodes VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE SET "    \
	  "source_id = coalesce(source_id, excluded.source_id), "                                  \
	  "call_id = coalesce(call_id, excluded.call_id)")                                         \
	X(HOST_FUNCTION, "INSERT INTO host_functions VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7)")   \
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
	X(MANAGED_MEMORY,                                                                          \
	  "INSERT INTO managed_memory VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")              \
	X(MEMORY_POOL, "INSERT INTO memory_pools VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "   \
		       "?9, ?10)")                                                                 \
	X(OVERHEAD, "INSERT INTO overheads VALUES (NULL, ?1, ?2, ?3, ?4)")                         \
	X(FIRST_USE,                                                                               \
	  "INSERT INTO first_uses VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")         \
	X(WINDOW, "INSERT OR REPLACE INTO windows VALUES (?1, ?2, ?3, ?4)")                        \
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

/* A correlation, or a node of a graph, that waits for the record of its call. */
struct pending {
	uint64_t serial;
	uint32_t thread_id, correlation; /* of a node: its graph */
	bool is_node;
	int node_kind;
	uint64_t node_id, source_id;
};

struct store {
	sqlite3 *database;
	sqlite3_stmt *statements[STATEMENT_COUNT];
	struct intern strings, threads, modules;
	bool is_known_function[FUNCTION_COUNT];
	struct pending *pending;
	size_t pending_count, pending_capacity;
	uint64_t
		pending_threads; /* a bit for each remainder of a thread id: most calls have none */
	/* The last host function stored, and where it is. */
	uint64_t last_function;
	int64_t last_function_module_id, last_function_offset;
	int64_t call_count, site_count, arguments_count;
	uint32_t generation; /* of the row ids that it gave to atoms */
	uint32_t last_thread_id;
	uint64_t open_rows;   /* stored since the last commit: a rollback takes them back */
	uint64_t failed_rows; /* not in the file, and not in `losses` yet */
	bool is_broken;	      /* the file failed once: from then on rows are only counted */
	bool is_saving_room;  /* and what it still takes is for the last commit */
	char error[256];
};

/* Stores the bound row: counted as failed when it cannot be. */
void store_run(struct store *store, enum statement statement);

/* Counts a row that was not even tried. */
void store_lost(struct store *store, const char *why);

/* The same for a row that stands for `count` of what the program did, in a broken file, too. */
void store_run_counted(struct store *store, enum statement statement, uint64_t count);

static inline void store_bind_int(sqlite3_stmt *prepared, int index, int64_t value)
{
	if (value == STORE_NULL)
		sqlite3_bind_null(prepared, index);
	else
		sqlite3_bind_int64(prepared, index, value);
}

static inline void store_bind_text(sqlite3_stmt *prepared, int index, const char *text)
{
	if (text)
		sqlite3_bind_text(prepared, index, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(prepared, index);
}

#endif
