#include "trace/loader.h"

#include <stdlib.h>

#define NODE_HOPS_LIMIT 1024

static void forget_forms(struct trace_private *private)
{
	for (size_t i = 0; i < CONNECTIONS_MOST; i++) {
		forms_forget(&private->call_forms[i]);
		forms_forget(&private->operation_forms[i]);
	}
	forms_forget(&private->lent_forms);
}

void trace_loader_free(struct trace_loader *loader)
{
	forget_forms(loader->trace->private);
	configurations_free(&loader->configurations);
	vector_free(&loader->strings);
	vector_free(&loader->modules);
	row_shards_free(&loader->call_shards);
	row_shards_free(&loader->operation_shards);
	row_shards_free(&loader->record_shards);
	row_shards_free(&loader->synchronization_shards);
	free(loader->records);
	free(loader->synchronizations);
	vector_free(&loader->nodes);
	vector_free(&loader->streams);
	free(loader->call_correlations);
	free(loader->call_places);
	free(loader->operation_correlations);
	map_free(&loader->string_map);
	map_free(&loader->function_map);
	map_free(&loader->module_map);
	map_free(&loader->site_map);
	map_free(&loader->stream_map);
	map_free(&loader->context_map);
	map_free(&loader->record_map);
	map_free(&loader->node_map);
	map_free(&loader->edge_nodes);
	map_free(&loader->argument_map);
	map_free(&loader->launched);
	id_index_free(&loader->correlations);
}

const char *trace_keep_text(struct trace_loader *loader, const char *text)
{
	return text ? arena_text(loader->arena, text) : NULL;
}

void trace_add_id(struct rows *rows, struct map *map, int64_t id, size_t index)
{
	if (!map_add(map, (uint64_t)id, index))
		rows_fail(rows, "id %lld is a duplicate", (long long)id);
}

size_t trace_find_id(struct rows *rows, int64_t id, const struct map *map, enum row_table table)
{
	size_t index = map_find(map, (uint64_t)id);

	if (index == MAP_NONE)
		rows_fail(rows, "%s has no row %lld", rows_table_name(table), (long long)id);
	return index;
}

size_t trace_find_call(const struct trace_loader *loader, struct rows *rows, int64_t call_id)
{
	const size_t found = row_shards_find(&loader->call_shards, call_id);

	if (found != MAP_NONE)
		return loader->call_places[found];
	rows_fail(rows, "calls has no row %lld", (long long)call_id);
	return MAP_NONE;
}

void trace_check_times(int64_t *duration_ns, struct rows *rows, int64_t start_ns, int64_t end_ns)
{
	if (end_ns < start_ns)
		rows_fail(rows, "it ends before it starts");
	else if (__builtin_add_overflow(*duration_ns, end_ns - start_ns, duration_ns))
		rows_fail(rows, "the sum of the durations overflows 64 bits");
}

size_t trace_find_correlated(const struct trace_loader *loader, int64_t correlation_id)
{
	return id_index_find(&loader->correlations, (uint64_t)correlation_id);
}

static bool is_null_stream(const struct trace_loader *loader, uint32_t context_id, uint32_t id)
{
	size_t index = map_find(&loader->context_map, context_id);

	return index != MAP_NONE && loader->trace->contexts[index].null_stream_id == id;
}

uint32_t trace_intern_stream(struct trace_loader *loader, int64_t context_id, int64_t id)
{
	uint64_t key = (uint64_t)context_id << 32 | (uint64_t)id;
	size_t index = map_find(&loader->stream_map, key);
	struct trace_stream *stream;

	if (index != MAP_NONE)
		return (uint32_t)index;
	index = loader->streams.count;
	map_add(&loader->stream_map, key, index);
	stream = vector_add(&loader->streams);
	*stream = (struct trace_stream){
		.context_id = (uint32_t)context_id,
		.id = (uint32_t)id,
#define STREAM_KEEPS(name, type, missing) .name = (missing),
#include "facts/columns.def"
	};
	stream->flag = is_null_stream(loader, stream->context_id, stream->id) ? STREAM_NULL
									      : STREAM_UNKNOWN;
	return (uint32_t)index;
}

struct trace_call *trace_node_call(const struct trace_loader *loader, uint64_t node_id)
{
	size_t index = map_find(&loader->node_map, node_id);
	const struct trace_node *node;

	/* A damaged file could lead round in circles. */
	for (int hops = 0; index != MAP_NONE && hops < NODE_HOPS_LIMIT; hops++) {
		node = &loader->nodes.items[index];
		if (!node->source_id)
			return node->call == MAP_NONE ? NULL : &loader->trace->calls[node->call];
		index = map_find(&loader->node_map, node->source_id);
	}
	return NULL;
}
