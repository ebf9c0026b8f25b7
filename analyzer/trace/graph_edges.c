/* The edges of graphs, by the nodes that they lead to. */
#include "trace/graph_edges.h"

#include "trace/loader.h"

#include <stdlib.h>
#include <string.h>

#define NODE_HOPS_LIMIT 1024 /* a damaged file could lead round in circles */

/* A row of graph_edges, with the indexes of its nodes. */
struct edge {
	uint32_t from, to, kind;
};

typedef VECTOR(uint64_t) ids_vector;

/* A node whose edges are not all there seems to wait for less than it does. */
static bool are_lost(struct trace_loader *loader)
{
	struct losses_row row;
	struct rows rows;
	bool are_lost = false;

	rows_open(&rows, &loader->database, TABLE_losses, "ORDER BY id");
	while (rows_next_losses(&rows, &row))
		are_lost |= !strcmp(row.kind, "graph-edges-lost");
	rows_close(&rows);
	return are_lost;
}

/* The index of the node in trace->graph_nodes. ids: of all so far. */
static uint32_t number_node(struct trace_loader *loader, ids_vector *ids, uint64_t id)
{
	size_t found = map_find(&loader->edge_nodes, id);

	if (found == MAP_NONE) {
		found = ids->count;
		*vector_add(ids) = id;
		map_add(&loader->edge_nodes, id, found);
	}
	return (uint32_t)found;
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static void add_edge(struct trace *trace, const struct edge *edge)
{
	struct trace_graph_node *from = &trace->graph_nodes[edge->from];
	struct trace_graph_node *to = &trace->graph_nodes[edge->to];
	struct trace_graph_edge *added = &trace->graph_edges[trace->graph_edge_count++];

	*added = (struct trace_graph_edge){from, edge->kind};
	if (!to->before_count++)
		to->before = added;
	if (edge->kind == GRAPH_EDGE_TO_CHILD)
		from->child_count++;
	else
		from->behind_count++;
}

void trace_note_graph_updates(struct trace *trace)
{
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call_form *form = trace->calls[i].form;

		if (form->function->class != CLASS_GRAPH_UPDATE || form->result)
			continue;
		if (form->object)
			map_set(&trace->private->updated_graphs, form->object, 1);
		else
			trace->private->are_all_updated = true;
	}
}

bool trace_graph_is_updated(const struct trace *trace, const struct trace_call *launch)
{
	return trace->private->are_all_updated ||
	       map_find(&trace->private->updated_graphs, launch->form->object) != MAP_NONE;
}

void trace_read_graph_edges(struct trace_loader *loader)
{
	struct trace *trace = loader->trace;
	VECTOR(struct edge) edges = {0};
	ids_vector ids = {0};
	struct graph_edges_row row;
	struct rows rows;

	rows_open(&rows, &loader->database, TABLE_graph_edges, are_lost(loader) ? "WHERE 0" : "");
	while (rows_next_graph_edges(&rows, &row))
		*vector_add(&edges) = (struct edge){
			number_node(loader, &ids, (uint64_t)row.from_id),
			number_node(loader, &ids, (uint64_t)row.to_id), (uint32_t)row.kind};
	rows_close(&rows);
	vector_sort(&edges, compare_edges);
	trace->graph_node_count = ids.count;
	trace->graph_nodes = memory_array(ids.count, sizeof(*trace->graph_nodes));
	for (size_t i = 0; i < ids.count; i++)
		trace->graph_nodes[i].id = ids.items[i];
	trace->graph_edges = memory_array(edges.count, sizeof(*trace->graph_edges));
	for (size_t i = 0; i < edges.count; i++)
		add_edge(trace, &edges.items[i]);
	vector_free(&ids);
	vector_free(&edges);
}

/* An executable graph's node has the edges of the node that it was cloned from. */
const struct trace_graph_node *trace_find_graph_node(const struct trace_loader *loader, uint64_t id)
{
	for (int hops = 0; hops < NODE_HOPS_LIMIT && id; hops++) {
		const size_t known = map_find(&loader->edge_nodes, id);
		size_t index;

		if (known != MAP_NONE)
			return &loader->trace->graph_nodes[known];
		index = map_find(&loader->node_map, id);
		id = index == MAP_NONE ? 0 : loader->nodes.items[index].source_id;
	}
	return NULL;
}

struct trace_call *trace_child_call(const struct trace_loader *loader,
				    const struct trace_graph_node *node)
{
	const bool is_first =
		node && node->before_count == 1 && node->before->kind == GRAPH_EDGE_TO_CHILD;

	return is_first ? trace_node_call(loader, node->before->from->id) : NULL;
}
