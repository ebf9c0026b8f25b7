/* What happened: calls, the nodes of graphs, operations, losses. */
#include "trace/call_rows.h"
#include "trace/loader.h"

#include <string.h>

#define NODE_FUNCTION  3     /* graph_nodes.kind of a host function */
#define MOST_PER_BLOCK 65536 /* threads; CUDA's limit is 1024 */

/* Rows come in the order of their ids. */
static void check_order(struct rows *rows, int64_t id, int64_t *last_id)
{
	if (id <= *last_id)
		rows_fail(rows, "id %lld is a duplicate or out of order", (long long)id);
	*last_id = id;
}

static const struct trace_arguments *find_arguments(const struct trace_loader *loader,
						    struct rows *rows, int64_t id)
{
	size_t set;

	/* An older trace may have no such table. */
	if (id == ROW_NULL || !loader->trace->arguments_count)
		return NULL;
	set = trace_find_id(rows, id, &loader->argument_map, TABLE_launch_arguments);
	return set == MAP_NONE ? NULL : &loader->trace->arguments[set];
}

static void take_call(struct trace_loader *loader, struct rows *rows, const struct calls_row *row,
		      struct trace_call *call)
{
	struct trace *trace = loader->trace;
	size_t function, site;

	function = trace_find_id(rows, row->function_id, &loader->function_map, TABLE_functions);
	*call = (struct trace_call){
		.start_ns = row->start_ns,
		.end_ns = row->end_ns,
		.function = function == MAP_NONE ? NULL : &trace->functions[function],
		.via_driver_callback = row->api_path,
		.has_stream = row->stream_handle != ROW_NULL,
		.stream_handle = row_bits(row->stream_handle),
#define CALL_KEEPS(name, type, missing) .name = (type)row_or(row->name, missing),
#include "facts/columns.def"
		.arguments = find_arguments(loader, rows, row->arguments_id),
	};
	trace_check_times(loader, rows, row->start_ns, row->end_ns);
	if (row->site_id == ROW_NULL)
		return;
	site = trace_find_id(rows, row->site_id, &loader->site_map, TABLE_call_sites);
	call->site = site == MAP_NONE ? NULL : &trace->sites[site];
}

static void read_call_rows(struct trace_loader *loader)
{
	VECTOR(struct trace_call) calls = {0};
	int64_t last_id = INT64_MIN;
	struct call_rows from;
	struct calls_row row;
	struct rows *rows;

	call_rows_open(&from, &loader->database);
	while ((rows = call_rows_next(&from, &row))) {
		check_order(rows, row.id, &last_id);
		if (row_or(row.correlation_id, 0))
			map_add(&loader->correlation_map, (uint64_t)row.correlation_id,
				calls.count);
		take_call(loader, rows, &row, vector_add(&calls));
		*vector_add(&loader->call_ids) = row.id;
	}
	call_rows_close(&from);
	vector_move(&calls, loader->trace->calls, loader->trace->call_count);
}

void trace_read_calls(struct trace_loader *loader)
{
	struct correlations_row row;
	struct rows rows;
	size_t call;

	read_call_rows(loader);
	rows_open(&rows, &loader->database, TABLE_correlations, "");
	while (rows_next_correlations(&rows, &row)) {
		call = trace_find_call(loader, &rows, row.call_id);
		if (call != MAP_NONE)
			map_add(&loader->correlation_map, (uint64_t)row.correlation_id, call);
	}
	rows_close(&rows);
}

void trace_read_nodes(struct trace_loader *loader)
{
	struct graph_nodes_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_graph_nodes, "");
	while (rows_next_graph_nodes(&rows, &row)) {
		map_set(&loader->node_map, (uint64_t)row.id, loader->nodes.count);
		*vector_add(&loader->nodes) = (struct trace_node){
			.id = (uint64_t)row.id,
			.source_id = row_bits(row.source_id),
			.graph_id = (uint32_t)row.graph_id,
			.is_function = row.kind == NODE_FUNCTION,
			.call = row.call_id == ROW_NULL
					? MAP_NONE
					: trace_find_call(loader, &rows, row.call_id),
		};
	}
	rows_close(&rows);
}

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
	size_t node = map_find(&loader->node_map, node_id), before, graph;

	if (call == MAP_NONE || node == MAP_NONE)
		return;
	graph = loader->nodes.items[node].graph_id;
	before = map_find(&loader->launched, call);
	map_set(&loader->launched, call,
		before == MAP_NONE || before == graph ? graph : LAUNCHED_SEVERAL);
}

/* The product of three dimensions; 0 where one is not known. */
static int64_t volume(struct rows *rows, const char *what, int64_t x, int64_t y, int64_t z,
		      int64_t most)
{
	int64_t product;

	if (x == ROW_NULL || y == ROW_NULL || z == ROW_NULL)
		return 0;
	if (!__builtin_mul_overflow(x, y, &product) &&
	    !__builtin_mul_overflow(product, z, &product) && product <= most)
		return product;
	rows_fail(rows, "%s is out of range: %lld * %lld * %lld", what, (long long)x, (long long)y,
		  (long long)z);
	return 0;
}

static void take_kernel(struct trace_loader *loader, struct rows *rows,
			const struct operations_row *row, struct trace_operation *operation)
{
	size_t name;
	int64_t shared_bytes =
		row->static_shared_bytes == ROW_NULL || row->dynamic_shared_bytes == ROW_NULL
			? 0
			: row->static_shared_bytes + row->dynamic_shared_bytes;

	rows_expect(rows, "static_shared_bytes + dynamic_shared_bytes", shared_bytes, 0, INT32_MAX);
	operation->blocks = (uint64_t)volume(rows, "the grid", row->grid_x, row->grid_y,
					     row->grid_z, INT64_MAX);
	operation->block_threads = (uint32_t)volume(rows, "the block", row->block_x, row->block_y,
						    row->block_z, MOST_PER_BLOCK);
	operation->thread_registers = (uint32_t)row_or(row->registers_per_thread, 0);
	operation->block_shared_bytes = (uint32_t)shared_bytes;
	if (row->name_id == ROW_NULL)
		return;
	name = trace_find_id(rows, row->name_id, &loader->string_map, TABLE_strings);
	operation->name = name == MAP_NONE ? NULL : loader->strings.items[name];
}

static void take_operation(struct trace_loader *loader, struct rows *rows,
			   const struct operations_row *row, struct trace_operation *operation)
{
	size_t call = map_find(&loader->correlation_map, (uint64_t)row->correlation_id);

	*operation = (struct trace_operation){
		.start_ns = row->start_ns,
		.end_ns = row->end_ns,
		.kind = (enum operation_kind)row->kind,
#define OPERATION_KEEPS(name, type, missing) .name = (type)row_or(row->name, missing),
#include "facts/columns.def"
		.call = call == MAP_NONE ? NULL : &loader->trace->calls[call],
	};
	trace_check_times(loader, rows, row->start_ns, row->end_ns);
	operation->engine = engine_of(operation->kind, operation->copy_kind);
	take_kernel(loader, rows, row, operation);
	if (row->graph_node_id == ROW_NULL)
		return;
	operation->node_call = trace_node_call(loader, (uint64_t)row->graph_node_id);
	note_launched(loader, call, (uint64_t)row->graph_node_id);
}

void trace_read_operations(struct trace_loader *loader)
{
	VECTOR(struct trace_operation) operations = {0};
	int64_t last_id = INT64_MIN;
	struct operations_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_operations, "");
	while (rows_next_operations(&rows, &row)) {
		check_order(&rows, row.id, &last_id);
		if (row.start_ns == ROW_NULL || row.end_ns == ROW_NULL) {
			loader->trace->untimed_operations++;
			continue;
		}
		take_operation(loader, &rows, &row, vector_add(&operations));
		*vector_add(&loader->operation_streams) =
			trace_intern_stream(loader, row.context_id, row.stream_id);
	}
	rows_close(&rows);
	vector_move(&operations, loader->trace->operations, loader->trace->operation_count);
}

static const struct trace_loss *loss_kind(const char *word)
{
	static const struct trace_loss kinds[] = {
#define LOSS_KIND(symbol, word, is_event, text) {word, NULL, text, is_event, 0},
#include "facts/loss_kinds.def"
#undef LOSS_KIND
	};
	static const struct trace_loss unknown = {.text = "events were lost"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].kind, word) == 0)
			return &kinds[i];
	return &unknown;
}

void trace_read_losses(struct trace_loader *loader)
{
	VECTOR(struct trace_loss) losses = {0};
	struct losses_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_losses, "ORDER BY id");
	while (rows_next_losses(&rows, &row))
		*vector_add(&losses) = (struct trace_loss){
			.kind = trace_keep_text(loader, row.kind),
			.count = row.count,
			.detail = trace_keep_text(loader, row.detail),
			.text = loss_kind(row.kind)->text,
			.is_event = loss_kind(row.kind)->is_event,
		};
	rows_close(&rows);
	vector_move(&losses, loader->trace->losses, loader->trace->loss_count);
}
