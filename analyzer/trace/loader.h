/*
 * How a trace is loaded: declarations shared by the modules that read its tables.
 *
 * load.c reads the tables in such an order that ids refer to rows already read. A failure is kept
 * in loader->database.error, and later reads do nothing. One thread, but for the tables read ahead.
 *
 * The largest tables are read ahead, in shards on all processors. This only works for a
 * trace without errors. After a failure load.c starts again in strict mode: it reads row after row,
 * to find and report the first thing that is wrong.
 */
#ifndef STREAMTRACE_LOADER_H
#define STREAMTRACE_LOADER_H

#include "base/vector.h"
#include "trace/id_index.h"
#include "trace/row_shards.h"
#include "trace/trace_private.h"

struct trace_module {
	const char *path, *build_id;
	enum framework framework;
	bool is_library;
};

/* A form of operations while a trace is loaded, with the keys of its stream and node. */
struct operation_row_form {
	struct trace_operation_form form;
	uint64_t stream; /* key in stream_map: context_id << 32 | id */
	int64_t node_id; /* or ROW_NULL */
};

/* A row of event_records. */
struct trace_record {
	uint32_t context_id, stream_id, correlation_id;
	uint32_t stream; /* index in loader.streams */
	int64_t sync_id; /* or ROW_NULL */
};

/* A row of synchronizations: a stream waits for an event. */
struct trace_synchronization {
	uint32_t context_id, stream_id, correlation_id;
	int64_t start_ns; /* or ROW_NULL */
	int64_t sync_id;
};

/* A row of graph_nodes. id and source_id are ids of nodes. */
struct trace_node {
	uint64_t id, source_id; /* 0: none */
	size_t call;		/* index of its call; MAP_NONE: unknown */
	uint32_t graph_id;
	bool is_function;
};

/* A stream's wait for an event, until the streams and calls have their final addresses. */
struct pending_wait {
	int64_t wait_ns;
	uint64_t event; /* event's handle; 0: unknown */
	const struct trace_call *recording, *waiting;
	uint32_t recorder, waiter; /* indexes in loader.streams */
	uint32_t before, behind;   /* as in struct trace_event_wait */
};

typedef VECTOR(struct pending_wait) pending_wait_vector;

/* In trace_loader.launched: the call launched several graphs. */
#define LAUNCHED_SEVERAL (SIZE_MAX - 1)

/* Lives while a trace is loaded: maps from ids to what rows refer to, and arrays that still
 * grow. */
struct trace_loader {
	struct trace *trace;
	struct database database;
	struct arena *arena;
	struct load_options options;

	struct row_shards call_shards, operation_shards, record_shards, synchronization_shards;

	struct configurations configurations;
	VECTOR(const char *) strings;
	VECTOR(struct trace_module) modules;
	struct trace_record *records;
	struct trace_synchronization *synchronizations;
	size_t record_count, synchronization_count;
	VECTOR(struct trace_node) nodes;
	VECTOR(struct trace_stream) streams; /* become the trace's in trace_join_event_waits() */

	/* By index in the order of the calls' ids: correlation id (0: none), and index in
	 * trace->calls. */
	uint32_t *call_correlations, *call_places;
	uint32_t *operation_correlations; /* by index in trace->operations */

	/* From id to index; streams by context_id << 32 | id, records by sync_id. */
	struct map string_map, function_map, module_map, site_map, stream_map, context_map;
	struct map record_map, node_map;
	struct map edge_nodes;	      /* from id of a node to index in trace->graph_nodes */
	struct map argument_map;      /* from launch_arguments.id to index in trace->arguments */
	struct map launched;	      /* from index of a call to the graph that it launched */
	struct id_index correlations; /* from correlation id to index of the call */
	int64_t duration_ns;	      /* sum over all rows, checked for overflow */
};

/* loader.c: used by all modules below. */

/* Frees what the loader owns, except the database. */
void trace_loader_free(struct trace_loader *loader);

/* A printable copy of text (arena_text()), owned by the trace; NULL for NULL. */
const char *trace_keep_text(struct trace_loader *loader, const char *text);

/* Maps the current row's id to an index. A failure if another row had that id. */
void trace_add_id(struct rows *rows, struct map *map, int64_t id, size_t index);

/* The index for the id; MAP_NONE, with a failure, if `table` has no such row. */
size_t trace_find_id(struct rows *rows, int64_t id, const struct map *map, enum row_table table);

/* The index in trace->calls for a call's id; otherwise like trace_find_id(). */
size_t trace_find_call(const struct trace_loader *loader, struct rows *rows, int64_t call_id);

/* Adds the current row's duration to *duration_ns. A failure if the row ends before it starts, or
 * if the sum overflows. */
void trace_check_times(int64_t *duration_ns, struct rows *rows, int64_t start_ns, int64_t end_ns);

/* The index of the call with this correlation id, or MAP_NONE. */
size_t trace_find_correlated(const struct trace_loader *loader, int64_t correlation_id);

/* The index of a stream; adds a stream if the trace has no row for it. */
uint32_t trace_intern_stream(struct trace_loader *loader, int64_t context_id, int64_t id);

/* trace_row_form(): an operation's form while the trace is loaded. trace_stream_of_row(): the index
 * of its stream, which exists once operations are read. */
static inline const struct operation_row_form *
trace_row_form(const struct trace_operation *operation)
{
	return (const struct operation_row_form *)operation->form;
}

static inline uint32_t trace_stream_of_row(const struct trace_loader *loader,
					   const struct operation_row_form *row)
{
	return (uint32_t)map_find(&loader->stream_map, row->stream);
}

/* The call that captured or added the node or, if it was cloned, its source; NULL: unknown. */
struct trace_call *trace_node_call(const struct trace_loader *loader, uint64_t node_id);

/* graph_edges.c: the node whose edges an operation of this node has; NULL: unknown, or it has none. */
const struct trace_graph_node *trace_find_graph_node(const struct trace_loader *loader,
						     uint64_t id);

/* graph_edges.c: the call that added the child graph that begins with the node; NULL: unknown, or none does. */
struct trace_call *trace_child_call(const struct trace_loader *loader,
				    const struct trace_graph_node *node);

/* room.c: keeps a failure if free memory cannot hold the trace. */
void trace_check_room(struct trace_loader *loader);

/* Each function below reads tables into the trace. dictionaries.c, call_sites.c: what other rows
 * refer to. */
void trace_read_metadata(struct trace_loader *loader);
void trace_read_dictionaries(struct trace_loader *loader);
void trace_read_sites(struct trace_loader *loader);

/* arguments.c: the launches' arguments; after the calls are read, the memory that they point to. */
void trace_read_arguments(struct trace_loader *loader);
void trace_read_allocations(struct trace_loader *loader);

/* calls.c, operations.c, events.c: what happened. trace_plan_...() register what is read ahead. */
void trace_plan_calls(struct trace_loader *loader);
void trace_plan_operations(struct trace_loader *loader);
void trace_plan_events(struct trace_loader *loader);
void trace_read_calls(struct trace_loader *loader);
void trace_read_nodes(struct trace_loader *loader);
void trace_read_graph_edges(struct trace_loader *loader); /* graph_edges.c */
void trace_note_graph_updates(struct trace *trace); /* graph_edges.c; once all calls are there */
void trace_read_operations(struct trace_loader *loader);
void trace_read_losses(struct trace_loader *loader);

/* join.c: call in this order, after all of the above. */
void trace_join_operations(struct trace_loader *loader);
void trace_join_event_waits(struct trace_loader *loader);

/* event_calls.c: call after calls and operations are sorted; gives the waits by wait_ns. */
void trace_waits_of_calls(struct trace_loader *loader, pending_wait_vector *waits);

/* graph_waits.c: call as the one above; adds the waits of graphs' branches, and may add streams. */
void trace_waits_of_graphs(struct trace_loader *loader, pending_wait_vector *waits);

/* host_functions.c, first_uses.c, copy_watches.c, nvtx_ranges.c: call after calls, operations and streams are
 * joined. */
void trace_read_host_functions(struct trace_loader *loader);
void trace_read_first_uses(struct trace_loader *loader);
void trace_read_copy_watches(struct trace_loader *loader);
void trace_read_nvtx_ranges(struct trace_loader *loader);

/* code_images.c */
void trace_read_code_images(struct trace_loader *loader);

/* lent_sites.c: call after everything with a site is read. */
void trace_lend_sites(struct trace_loader *loader);

/* clock_reads.c: call after trace_lend_sites(). */
void trace_read_clock_reads(struct trace_loader *loader);

/* trimmed_pools.c: call after trace_lend_sites(). */
void trace_read_pool_trims(struct trace_loader *loader);

/* thread_times.c: at any time after the metadata. */
void trace_read_thread_times(struct trace_loader *loader);

/* host_states.c: after the sites are read. */
void trace_read_host_states(struct trace_loader *loader);

/* trials.c */
void trace_read_trials(struct trace_loader *loader);

/* incidents.c: after the sites and functions are read. */
void trace_read_incidents(struct trace_loader *loader);

/* device_part.c: frees what trace_device_part() made, but for the file's trace, which is returned. */
struct trace *device_part_free(struct trace *part);

/* overheads.c, migrations.c */
void trace_read_overheads(struct trace_loader *loader);
void trace_read_migrations(struct trace_loader *loader);

/* collectives.c: call after calls and operations are joined. */
void trace_read_collectives(struct trace_loader *loader);

/* windows.c: call trace_join_windows() after calls and operations are read. */
void trace_read_windows(struct trace_loader *loader);
void trace_join_windows(struct trace_loader *loader);

#endif
