/*
 * The trace file, one at a time: the only module that uses SQLite. Writer thread only, but for store_initialize()
 * and store_after_fork().
 *
 * Functions are named after the tables of schema.sql. A row that cannot be written is counted,
 * never retried: after a full disk the program goes on, and the trace ends there with the number of
 * missing rows. Texts are copied. Times are ns of CLOCK_REALTIME.
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

#define STORE_NULL ROW_NULL /* marks a column as NULL */

/* Call once, before any thread uses the store: SQLite reads the environment here. */
void store_initialize(void);

/* Creates the trace at path[size]; if the name is taken, path changes (store_file_create() in
 * file.h). NULL: failed; error[error_size] has the reason. Release the store by store_close(). */
struct store *store_open(char *path, size_t size, int64_t since_ns, char *error, size_t error_size);

/* Call in a forked child: store_open() may be called again. The parent's store is neither touched
 * nor freed. */
void store_after_fork(void);

/* Stores a row of metadata; a second row with the same key replaces the first. */
void store_metadata(struct store *store, const char *key, const char *value);
void store_metadata_int(struct store *store, const char *key, int64_t value);
/* Stores packed calls as a row of call_blocks; returns the first call's id. The caller must handle
 * the notes: pass each PACKED_SERIAL to store_call_serial(), each PACKED_TOOL_COST to
 * store_tool_cost(). */
int64_t store_call_block(struct store *store, const struct packed *packed, uint32_t thread_id);
/* Tells the id of the call with this serial, for store_correlation() and store_graph_node(). Call
 * as soon as the serial and the id are known, and before the thread's next record. */
void store_call_serial(struct store *store, uint32_t thread_id, uint64_t serial, int64_t call_id);
/* The cost of recording one call of the function. */
struct store_tool_cost {
	int64_t outside_ns, inside_ns, entry_ns;
};
/* Adds the cost of a call to the sums of the function's class, which store_tool_costs() stores. */
void store_tool_cost(struct store *store, unsigned function, const struct store_tool_cost *added);
/* Stores a further correlation id of the call with this serial, whose record comes later. */
void store_correlation(struct store *store, const struct record *record, uint32_t thread_id);
/* Stores a graph node made by the call with this serial, whose record comes later. */
void store_graph_node(struct store *store, const struct record *record, uint32_t thread_id);
/* Stores an edge of a graph, once. */
void store_graph_edge(struct store *store, const struct record *record);
/* Stores a run of a host function on thread thread_id. */
void store_host_function(struct store *store, const struct record *record, uint32_t thread_id);
/* Takes the begin or end of an NVTX range on thread thread_id (union range_record). The row of the
 * range is stored when begin and end have come, or at the next commit. A range outside of all
 * windows gets no row. */
void store_nvtx_range(struct store *store, const struct record *record, uint32_t thread_id);
/* Stores an NCCL communicator, or completes its row. */
void store_communicator(struct store *store, const struct record *record);
/* store_collective() stores an NCCL call on thread thread_id, store_collective_group() the end of a
 * group of calls. */
void store_collective(struct store *store, const struct record *record, uint32_t thread_id);
void store_collective_group(struct store *store, const struct record *record);
/* Stores a clock reading on thread thread_id. */
void store_clock_read(struct store *store, const struct record *record, uint32_t thread_id);
/* Adds an operation to a block, under the next id. name: a kernel's, from which row->name_id is
 * set; NULL for other operations. */
void store_operation(struct store *store, struct operations_row *row, const char *name);
void store_device(struct store *store, const struct devices_row *row);
void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id);
/* Stores a stream or completes its row: CUPTI's record has the flag, its callback the handle and
 * times. */
void store_stream(struct store *store, const struct streams_row *row);
void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id);
void store_synchronization(struct store *store, const struct synchronizations_row *row);
void store_allocation(struct store *store, const struct allocations_row *row);
void store_managed_memory(struct store *store, const struct managed_memory_row *row);
void store_memory_pool(struct store *store, const struct memory_pools_row *row);
void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id);
/* Stores a thread's times between two readings; nothing if either is all 0. */
void store_thread_times(struct store *store, uint32_t thread_id, const struct thread_times *begun,
			const struct thread_times *ended);
/* site and name: the stack and what was waited for, from which row->site_id and row->object_id are
 * set; each may be NULL. */
void store_host_state(struct store *store, struct host_states_row *row, struct atom *site,
		      const char *name);
/* Stores the sums of the tracer's cost over all stored calls. */
void store_tool_costs(struct store *store);
/* site: the call site of the touch, from which row->site_id is set; NULL: unknown. */
void store_first_use(struct store *store, struct first_uses_row *row, struct atom *site);
void store_copy_watch(struct store *store, struct copy_watches_row *row, struct atom *site);
/* Stores an image of device code that the program loaded at run time. */
void store_code_image(struct store *store, const void *bytes, size_t size);
/* Stores the window, replacing the row with this id. end_ns: STORE_NULL while it is open. */
void store_window(struct store *store, int64_t id, int64_t start_ns, int64_t end_ns,
		  const char *cause);
/* In watch mode. Stores an incident, replacing the row with this id; function: enum function, from which
 * row->function_id is set, -1: none; site: from which row->site_id is set, may be NULL. */
void store_incident(struct store *store, struct incidents_row *row, int function,
		    struct atom *site);
/* Stores a step, replacing the row with this number. */
void store_watched_step(struct store *store, const struct steps_row *row);
void store_loss(struct store *store, const char *kind, uint64_t count, int64_t thread_id,
		const char *detail);
void store_clock_sample(struct store *store, int64_t realtime_ns, int64_t monotonic_raw_ns);

/* Commits what was stored since the last commit. Failed rows become a row of `losses`: the first at
 * once, later ones only in store_close(), because each commit takes room. */
void store_commit(struct store *store);

/* Call after store_commit(): makes the trace a single file without a log. Nothing may be stored
 * until store_resume(), which goes on with a log. */
void store_settle(struct store *store);
void store_resume(struct store *store);

/* Makes rows of all blocks, if the file has at most most_rows calls, operations and launch
 * arguments; otherwise of none. is_over() is called before each block; if it returns true, all
 * blocks stay, and the rows made so far are taken back. Commits before and after. */
void store_unpack(struct store *store, int64_t most_rows, bool (*is_over)(void));

/* Commits, folds the write-ahead log into the file, closes the file and frees the store. end: value
 * of the metadata key; written only if all losses are in the file. */
void store_close(struct store *store, const char *end);

#endif
