#include "cupti/graph_edges.h"

#include "base/driver.h"
#include "base/losses.h"
#include "cupti/cupti_library.h"
#include "recorder/recorder.h"

#include <stdlib.h>

/* Of all graphs of the process: 13 MB of records, of which the file keeps some 2 MB. */
#define EDGES_MOST 100000

/* Child graphs in child graphs: those that are deeper have no edges here. */
#define DEPTH_MOST 8

#define EDGE_TO_CHILD                                                                              \
	256 /* graph_edges.kind: from a child graph's node to a node that it begins with */

static _Atomic uint32_t edges_taken;

/* False: with these there would be too many. */
static bool take_room(size_t count)
{
	if (count > EDGES_MOST)
		return false;
	if (atomic_fetch_add(&edges_taken, (uint32_t)count) + count <= EDGES_MOST)
		return true;
	atomic_fetch_sub(&edges_taken, (uint32_t)count);
	return false;
}

static void record_edge(CUgraphNode from, CUgraphNode to, uint32_t kind, uint32_t from_port)
{
	struct graph_edge edge = {.kind = kind, .from_port = from_port};

	if (cupti.cuptiGetGraphNodeId(from, &edge.from_id) ||
	    cupti.cuptiGetGraphNodeId(to, &edge.to_id))
		losses_count(LOSS_GRAPH_EDGES, 1);
	else
		recorder_graph_edge(&edge);
}

/* Edge i leads from from[i] to to[i]. One block of memory, which from points to. */
struct edges {
	CUgraphNode *from, *to;
	CUgraphEdgeData *data;
};

/* False: no memory. */
static bool allocate_edges(struct edges *edges, size_t count)
{
	edges->from = calloc(count, 2 * sizeof(*edges->from) + sizeof(*edges->data));
	edges->to = edges->from + count;
	edges->data = (void *)(edges->to + count);
	return edges->from;
}

static void take_edges(const struct driver *driver, CUgraph graph)
{
	size_t count = 0;
	struct edges edges;

	if (DRIVER_CALL(driver, cuGraphGetEdges_v2)(graph, NULL, NULL, NULL, &count) || !count)
		return;
	if (!take_room(count) || !allocate_edges(&edges, count)) {
		losses_count(LOSS_GRAPH_EDGES, count);
		return;
	}
	if (DRIVER_CALL(driver, cuGraphGetEdges_v2)(graph, edges.from, edges.to, edges.data,
						    &count))
		losses_count(LOSS_GRAPH_EDGES, count);
	else
		for (size_t i = 0; i < count; i++)
			record_edge(edges.from[i], edges.to[i], edges.data[i].type,
				    edges.data[i].from_port);
	free(edges.from);
}

static void take_graph(const struct driver *driver, CUgraph graph, int depth);

/* Of another node than a child graph: nothing. */
static void take_child(const struct driver *driver, CUgraphNode node, int depth)
{
	CUgraphNodeType type;
	CUgraphNode *roots;
	CUgraph child;
	size_t count = 0;

	if (DRIVER_CALL(driver, cuGraphNodeGetType)(node, &type) ||
	    type != CU_GRAPH_NODE_TYPE_GRAPH ||
	    DRIVER_CALL(driver, cuGraphChildGraphNodeGetGraph)(node, &child))
		return;
	take_graph(driver, child, depth + 1);
	if (DRIVER_CALL(driver, cuGraphGetRootNodes)(child, NULL, &count) || !count)
		return;
	roots = take_room(count) ? calloc(count, sizeof(*roots)) : NULL;
	if (!roots || DRIVER_CALL(driver, cuGraphGetRootNodes)(child, roots, &count))
		losses_count(LOSS_GRAPH_EDGES, count);
	else
		for (size_t i = 0; i < count; i++)
			record_edge(node, roots[i], EDGE_TO_CHILD, 0);
	free(roots);
}

static void take_children(const struct driver *driver, CUgraph graph, int depth)
{
	CUgraphNode *nodes;
	size_t count = 0;

	if (depth == DEPTH_MOST || DRIVER_CALL(driver, cuGraphGetNodes)(graph, NULL, &count) ||
	    !count)
		return;
	nodes = calloc(count, sizeof(*nodes));
	if (nodes && !DRIVER_CALL(driver, cuGraphGetNodes)(graph, nodes, &count))
		for (size_t i = 0; i < count; i++)
			take_child(driver, nodes[i], depth);
	free(nodes);
}

static void take_graph(const struct driver *driver, CUgraph graph, int depth)
{
	take_edges(driver, graph);
	take_children(driver, graph, depth);
}

void graph_edges_take(CUgraph graph)
{
	const struct driver *driver = driver_functions();

	if (DRIVER_CALL(driver, cuGraphGetEdges_v2) && DRIVER_CALL(driver, cuGraphGetNodes) &&
	    DRIVER_CALL(driver, cuGraphGetRootNodes) && DRIVER_CALL(driver, cuGraphNodeGetType) &&
	    DRIVER_CALL(driver, cuGraphChildGraphNodeGetGraph))
		take_graph(driver, graph, 0);
}
