#include "trace/launch_edges.h"

#include <stdlib.h>

/* In launch_edges.inside; else the index of the child graph's node plus the last. */
enum { INSIDE_UNKNOWN, INSIDE_NONE, INSIDE_NODE };

enum {
	LOOKS_MOST = 100000000, /* at edges; 40 million took 0.8 s of an AMD EPYC */
	HOPS_MOST = 256,	/* from one node without an operation to the next: they recurse */
};

/* The launch at hand. */
struct launch {
	struct launch_edges *edges;
	const struct trace_graph_node *const *nodes;
	struct map ran; /* by index in trace.graph_nodes: the index in nodes */
	launch_edge_take *take;
	void *context;
};

static int compare_members(const void *a, const void *b)
{
	const struct launch_member *x = a, *y = b;

	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return (x->operation > y->operation) - (x->operation < y->operation);
}

void launch_members_sort(launch_members *members)
{
	vector_sort(members, compare_members);
}

size_t launch_members_end(const launch_members *members, size_t first)
{
	size_t end = first + 1;

	while (end < members->count && members->items[end].call == members->items[first].call)
		end++;
	return end;
}

struct launch_edges launch_edges_of(const struct trace *trace)
{
	return (struct launch_edges){
		.trace = trace,
		.inside = memory_array(trace->graph_node_count, sizeof(size_t)),
		.seen_from = memory_array(trace->graph_node_count, sizeof(uint64_t)),
		.looks_left = LOOKS_MOST,
	};
}

void launch_edges_free(struct launch_edges *edges)
{
	free(edges->inside);
	free(edges->seen_from);
}

static size_t index_of(const struct launch_edges *edges, const struct trace_graph_node *node)
{
	return (size_t)(node - edges->trace->graph_nodes);
}

/* The value in edges->inside for the node: that of any node before it, up to the child graph's first ones.
 * Edges of a damaged file could lead round in circles. */
static size_t find_child(struct launch_edges *edges, const struct trace_graph_node *node)
{
	const size_t node_count = edges->trace->graph_node_count;
	const struct trace_graph_node *last = node;
	size_t found = INSIDE_NONE;

	for (size_t hops = 0; hops < node_count && last->before_count; hops++) {
		if (edges->inside[index_of(edges, last)] != INSIDE_UNKNOWN) {
			found = edges->inside[index_of(edges, last)];
			break;
		}
		if (last->before->kind == GRAPH_EDGE_TO_CHILD) {
			found = INSIDE_NODE + index_of(edges, last->before->from);
			break;
		}
		last = last->before->from;
	}
	for (; node != last; node = node->before->from)
		edges->inside[index_of(edges, node)] = found;
	edges->inside[index_of(edges, last)] = found;
	return found;
}

static bool is_inside(struct launch_edges *edges, const struct trace_graph_node *node,
		      const struct trace_graph_node *child)
{
	const size_t wanted = INSIDE_NODE + index_of(edges, child);
	size_t inside = find_child(edges, node);

	for (int hops = 0; hops < HOPS_MOST && inside >= INSIDE_NODE; hops++) {
		if (inside == wanted)
			return true;
		inside = find_child(edges, &edges->trace->graph_nodes[inside - INSIDE_NODE]);
	}
	return false;
}

static bool may_look(const struct launch *launch)
{
	if (launch->edges->looks_left)
		launch->edges->looks_left--;
	return launch->edges->looks_left;
}

/* Whether the search from the operation at hand has not come to the node yet. */
static bool is_new(const struct launch *launch, const struct trace_graph_node *node)
{
	uint64_t *from = &launch->edges->seen_from[index_of(launch->edges, node)];
	const bool is_seen = *from == launch->edges->operations;

	*from = launch->edges->operations;
	return !is_seen;
}

/* A child graph is done when all that is in it is. False: nothing in it has an operation. */
static bool take_child(const struct launch *launch, const struct trace_graph_node *child,
		       size_t behind)
{
	bool is_any = false;

	for (size_t i = behind; i-- > 0 && may_look(launch);)
		if (launch->nodes[i] && is_inside(launch->edges, launch->nodes[i], child)) {
			launch->take(launch->context, i, behind);
			is_any = true;
		}
	return is_any;
}

/* The edges that lead to the node count for the operation: it is the operation's, or is between that and
 * others and has no operation. */
static void take_edges(const struct launch *launch, const struct trace_graph_node *node,
		       size_t behind, int hops)
{
	/* Mostly the last one is the last to end. */
	for (uint32_t i = node->before_count; i-- > 0 && hops < HOPS_MOST && may_look(launch);) {
		const struct trace_graph_edge *edge = &node->before[i];
		const size_t ran = map_find(&launch->ran, index_of(launch->edges, edge->from));
		const bool is_into = edge->kind == GRAPH_EDGE_TO_CHILD;

		if (!is_into && edge->kind != GRAPH_EDGE_FULL)
			continue;
		if (ran != MAP_NONE) {
			if (ran < behind)
				launch->take(launch->context, ran, behind);
		} else if (is_new(launch, edge->from) &&
			   (is_into || !edge->from->child_count ||
			    !take_child(launch, edge->from, behind))) {
			take_edges(launch, edge->from, behind, hops + 1);
		}
	}
}

static bool find_nodes(struct launch *launch, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (launch->nodes[i] &&
		    !map_add(&launch->ran, index_of(launch->edges, launch->nodes[i]), i))
			return false;
	return launch->ran.count;
}

bool launch_edges_each(struct launch_edges *edges, const struct trace_graph_node *const *nodes,
		       size_t count, launch_edge_take *take, void *context)
{
	struct launch launch = {.edges = edges, .nodes = nodes, .take = take, .context = context};
	const bool are_known = edges->looks_left && find_nodes(&launch, count);

	for (size_t i = 0; are_known && i < count; i++) {
		edges->operations++;
		if (nodes[i])
			take_edges(&launch, nodes[i], i, 0);
	}
	map_free(&launch.ran);
	return are_known;
}
