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
	double *again_ns; /* by launch of a graph that was launched before as it is: a node's time */
	size_t again_count;
};

static void count_nodes(const struct trace *trace, uint32_t *nodes)
{
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_call *call = trace->operations[i].call;

		if (call && call->form->function->class == CLASS_GRAPH_LAUNCH)
			nodes[call - trace->calls]++;
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
	} else if (made != MAP_NONE && nodes > 1) {
		passing->again_ns[passing->again_count++] =
			(double)max_ns(0, call->end_ns - call->start_ns - GRAPH_LAUNCH_NS) / nodes;
	}
	map_set(&passing->made, call->form->object, 0);
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
	map_free(&passing.made);
	return launches;
}

void graph_launches_free(struct graph_launches *launches)
{
	free(launches->nodes);
	free(launches->made);
}

/* A launch that uploads nothing, and takes longer than others, was held up in what CUPTI does. */
static int64_t traced_in_launch_ns(const struct graph_launches *launches, size_t call,
				   int64_t own_ns)
{
	double nodes_ns = launches->node_ns * launches->nodes[call];
	double most_ns = launches->made[call] ? nodes_ns : GRAPH_TRACED_MOST * nodes_ns;

	return max_ns(0, min_ns(own_ns - GRAPH_LAUNCH_NS, (int64_t)most_ns));
}

int64_t graph_launches_traced_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns)
{
	if (launches->nodes[call] < 2)
		return 0;
	switch (trace->calls[call].form->function->class) {
	case CLASS_GRAPH_LAUNCH:
		return traced_in_launch_ns(launches, call, own_ns);
	case CLASS_GRAPH_INSTANTIATE:
		return min_ns((int64_t)(TOOL_MOST_OF_CALL * (double)own_ns),
			      (int64_t)(GRAPH_INSTANTIATED_OF_LAUNCHED * launches->node_ns *
					launches->nodes[call]));
	default:
		return 0;
	}
}

int64_t graph_launches_upload_ns(const struct graph_launches *launches, const struct trace *trace,
				 size_t call, int64_t own_ns)
{
	return launches->made[call]
		       ? max_ns(0, own_ns - GRAPH_LAUNCH_NS -
					   graph_launches_traced_ns(launches, trace, call, own_ns))
		       : 0;
}
