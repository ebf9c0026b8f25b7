/*
 * The file: the only module that talks to SQLite. Writer thread only.
 *
 * Rows are named as the tables of schema.sql. A row that cannot be written is counted, never
 * retried: after a full disk the program goes on, and the trace ends there and says how much is
 * missing. Texts are copied; times are ns of CLOCK_REALTIME. NULL columns: see each field.
 */
#ifndef STREAMTRACE_STORE_H
#define STREAMTRACE_STORE_H

#include "base/thread_times.h"
#include "facts/facts.h"
#include "facts/rows.h"
#include "recorder/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct packed;
struct store;

#define STORE_NULL ROW_NULL /* a column without a value */

/* Once, before any thread uses the store: SQLite reads the environment here. */
void store_initialize(void);

/* Creates the trace at path[size], which is changed where that name is taken: see
 * store_file_create(). NULL with the reason in error[error_size]. */
struct store *store_open(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* In a forked child: a store may be opened again. The parent's is not touched, and not freed. */
void store_after_fork(void);

void store_metadata(struct store *store, const char *key, const char *value);
void store_metadata_int(struct store *store, const char *key, int64_t value);
/* Packed calls as a row of call_blocks; the id of the first one. Their notes are the caller's: each
 * PACKED_SERIAL is for store_call_serial(), each PACKED_TOOL_COST for store_tool_cost(). */
int64_t store_call_block(struct store *store, const struct packed *packed, uint32_t thread_id);
/* The call with this serial has this id: for store_correlation() and store_graph_node(), as soon as
 * the call has a serial that is known, and before the next record of the thread. */
void store_call_serial(struct store *store, uint32_t thread_id, uint64_t serial, int64_t call_id);
/* What recording one call of the function cost. */
struct store_tool_cost {
	int64_t outside_ns, inside_ns, entry_ns;
};
void store_tool_cost(struct store *store, unsigned function, const struct store_tool_cost *added);
/* A further correlation id of the call with this serial, whose record comes later. */
void store_correlation(struct store *store, const struct record *record, uint32_t thread_id);
/* A node that was made by the call with this serial, whose record comes later. */
void store_graph_node(struct store *store, const struct record *record, uint32_t thread_id);
/* A run of a host function, on thread thread_id. */
void store_host_function(struct store *store, const struct record *record, uint32_t thread_id);
/* The begin or the end of an NVTX range, on thread thread_id (union range_record). Its row comes when both
 * are there, or with the next commit; not where it lies outside of every window. */
void store_nvtx_range(struct store *store, const struct record *record, uint32_t thread_id);
/* A communicator of NCCL: fills in what an earlier row of it lacked. */
void store_communicator(struct store *store, const struct record *record);
/* A call of NCCL, on thread thread_id; the end of a group of them. */
void store_collective(struct store *store, const struct record *record, uint32_t thread_id);
void store_collective_group(struct store *store, const struct record *record);
/* A reading of a clock, on thread thread_id. */
void store_clock_read(struct store *store, const struct record *record, uint32_t thread_id);
/* Into a block, with the next id. name: a kernel's, or NULL. The row's name_id is set. */
void store_operation(struct store *store, struct operations_row *row, const char *name);
void store_device(struct store *store, const struct devices_row *row);
void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id);
/* Fills in what an earlier row of the same stream lacked: CUPTI's record has the flag, the callback
 * the handle and the times. */
void store_stream(struct store *store, const struct streams_row *row);
void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id);
void store_synchronization(struct store *store, const struct synchronizations_row *row);
void store_allocation(struct store *store, const struct allocations_row *row);
void store_managed_memory(struct store *store, const struct managed_memory_row *row);
void store_memory_pool(struct store *store, const struct memory_pools_row *row);
void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id);
/* From the one reading to the other; nothing where one of them is missing. */
void store_thread_times(struct store *store, uint32_t thread_id, const struct thread_times *begun,
			const struct thread_times *ended);
/* What the stored calls say of the tracer's cost. */
void store_tool_costs(struct store *store);
/* site: of the touch, or NULL. The row's site_id is set. */
void store_first_use(struct store *store, struct first_uses_row *row, struct atom *site);
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

/* After store_commit(): makes the trace one file without a log, as store_close() does. Nothing may be stored
 * before store_resume(). */
void store_settle(struct store *store);
void store_resume(struct store *store);

/* Makes rows of all blocks of a file with no more than so many calls, operations and launch arguments, or
 * of none: is_over() is asked after each block. Commits before and behind. */
void store_unpack(struct store *store, int64_t most_rows, bool (*is_over)(void));

/* Commits, folds the write-ahead log into the file and closes. end: of the metadata; it is written where
 * all that was lost is in the file. */
void store_close(struct store *store, const char *end);

#endif
