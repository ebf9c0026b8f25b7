#include "model/graph_launches.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"

#include <stdlib.h>

/* A pass over all calls. */
struct passing {
	const struct trace *trace;
	struct graph_launches *launches;
	/* By handle: the call that made the graph or changed it, plus one; 0: it was launched or
	 * uploaded since then. */
	struct map made;
	struct map nodes; /* by handle: how many operations the graph's first launch ran */
	double *again_ns; /* by launch of a graph that was launched before as it is: a node's time */
	size_t again_count;
};

/* Of a sample the calls that captured a graph can be in the whole run alone. */
static bool is_call_of(const struct trace *trace, const struct trace_call *call)
{
	return call && (uintptr_t)call >= (uintptr_t)trace->calls &&
	       (uintptr_t)call < (uintptr_t)(trace->calls + trace->call_count);
}

static void count_nodes(const struct trace *trace, uint32_t *nodes)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = trace->operations[i].call;
		const struct trace_call *captured = trace->operations[i].form->node_call;

		if (call && call->form->function->class == CLASS_GRAPH_LAUNCH)
			nodes[call - trace->calls]++;
		if (is_call_of(trace, captured))
			nodes[captured - trace->calls] = 1;
	}
}

static void pass_launch(struct passing *passing, size_t index)
{
	const struct trace_call *call = &passing->trace->calls[index];
	uint32_t nodes = passing->launches->nodes[index];
	size_t made = map_find(&passing->made, call->form->object);

	if (made != MAP_NONE && made) {
		passing->launches->made[index] = (uint32_t)made;
		passing->launches->nodes[made - 1] = nodes;
		map_set(&passing->nodes, call->form->object, nodes);
	} else if (made != MAP_NONE && nodes > 1) {
		passing->again_ns[passing->again_count++] =
			(double)max_ns(0, call->end_ns - call->start_ns - GRAPH_LAUNCHED_NS) /
			nodes;
	}
	map_set(&passing->made, call->form->object, 0);
}

static uint32_t nodes_of(const struct passing *passing, uint64_t handle)
{
	size_t found = map_find(&passing->nodes, handle);

	return found == MAP_NONE ? 0 : (uint32_t)found;
}

static void pass_call(struct passing *passing, size_t index)
{
	const struct trace_call_form *form = passing->trace->calls[index].form;

	if (!form->object)
		return;
	switch (form->function->class) {
	case CLASS_GRAPH_INSTANTIATE:
	case CLASS_GRAPH_UPDATE:
		map_set(&passing->made, form->object, index + 1);
		break;
	case CLASS_GRAPH_UPLOAD:
		map_set(&passing->made, form->object, 0);
		break;
	case CLASS_GRAPH_LAUNCH:
		pass_launch(passing, index);
		break;
	case CLASS_GRAPH_DESTROY:
		passing->launches->nodes[index] = nodes_of(passing, form->object);
		break;
	default:
		break;
	}
}

static bool has_graph_launches(const struct trace *trace)
{
	for (size_t i = 0; i < trace->function_count; i++)
		if (trace->functions[i].class == CLASS_GRAPH_LAUNCH)
			return true;
	return false;
}

struct graph_launches graph_launches_of(const struct trace *trace)
{
	struct graph_launches launches = {.node_ns = GRAPH_NODE_TRACED_NS,
					  .is_counted = trace->tool_cost_count > 0};
	struct passing passing = {.trace = trace, .launches = &launches};

	if (!has_graph_launches(trace))
		return launches;
	launches.nodes = memory_array(trace->call_count, sizeof(*launches.nodes));
	launches.made = memory_array(trace->call_count, sizeof(*launches.made));
	passing.again_ns = memory_array(trace->call_count, sizeof(*passing.again_ns));
	count_nodes(trace, launches.nodes);
	for (size_t i = 0; i < trace->call_count; i++)
		pass_call(&passing, i);
	launches.is_paced = passing.again_count >= MEAN_LEAST_CALLS;
	if (launches.is_paced)
		launches.node_ns =
			nth_of(passing.again_ns, passing.again_count, passing.again_count / 2);
	free(passing.again_ns);
	map_free(&passing.nodes);
	map_free(&passing.made);
	return launches;
}

void graph_launches_free(struct graph_launches *launches)
{
	free(launches->nodes);
	free(launches->made);
}

/* CUPTI's part of what a call takes for its graph's nodes: this share, but at most so many times the
 * nodes' time in other launches. */
static int64_t part_of(const struct graph_launches *launches, size_t call, int64_t taken_ns,
		       double share, double most)
{
	double most_ns = most * launches->node_ns * launches->nodes[call];

	return max_ns(0, min_ns((int64_t)(share * (double)taken_ns), (int64_t)most_ns));
}

/* A launch that uploads nothing, and takes longer than others, was held up in what CUPTI does. The upload of an
 * updated graph is that of few nodes. */
static int64_t traced_in_launch_ns(const struct graph_launches *launches, const struct trace *trace,
				   size_t call, int64_t own_ns)
{
	const uint32_t made = launches->made[call];
	const int64_t taken_ns = own_ns - GRAPH_LAUNCHED_NS;

	if (!made)
		return part_of(launches, call, taken_ns, 1, GRAPH_TRACED_MOST);
	if (trace->calls[made - 1].form->function->class == CLASS_GRAPH_UPDATE)
		return part_of(launches, call, taken_ns, 1, 1);
	return part_of(launches, call, taken_ns, GRAPH_MADE_TRACED, GRAPH_TRACED_MOST);
}

int64_t graph_launches_traced_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns)
{
	const enum function_class class = trace->calls[call].form->function->class;

	if (launches->nodes[call] < 2 && class != CLASS_LAUNCH)
		return 0;
	switch (class) {
	case CLASS_GRAPH_LAUNCH:
		return traced_in_launch_ns(launches, trace, call, own_ns);
	case CLASS_LAUNCH:
	case CLASS_GRAPH_INSTANTIATE:
	case CLASS_GRAPH_DESTROY:
		return part_of(launches, call, own_ns, GRAPH_MADE_TRACED, GRAPH_TRACED_MOST);
	default:
		return 0;
	}
}

int64_t graph_launches_upload_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns)
{
	return launches->made[call]
		       ? max_ns(0, own_ns - GRAPH_LAUNCHED_NS -
					   graph_launches_traced_ns(launches, trace, call, own_ns))
		       : 0;
}
