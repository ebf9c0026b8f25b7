#include "trace/private.h"

#include <stdlib.h>

#define LOSS_COUNT_LIMIT ((int64_t)1 << 53)
#define NODE_HOPS_LIMIT	 1024
#define NODE_FUNCTION	 3 /* graph_nodes.kind of a host function */

void trace_read_times(struct trace_loader *loader, struct query *query, int column,
		      int64_t *start_ns, int64_t *end_ns)
{
	*start_ns = query_integer(query, column, 0, TIME_LIMIT_NS);
	*end_ns = query_integer(query, column + 1, 0, TIME_LIMIT_NS);
	if (*end_ns < *start_ns)
		query_fail(query, "it ends before it starts");
	else if (__builtin_add_overflow(loader->duration_ns, *end_ns - *start_ns,
					&loader->duration_ns))
		query_fail(query, "the durations add up to more than a clock can count");
}

static void read_call(struct trace_loader *loader, struct query *query, struct trace_call *call)
{
	struct trace *trace = loader->trace;
	size_t function = trace_find_id(query, 2, &loader->function_map, "functions"), site;

	*call = (struct trace_call){
		.thread_id = trace_read_id32(query, 1),
		.function = function == MAP_NONE ? NULL : &trace->functions[function],
		.result = (int)query_integer(query, 5, INT32_MIN, INT32_MAX),
		.is_driver = query_integer(query, 6, 0, 1),
		.per_thread_stream = query_integer(query, 7, 0, 1),
		.has_stream = !query_is_null(query, 10),
		.stream_handle = query_bits(query, 10),
		.object = query_bits(query, 11),
		.dst = query_bits(query, 12),
		.src = query_bits(query, 13),
		.size_bytes = (uint64_t)query_optional(query, 14, 0, INT64_MAX, 0),
	};
	trace_read_times(loader, query, 3, &call->start_ns, &call->end_ns);
	if (query_is_null(query, 8))
		return;
	site = trace_find_id(query, 8, &loader->site_map, "call_sites");
	call->site = site == MAP_NONE ? NULL : &trace->sites[site];
}

static void read_call_rows(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	int64_t id, last_id = INT64_MIN, correlation_id;
	struct query query;

	query_open(&query, &loader->database, "calls",
		   "SELECT id, thread_id, function_id, start_ns, end_ns, result, door, "
		   "per_thread_stream, site_id, correlation_id, stream_handle, object, dst, src, "
		   "size_bytes FROM calls");
	while (query_next(&query)) {
		id = query_integer(&query, 0, INT64_MIN + 1, INT64_MAX);
		if (id <= last_id)
			query_fail(&query, "id %lld comes twice or too late", (long long)id);
		last_id = id;
		trace->calls = memory_grow(trace->calls, trace->call_count, &loader->call_capacity,
					   sizeof(*trace->calls));
		loader->call_ids = memory_grow(loader->call_ids, trace->call_count,
					       &loader->call_id_capacity, sizeof(int64_t));
		read_call(loader, &query, &trace->calls[trace->call_count]);
		correlation_id = query_optional(&query, 9, 0, UINT32_MAX, 0);
		if (correlation_id)
			map_add(&loader->correlation_map, (uint64_t)correlation_id,
				trace->call_count);
		loader->call_ids[trace->call_count++] = id;
	}
	query_close(&query);
}

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Index of the call whose id is in column; MAP_NONE, and a failure, when there is none. */
static size_t find_call(const struct trace_loader *loader, struct query *query, int column)
{
	int64_t call_id = query_integer(query, column, INT64_MIN, INT64_MAX);
	const int64_t *found =
		loader->call_ids ? bsearch(&call_id, loader->call_ids, loader->trace->call_count,
					   sizeof(call_id), compare_ids)
				 : NULL;

	if (found)
		return (size_t)(found - loader->call_ids);
	query_fail(query, "calls has no row %lld", (long long)call_id);
	return MAP_NONE;
}

void trace_read_calls(struct trace_loader *loader)
{
	struct query query;
	size_t call;

	read_call_rows(loader);
	query_open(&query, &loader->database, "correlations",
		   "SELECT correlation_id, call_id FROM correlations");
	while (query_next(&query)) {
		call = find_call(loader, &query, 1);
		if (call != MAP_NONE)
			map_add(&loader->correlation_map, trace_read_id32(&query, 0), call);
	}
	query_close(&query);
}

void trace_read_nodes(struct trace_loader *loader)
{
	struct trace_node *node;
	struct query query;

	if (loader->trace->schema_version < 1001)
		return;
	query_open(&query, &loader->database, "graph_nodes",
		   "SELECT id, source_id, call_id, graph_id, kind FROM graph_nodes");
	while (query_next(&query)) {
		loader->nodes = memory_grow(loader->nodes, loader->node_count,
					    &loader->node_capacity, sizeof(*node));
		node = &loader->nodes[loader->node_count];
		node->id = query_bits(&query, 0);
		node->source_id = query_bits(&query, 1);
		node->graph_id = trace_read_id32(&query, 3);
		node->is_function = query_integer(&query, 4, 0, INT32_MAX) == NODE_FUNCTION;
		node->call = query_is_null(&query, 2) ? MAP_NONE : find_call(loader, &query, 2);
		map_set(&loader->node_map, query_bits(&query, 0), loader->node_count++);
	}
	query_close(&query);
}

struct trace_call *trace_node_call(const struct trace_loader *loader, uint64_t node_id)
{
	size_t index = map_find(&loader->node_map, node_id);
	const struct trace_node *node;

	/* A damaged file could lead round in circles. */
	for (int hops = 0; index != MAP_NONE && hops < NODE_HOPS_LIMIT; hops++) {
		node = &loader->nodes[index];
		if (!node->source_id)
			return node->call == MAP_NONE ? NULL : &loader->trace->calls[node->call];
		index = map_find(&loader->node_map, node->source_id);
	}
	return NULL;
}

#define MOST_PER_BLOCK 65536 /* threads; CUDA's limit is 1024 */

/* CUPTI's copy kinds; see operations.copy_kind in preload/schema.sql. */
static enum engine engine_of(enum operation_kind kind, int copy_kind)
{
	static const enum engine engines[] = {
		[1] = ENGINE_H2D, [2] = ENGINE_D2H,   [3] = ENGINE_H2D,
		[4] = ENGINE_D2H, [10] = ENGINE_PEER,
	};

	if (kind != OPERATION_COPY || (size_t)copy_kind >= sizeof(engines) / sizeof(*engines))
		return ENGINE_COMPUTE;
	return engines[copy_kind];
}

/* Which graph the call launched; a launch with child graphs is of several. */
static void note_launched(struct trace_loader *loader, size_t call, uint64_t node_id)
{
	size_t node = map_find(&loader->node_map, node_id), before;

	if (call == MAP_NONE || node == MAP_NONE)
		return;
	before = map_find(&loader->launched, call);
	map_set(&loader->launched, call,
		before == MAP_NONE || before == loader->nodes[node].graph_id
			? loader->nodes[node].graph_id
			: LAUNCHED_SEVERAL);
}

static void read_operation(struct trace_loader *loader, struct query *query)
{
	struct trace *trace = loader->trace;
	struct trace_operation *operation;
	size_t call, name, index = trace->operation_count++;

	trace->operations = memory_grow(trace->operations, index, &loader->operation_capacity,
					sizeof(*operation));
	loader->operation_streams =
		memory_grow(loader->operation_streams, index, &loader->operation_stream_capacity,
			    sizeof(*loader->operation_streams));
	operation = &trace->operations[index];
	*operation = (struct trace_operation){
		.kind = query_integer(query, 1, OPERATION_KERNEL, OPERATION_SET),
		.device_id = trace_read_id32(query, 4),
		.copy_kind = (uint8_t)query_optional(query, 9, 0, UINT8_MAX, 0),
		.src_kind = (uint8_t)query_optional(query, 10, 0, UINT8_MAX, 0),
		.dst_kind = (uint8_t)query_optional(query, 11, 0, UINT8_MAX, 0),
		.is_async = query_optional(query, 12, 0, 1, 0),
		.size_bytes = (uint64_t)query_optional(query, 13, 0, INT64_MAX, 0),
	};
	operation->blocks = (uint64_t)query_optional(query, 15, 0, INT64_MAX, 0);
	operation->block_threads = (uint32_t)query_optional(query, 16, 0, MOST_PER_BLOCK, 0);
	operation->block_registers =
		operation->block_threads * (uint32_t)query_optional(query, 17, 0, 255, 0);
	operation->block_shared_bytes = (uint32_t)query_optional(query, 18, 0, INT32_MAX, 0);
	trace_read_times(loader, query, 2, &operation->start_ns, &operation->end_ns);
	operation->engine = engine_of(operation->kind, operation->copy_kind);
	loader->operation_streams[index] =
		trace_intern_stream(loader, trace_read_id32(query, 5), trace_read_id32(query, 6));
	call = map_find(&loader->correlation_map, trace_read_id32(query, 7));
	if (call != MAP_NONE)
		operation->call = &trace->calls[call];
	if (!query_is_null(query, 14)) {
		operation->node_call = trace_node_call(loader, query_bits(query, 14));
		note_launched(loader, call, query_bits(query, 14));
	}
	if (query_is_null(query, 8))
		return;
	name = trace_find_id(query, 8, &loader->string_map, "strings");
	operation->name = name == MAP_NONE ? NULL : loader->strings[name];
}

void trace_read_operations(struct trace_loader *loader)
{
	int64_t id, last_id = INT64_MIN;
	struct query query;

	query_open(&query, &loader->database, "operations",
		   "SELECT id, kind, start_ns, end_ns, device_id, context_id, stream_id, "
		   "correlation_id, name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes, "
		   "graph_node_id, grid_x * grid_y * grid_z, block_x * block_y * block_z, "
		   "registers_per_thread, static_shared_bytes + dynamic_shared_bytes "
		   "FROM operations");
	while (query_next(&query)) {
		id = query_integer(&query, 0, INT64_MIN + 1, INT64_MAX);
		if (id <= last_id)
			query_fail(&query, "id %lld comes twice or too late", (long long)id);
		last_id = id;
		if (query_is_null(&query, 2) || query_is_null(&query, 3))
			loader->trace->untimed_operations++;
		else
			read_operation(loader, &query);
	}
	query_close(&query);
}

void trace_read_losses(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	struct trace_loss *loss;
	struct query query;

	query_open(&query, &loader->database, "losses",
		   "SELECT kind, count, detail FROM losses ORDER BY id");
	while (query_next(&query)) {
		trace->losses = memory_grow(trace->losses, trace->loss_count,
					    &loader->loss_capacity, sizeof(*loss));
		loss = &trace->losses[trace->loss_count++];
		loss->kind = trace_read_text(loader, &query, 0);
		loss->count = query_integer(&query, 1, -LOSS_COUNT_LIMIT, LOSS_COUNT_LIMIT);
		loss->detail = trace_read_optional_text(loader, &query, 2);
	}
	query_close(&query);
}
