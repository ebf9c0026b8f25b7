/*
 * The file: the only module that talks to SQLite. Writer thread only.
 *
 * Rows are named as the tables of schema.sql. A row that cannot be written is counted, never
 * retried: after a full disk the program goes on, and the trace ends there and says how much is
 * missing. Texts are copied; times are ns of CLOCK_REALTIME. NULL columns: see each field.
 */
#ifndef STREAMTRACE_STORE_H
#define STREAMTRACE_STORE_H

#include "facts/facts.h"
#include "recorder/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

#define STORE_NULL INT64_MIN /* a column without a value, in the int64_t fields below */

struct operation_row {
	enum operation_kind kind;
	int64_t start_ns, end_ns; /* STORE_NULL: untimed */
	int64_t device_id, context_id, stream_id, correlation_id, graph_node_id, channel_id,
		channel_type;
	/* kernels */
	const char *name; /* NULL for copies and sets */
	int64_t grid[3], block[3];
	int64_t registers_per_thread, static_shared_bytes, dynamic_shared_bytes,
		local_bytes_per_thread;
	/* copies and sets */
	int64_t copy_kind, src_kind, dst_kind, is_async, size_bytes, src_device_id, dst_device_id;
};

struct device_row {
	int64_t id;
	const char *name;
	int64_t values[10]; /* in the order of the table's columns after name */
};

struct stream_row {
	int64_t context_id, id, flag, priority, handle, created_ns, destroyed_ns;
};

struct synchronization_row {
	int64_t type, start_ns, end_ns, context_id, stream_id, event_id, correlation_id, sync_id;
};

struct allocation_row {
	int64_t time_ns, is_release, memory_kind, address, size_bytes, device_id, context_id,
		stream_id, correlation_id;
};

struct managed_memory_row {
	int64_t kind, start_ns, end_ns, src_device_id, dst_device_id, address, value, flags;
};

struct memory_pool_row {
	int64_t time_ns, operation, type, device_id, address, size_bytes, utilized_bytes,
		release_threshold_bytes, kept_bytes, correlation_id;
};

struct first_use_row {
	int64_t correlation_id, address, watched_bytes, wait_ns, wait_thread_id, kind, touch_ns,
		touch_thread_id, touch_address;
	struct atom *site; /* or NULL */
};

/* Once, before any thread uses the store: SQLite reads the environment here. */
void store_initialize(void);

/* Creates the trace at path[size], which is changed where that name is taken: see
 * store_file_create(). NULL with the reason in error[error_size]. */
struct store *store_open(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* In a forked child: a store may be opened again. The parent's is not touched, and not freed. */
void store_after_fork(void);

void store_metadata(struct store *store, const char *key, const char *value);
void store_metadata_int(struct store *store, const char *key, int64_t value);
void store_call(struct store *store, const struct record *record, uint32_t thread_id);
/* A further correlation id of the call with this serial, whose record comes later. */
void store_correlation(struct store *store, const struct record *record, uint32_t thread_id);
/* A node that was made by the call with this serial, whose record comes later. */
void store_graph_node(struct store *store, const struct record *record, uint32_t thread_id);
/* A run of a host function, on thread thread_id. */
void store_host_function(struct store *store, const struct record *record, uint32_t thread_id);
void store_operation(struct store *store, const struct operation_row *row);
void store_device(struct store *store, const struct device_row *row);
void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id);
/* Fills in what an earlier row of the same stream lacked: CUPTI's record has the flag, the callback
 * the handle and the times. */
void store_stream(struct store *store, const struct stream_row *row);
void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id);
void store_synchronization(struct store *store, const struct synchronization_row *row);
void store_allocation(struct store *store, const struct allocation_row *row);
void store_managed_memory(struct store *store, const struct managed_memory_row *row);
void store_memory_pool(struct store *store, const struct memory_pool_row *row);
void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id);
void store_first_use(struct store *store, const struct first_use_row *row);
/* end_ns: STORE_NULL while it is open. The row of this id is replaced. */
void store_window(struct store *store, int64_t id, int64_t start_ns, int64_t end_ns,
		  const char *cause);
void store_loss(struct store *store, const char *kind, uint64_t count, int64_t thread_id,
		const char *detail);
void store_clock_sample(struct store *store, int64_t realtime_ns, int64_t monotonic_raw_ns);

/* Makes what was stored since the last commit last; what could not be is a row of `losses`. After
 * the first such row store_close() writes the next: each commit takes room, also with nothing
 * new. */
void store_commit(struct store *store);

/* Commits, folds the write-ahead log into the file and closes. */
void store_close(struct store *store);

#endif
