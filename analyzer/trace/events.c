/* What else happened: the nodes of graphs, records of events and waits for them, losses. */
#include "trace/loader.h"

#include <string.h>

#define NODE_FUNCTION 3 /* graph_nodes.kind of a host function */

/* The end of the nodes from `first` on that belong to its graph. */
static size_t end_of_graph(const struct trace_loader *loader, size_t first, size_t count)
{
	const struct trace_node *nodes = loader->nodes.items;
	size_t end = first + 1;

	while (end < count && nodes[end].graph_id == nodes[first].graph_id)
		end++;
	return end;
}

static void add_inner_node(struct trace_loader *loader, uint64_t id, uint32_t graph_id,
			   size_t clone)
{
	struct trace_node node = loader->nodes.items[clone];

	node.source_id = node.id;
	node.id = id;
	node.graph_id = graph_id;
	map_set(&loader->node_map, id, loader->nodes.count);
	*vector_add(&loader->nodes) = node;
}

/* Inside child graphs and conditional nodes the nodes of an executable graph have ids that CUPTI does not
 * tell (13.0): those that are missing among its others, nodes first to end. They follow the order in which
 * the same call cloned them into graphs of their own, right behind this one. count: of the nodes so told. */
static void add_inner_nodes(struct trace_loader *loader, size_t first, size_t end, size_t count)
{
	const struct trace_node graph = loader->nodes.items[first];
	const uint64_t ids = loader->nodes.items[end - 1].id - graph.id + 1;
	const uint64_t missing = ids - (end - first);
	VECTOR(size_t) clones = {0};
	size_t next = 0;

	for (size_t i = end;
	     i < count && clones.count <= missing && loader->nodes.items[i].call == graph.call; i++)
		if (loader->nodes.items[i].source_id)
			*vector_add(&clones) = i;
	for (uint64_t i = 0; clones.count && missing == clones.count && i < ids; i++)
		if (map_find(&loader->node_map, graph.id + i) == MAP_NONE)
			add_inner_node(loader, graph.id + i, graph.graph_id, clones.items[next++]);
	vector_free(&clones);
}

static void add_all_inner_nodes(struct trace_loader *loader)
{
	const size_t count = loader->nodes.count;

	for (size_t first = 0, end; first < count; first = end) {
		const struct trace_node *node = &loader->nodes.items[first];

		end = end_of_graph(loader, first, count);
		if (node->source_id && node->call != MAP_NONE &&
		    loader->nodes.items[end - 1].id - node->id >= end - first)
			add_inner_nodes(loader, first, end, count);
	}
}

void trace_read_nodes(struct trace_loader *loader)
{
	struct graph_nodes_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_graph_nodes, "ORDER BY id");
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
	add_all_inner_nodes(loader);
}

static void take_record(struct row_shard *shard)
{
	const struct event_records_row *row = &shard->row.record;
	size_t at = row_shard_place(shard);

	if (at != MAP_NONE)
		shard->shards->loader->records[at] = (struct trace_record){
			.context_id = (uint32_t)row->context_id,
			.stream_id = (uint32_t)row->stream_id,
			.correlation_id = (uint32_t)row->correlation_id,
			.sync_id = row->sync_id,
		};
}

static void take_synchronization(struct row_shard *shard)
{
	const struct synchronizations_row *row = &shard->row.synchronization;
	size_t at = row_shard_place(shard);

	if (at != MAP_NONE)
		shard->shards->loader->synchronizations[at] = (struct trace_synchronization){
			.context_id = (uint32_t)row->context_id,
			.stream_id = (uint32_t)row->stream_id,
			.correlation_id = (uint32_t)row->correlation_id,
			.start_ns = row->start_ns,
			.sync_id = row->sync_id,
		};
}

void trace_plan_events(struct trace_loader *loader)
{
	loader->record_shards = (struct row_shards){
		.table = TABLE_event_records,
		.condition = "ORDER BY id",
		.take = take_record,
		.loader = loader,
		.arrays = {{(void **)&loader->records, sizeof(*loader->records), false}},
	};
	loader->synchronization_shards = (struct row_shards){
		.table = TABLE_synchronizations,
		.condition = "WHERE type = 2 AND sync_id IS NOT NULL AND stream_id IS NOT NULL "
			     "ORDER BY id",
		.take = take_synchronization,
		.loader = loader,
		.arrays = {{(void **)&loader->synchronizations, sizeof(*loader->synchronizations),
			    false}},
	};
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
