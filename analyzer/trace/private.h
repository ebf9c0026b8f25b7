/*
 * What trace*.c, demangle.c and symbols.c share about a trace.
 */
#ifndef STREAMTRACE_TRACE_PRIVATE_H
#define STREAMTRACE_TRACE_PRIVATE_H

#include "trace/database.h"
#include "base/memory.h"
#include "trace/trace.h"

struct trace_metadata_row {
	const char *key, *value;
};

/* A time, a sum of times and a difference of two must all fit into an int64_t. */
#define TIME_LIMIT_NS (INT64_MAX / 2)

struct trace_private {
	struct arena arena; /* every text */
	struct trace_metadata_row *metadata;
	struct trace_frame *frames;		  /* of all sites, one site after the other */
	struct trace_python_frame *python_frames; /* likewise */
	struct trace_argument *arguments;	  /* of all sets, likewise */
	size_t metadata_count, frame_count, python_frame_count;

	/* demangle.c: by the address of the mangled text, which the arena holds. */
	const char **demangled;
	size_t demangled_count, demangled_capacity;
	struct map demangled_map;
};

struct trace_module {
	const char *path, *build_id;
	bool is_library;
};

/* A row of event_records. */
struct trace_record {
	uint32_t stream; /* index into trace->streams */
	uint64_t correlation_id;
};

/* A row of graph_nodes. */
struct trace_node {
	uint64_t id, source_id; /* 0: none */
	size_t call;		/* index, MAP_NONE: unknown */
	uint32_t graph_id;
	bool is_function;
};

/* In trace_loader.launched: a launch of more than one graph. */
#define LAUNCHED_SEVERAL (SIZE_MAX - 1)

/* Lives while a trace is loaded: the tables behind the ids that rows refer to. */
struct trace_loader {
	struct trace *trace;
	struct database database;
	struct arena *arena;

	const char **strings;
	struct trace_module *modules;
	struct trace_record *records;
	struct trace_node *nodes;
	size_t node_count, node_capacity;
	struct map node_map; /* node id to index */
	struct map launched; /* index of a call to the graph that it launched */
	size_t string_count, module_count, record_count;
	size_t string_capacity, module_capacity, record_capacity;
	size_t metadata_capacity, frame_capacity, python_frame_capacity, function_capacity,
		stream_capacity;
	size_t context_capacity, device_capacity, site_capacity, call_capacity;
	size_t operation_capacity, event_wait_capacity, host_function_capacity, loss_capacity,
		window_capacity, first_use_capacity;

	/* Ids to indexes. Streams by context_id << 32 | id, records by sync_id. */
	struct map string_map, function_map, module_map, site_map, stream_map, context_map;
	struct map record_map;
	struct map correlation_map; /* to indexes of calls */

	int64_t *call_ids; /* of trace->calls, until those are sorted: increasing */
	size_t call_id_capacity;
	uint32_t *operation_streams; /* of trace->operations: indexes of streams */
	size_t operation_stream_capacity;
	int64_t duration_ns; /* of all rows together */
};

/* Each reads tables into the trace; failures stay in loader->database.error. trace/read.c: what
 * other rows refer to. */
void trace_read_dictionaries(struct trace_loader *loader);
void trace_read_sites(struct trace_loader *loader);

/* trace/rows.c: what happened. */
void trace_read_calls(struct trace_loader *loader);
void trace_read_nodes(struct trace_loader *loader);
void trace_read_operations(struct trace_loader *loader);
void trace_read_losses(struct trace_loader *loader);

/* A row's [start, end], checked: columns column and column + 1. */
void trace_read_times(struct trace_loader *loader, struct query *query, int column,
		      int64_t *start_ns, int64_t *end_ns);

/* trace/host_functions.c: when calls, operations and streams are joined. */
void trace_read_host_functions(struct trace_loader *loader);

/* trace/arguments.c: what launches gave their kernels, and the memory that this points to. Between
 * trace_read_calls() and trace_join_calls(). */
void trace_read_arguments(struct trace_loader *loader);

/* trace/windows.c: the second when calls and operations are there. */
#define SCHEMA_WITH_WINDOWS 1001
void trace_read_windows(struct trace_loader *loader);
void trace_join_windows(struct trace_loader *loader);

/* trace/first_uses.c: when calls and operations are joined. */
#define SCHEMA_WITH_FIRST_USES 1002
void trace_read_first_uses(struct trace_loader *loader);

/* Index of a stream; makes one up where the trace has no row. */
uint32_t trace_intern_stream(struct trace_loader *loader, uint32_t context_id, uint32_t id);

/* A column's value; NULL in the file fails but for the optional one. Texts belong to the trace. */
uint32_t trace_read_id32(struct query *query, int column);
const char *trace_read_text(struct trace_loader *loader, struct query *query, int column);
const char *trace_read_optional_text(struct trace_loader *loader, struct query *query, int column);

/* Index behind the id in column; MAP_NONE, and a failure, where table has no such row. */
size_t trace_find_id(struct query *query, int column, const struct map *map, const char *table);

/* The call that captured or added a node, through the nodes that it was cloned from; or NULL. */
struct trace_call *trace_node_call(const struct trace_loader *loader, uint64_t node_id);

/* trace/join.c: both sort by time. trace_join_calls() must run before operations are read. */
void trace_join_calls(struct trace_loader *loader);
void trace_join_operations(struct trace_loader *loader);
void trace_join_event_waits(struct trace_loader *loader);

#endif
