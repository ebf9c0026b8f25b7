#include "cupti/graph_edges.h"

#include "base/driver.h"
#include "base/hash.h"
#include "base/losses.h"
#include "cupti/cupti_library.h"
#include "facts/graph_edge_kinds.h"
#include "recorder/recorder.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Of all graphs of the process: 13 MB of records, of which the file keeps some 2 MB. */
#define EDGES_MOST 100000

/* Child graphs in child graphs: those that are deeper have no edges here. */
#define DEPTH_MOST 8

#define LISTS_MOST 4096 /* lists of edges that are known again; a power of two */

static _Atomic uint32_t edges_taken;
static _Atomic bool is_full; /* there was no room for a list: no graph is asked for any more */
static _Atomic uint64_t hashes[LISTS_MOST]; /* of the lists so far; 0: none */

/* False: with these there would be too many. */
static bool take_room(size_t count)
{
	if (atomic_fetch_add(&edges_taken, (uint32_t)count) + count <= EDGES_MOST)
		return true;
	atomic_fetch_sub(&edges_taken, (uint32_t)count);
	atomic_store(&is_full, true);
	return false;
}

/* The ids of nodes are never used again. */
static uint64_t hash_of(const struct graph_edge *edges, size_t count)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < count; i++) {
		hash = hash_word(hash ^ edges[i].from_id);
		hash = hash_word(hash ^ edges[i].to_id);
		hash = hash_word(hash ^ ((uint64_t)edges[i].kind << 32 | edges[i].from_port));
	}
	return hash | 1;
}

static _Atomic uint64_t *slot_of(uint64_t hash)
{
	return &hashes[(hash >> 32) % LISTS_MOST];
}

/* A graph that is made executable again has the same edges: they are in the trace. False: no room. */
static bool record_list(const struct graph_edge *edges, size_t count)
{
	const uint64_t hash = hash_of(edges, count);

	if (atomic_load(slot_of(hash)) == hash)
		return true;
	if (!take_room(count))
		return false;
	for (size_t i = 0; i < count; i++)
		recorder_graph_edge(&edges[i]);
	atomic_store(slot_of(hash), hash);
	return true;
}

static bool find_ids(struct graph_edge *edge, CUgraphNode from, CUgraphNode to)
{
	return !cupti.cuptiGetGraphNodeId(from, &edge->from_id) &&
	       !cupti.cuptiGetGraphNodeId(to, &edge->to_id);
}

/* Edge i leads from from[i] to to[i]. One block of memory, which list points to. */
struct edges {
	struct graph_edge *list;
	CUgraphNode *from, *to;
	CUgraphEdgeData *data;
};

/* False: too many, or no memory. */
static bool allocate_edges(struct edges *edges, size_t count)
{
	edges->list = NULL;
	if (count > EDGES_MOST)
		return false;
	edges->list = calloc(count, sizeof(*edges->list) + 2 * sizeof(*edges->from) +
					    sizeof(*edges->data));
	edges->from = (void *)(edges->list + count);
	edges->to = edges->from + count;
	edges->data = (void *)(edges->to + count);
	return edges->list;
}

static bool record_edges(const struct edges *edges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!find_ids(&edges->list[i], edges->from[i], edges->to[i]))
			return false;
		edges->list[i].kind = edges->data[i].type;
		edges->list[i].from_port = edges->data[i].from_port;
	}
	return record_list(edges->list, count);
}

static void take_edges(const struct driver *driver, CUgraph graph)
{
	size_t count = 0;
	struct edges edges;

	if (DRIVER_CALL(driver, cuGraphGetEdges_v2)(graph, NULL, NULL, NULL, &count) || !count)
		return;
	if (!allocate_edges(&edges, count) ||
	    DRIVER_CALL(driver, cuGraphGetEdges_v2)(graph, edges.from, edges.to, edges.data,
						    &count) ||
	    !record_edges(&edges, count))
		losses_count(LOSS_GRAPH_EDGES, count);
	free(edges.list);
}

static bool record_roots(CUgraphNode node, const struct edges *edges, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!find_ids(&edges->list[i], node, edges->to[i]))
			return false;
		edges->list[i].kind = GRAPH_EDGE_TO_CHILD;
	}
	return record_list(edges->list, count);
}

/* From the child graph's node to the nodes that it begins with. */
static void take_roots(const struct driver *driver, CUgraphNode node, CUgraph child)
{
	size_t count = 0;
	struct edges edges;

	if (DRIVER_CALL(driver, cuGraphGetRootNodes)(child, NULL, &count) || !count)
		return;
	if (!allocate_edges(&edges, count) ||
	    DRIVER_CALL(driver, cuGraphGetRootNodes)(child, edges.to, &count) ||
	    !record_roots(node, &edges, count))
		losses_count(LOSS_GRAPH_EDGES, count);
	free(edges.list);
}

static void take_graph(const struct driver *driver, CUgraph graph, int depth);

/* Of another node than a child graph: nothing. */
static void take_child(const struct driver *driver, CUgraphNode node, int depth)
{
	CUgraphNodeType type;
	CUgraph child;

	if (DRIVER_CALL(driver, cuGraphNodeGetType)(node, &type) ||
	    type != CU_GRAPH_NODE_TYPE_GRAPH ||
	    DRIVER_CALL(driver, cuGraphChildGraphNodeGetGraph)(node, &child))
		return;
	take_graph(driver, child, depth + 1);
	take_roots(driver, node, child);
}

static void take_children(const struct driver *driver, CUgraph graph, int depth)
{
	CUgraphNode *nodes;
	size_t count = 0;

	if (depth == DEPTH_MOST || DRIVER_CALL(driver, cuGraphGetNodes)(graph, NULL, &count) ||
	    !count)
		return;
	nodes = calloc(count, sizeof(*nodes));
	if (!nodes || DRIVER_CALL(driver, cuGraphGetNodes)(graph, nodes, &count)) {
		losses_count(LOSS_GRAPH_EDGES, 1);
		count = 0;
	}
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

	if (atomic_load(&is_full))
		losses_count(LOSS_GRAPH_EDGES, 1);
	else if (DRIVER_CALL(driver, cuGraphGetEdges_v2) && DRIVER_CALL(driver, cuGraphGetNodes) &&
		 DRIVER_CALL(driver, cuGraphGetRootNodes) &&
		 DRIVER_CALL(driver, cuGraphNodeGetType) &&
		 DRIVER_CALL(driver, cuGraphChildGraphNodeGetGraph))
		take_graph(driver, graph, 0);
}

void graph_edges_after_fork(void)
{
	for (size_t i = 0; i < LISTS_MOST; i++)
		atomic_store(&hashes[i], 0);
	atomic_store(&edges_taken, 0);
	atomic_store(&is_full, false);
}
