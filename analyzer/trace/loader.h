/*
 * How a trace is loaded: what the modules that read its tables share.
 *
 * load.c reads the tables in an order in which ids refer to rows that are there already. A failure
 * stays in loader->database.error, and every later read does nothing.
 *
 * The tables with the most rows are read ahead, in ranges of ids on all processors. That is only done
 * for a trace in which nothing is wrong: after a failure load.c begins again, strictly, with one row
 * after the other, which finds what is wrong and says it.
 */
#ifndef STREAMTRACE_LOADER_H
#define STREAMTRACE_LOADER_H

#include "base/vector.h"
#include "trace/id_index.h"
#include "trace/private.h"
#include "trace/row_ranges.h"

struct trace_module {
	const char *path, *build_id;
	enum framework framework;
	bool is_library;
};

/* A form of operations with what its stream and its node are found by. */
struct operation_row_form {
	struct trace_operation_form form;
	uint64_t stream; /* context_id << 32 | id */
	int64_t node_id; /* or ROW_NULL */
};

/* A row of event_records. */
struct trace_record {
	uint32_t context_id, stream_id, correlation_id;
	uint32_t stream; /* index into loader.streams */
	int64_t sync_id; /* or ROW_NULL */
};

/* A row of synchronizations: a stream waits for an event. */
struct trace_synchronization {
	uint32_t context_id, stream_id, correlation_id;
	int64_t start_ns; /* or ROW_NULL */
	int64_t sync_id;
};

/* A row of graph_nodes. */
struct trace_node {
	uint64_t id, source_id; /* 0: none */
	size_t call;		/* index, MAP_NONE: unknown */
	uint32_t graph_id;
	bool is_function;
};

/* A wait before the streams and the calls behind it are settled. */
struct pending_wait {
	int64_t wait_ns;
	uint64_t event; /* handle, or 0 */
	const struct trace_call *recording, *waiting;
	uint32_t recorder, waiter;
};

typedef VECTOR(struct pending_wait) pending_wait_vector;

/* In trace_loader.launched: a launch of more than one graph. */
#define LAUNCHED_SEVERAL (SIZE_MAX - 1)

/* Lives while a trace is loaded: the tables behind the ids that rows refer to, and arrays that
 * still grow. */
struct trace_loader {
	struct trace *trace;
	struct database database;
	struct arena *arena;
	struct load_options options;

	struct row_ranges call_ranges, operation_ranges, record_ranges, synchronization_ranges;

	struct configurations configurations;
	VECTOR(const char *) strings;
	VECTOR(struct trace_module) modules;
	struct trace_record *records;
	struct trace_synchronization *synchronizations;
	size_t record_count, synchronization_count;
	VECTOR(struct trace_node) nodes;
	VECTOR(struct trace_stream) streams; /* the trace's once trace_join_event_waits() is done */

	/* Of the rows of calls, by id: correlation ids (0: none), indexes in trace->calls. */
	uint32_t *call_correlations, *call_places;
	uint32_t *operation_correlations; /* of trace->operations */

	/* Ids to indexes. Streams by context_id << 32 | id, records by sync_id. */
	struct map string_map, function_map, module_map, site_map, stream_map, context_map;
	struct map record_map, node_map;
	struct map argument_map;      /* sets, by launch_arguments.id */
	struct map launched;	      /* index of a call to the graph that it launched */
	struct id_index correlations; /* to indexes of calls */
	int64_t duration_ns;	      /* of all rows together */
};

/* loader.c: what every module below needs. */

/* Frees what the loader has, but for the database. */
void trace_loader_free(struct trace_loader *loader);

/* A copy that belongs to the trace; NULL of NULL. */
const char *trace_keep_text(struct trace_loader *loader, const char *text);

/* Maps the id of the current row to an index; a failure where another row had the same id. */
void trace_add_id(struct rows *rows, struct map *map, int64_t id, size_t index);

/* Index behind the id; MAP_NONE, and a failure, where the table that it refers to has no such
 * row. */
size_t trace_find_id(struct rows *rows, int64_t id, const struct map *map, enum row_table table);

/* The same for a call's id: index in trace->calls. */
size_t trace_find_call(const struct trace_loader *loader, struct rows *rows, int64_t call_id);

/* Adds a row's duration. Fails where the row ends before it starts, or the sum overflows. */
void trace_check_times(int64_t *duration_ns, struct rows *rows, int64_t start_ns, int64_t end_ns);

/* Index of the call of a correlation id, or MAP_NONE. */
size_t trace_find_correlated(const struct trace_loader *loader, int64_t correlation_id);

/* Index of a stream; makes one up where the trace has no row. */
uint32_t trace_intern_stream(struct trace_loader *loader, int64_t context_id, int64_t id);

/* An operation's form while the trace is loaded; the index of its stream, which there is when the
 * operations are read. */
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

/* The call that captured or added a node, through the nodes that it was cloned from; or NULL. */
struct trace_call *trace_node_call(const struct trace_loader *loader, uint64_t node_id);

/* room.c: fails where the memory that is free cannot hold the trace. */
void trace_check_room(struct trace_loader *loader);

/* Each of the following reads tables into the trace. dictionaries.c, call_sites.c: what other rows
 * refer to. */
void trace_read_metadata(struct trace_loader *loader);
void trace_read_dictionaries(struct trace_loader *loader);
void trace_read_sites(struct trace_loader *loader);

/* arguments.c: what launches gave their kernels; and, once the calls are read, the memory that this
 * points to. */
void trace_read_arguments(struct trace_loader *loader);
void trace_read_allocations(struct trace_loader *loader);

/* calls.c, operations.c, events.c: what happened. The first ones plan what is read ahead. */
void trace_plan_calls(struct trace_loader *loader);
void trace_plan_operations(struct trace_loader *loader);
void trace_plan_events(struct trace_loader *loader);
void trace_read_calls(struct trace_loader *loader);
void trace_read_nodes(struct trace_loader *loader);
void trace_read_operations(struct trace_loader *loader);
void trace_read_losses(struct trace_loader *loader);

/* join.c: in this order, when all these are read. */
void trace_join_operations(struct trace_loader *loader);
void trace_join_event_waits(struct trace_loader *loader);

/* event_calls.c: when calls and operations are sorted; the waits by wait_ns. */
void trace_waits_of_calls(struct trace_loader *loader, pending_wait_vector *waits);

/* host_functions.c, first_uses.c, nvtx_ranges.c: when calls, operations and streams are joined. */
void trace_read_host_functions(struct trace_loader *loader);
void trace_read_first_uses(struct trace_loader *loader);
void trace_read_nvtx_ranges(struct trace_loader *loader);

/* lent_sites.c: when all that has a site is read. */
void trace_lend_sites(struct trace_loader *loader);

/* clock_reads.c: then. */
void trace_read_clock_reads(struct trace_loader *loader);

/* pool_trims.c: likewise. */
void trace_read_pool_trims(struct trace_loader *loader);

/* thread_times.c */
void trace_read_thread_times(struct trace_loader *loader);

/* overheads.c, migrations.c */
void trace_read_overheads(struct trace_loader *loader);
void trace_read_migrations(struct trace_loader *loader);

/* collectives.c: when calls and operations are joined. */
void trace_read_collectives(struct trace_loader *loader);

/* windows.c: the second when calls and operations are there. */
void trace_read_windows(struct trace_loader *loader);
void trace_join_windows(struct trace_loader *loader);

#endif
