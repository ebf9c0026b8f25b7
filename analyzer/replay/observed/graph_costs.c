#include "replay/observed/graph_costs.h"

#include "base/median.h"
#include "base/thresholds.h"
#include "base/vector.h"

#include <stdlib.h>

/* Compute capability 9.0: from an H100 on. */
enum { RECENT_MAJOR = 9 };

static struct graph_costs costs_of_devices(const struct trace *trace, bool is_low)
{
	struct graph_costs costs =
		is_low ? (struct graph_costs){GRAPH_LAUNCH_OLD_NS, GRAPH_NODE_OLD_NS,
					      GRAPH_BETWEEN_OLD_NS}
		       : (struct graph_costs){GRAPH_LAUNCH_NS, 0, GRAPH_BETWEEN_NS};

	for (size_t i = 0; i < trace->device_count; i++)
		if (trace->devices[i].compute_major < RECENT_MAJOR)
			costs.between_ns = is_low ? 2 * GRAPH_BETWEEN_OLD_NS : GRAPH_BETWEEN_OLD_NS;
	return costs;
}

typedef VECTOR(int64_t) times_vector;

/* Between kernels of one launch that follow each other in a stream. */
static void collect_gaps(const struct model *model, times_vector *gaps)
{
	const struct trace *trace = model->trace;
	const struct trace_operation **last = memory_array(trace->stream_count, sizeof(*last));

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct trace_operation **before =
			&last[operation->form->stream - trace->streams];

		if (trace_is_graph_launch(operation->call) && *before &&
		    (*before)->call == operation->call && operation->start_ns >= (*before)->end_ns)
			*vector_add(gaps) = operation->start_ns - (*before)->end_ns;
		*before = operation;
	}
	free(last);
}

static bool has_graph_launches(const struct trace *trace)
{
	for (size_t i = 0; i < trace->function_count; i++)
		if (trace->functions[i].class == CLASS_GRAPH_LAUNCH)
			return true;
	return false;
}

struct graph_costs graph_costs_of(const struct model *model, bool is_low)
{
	const struct trace *trace = model->trace;
	struct graph_costs costs = costs_of_devices(trace, is_low);
	times_vector calls = {0}, gaps = {0};

	if (!has_graph_launches(trace))
		return costs;
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace_is_graph_launch(&trace->calls[i]))
			*vector_add(&calls) = trace->calls[i].end_ns - trace->calls[i].start_ns;
	collect_gaps(model, &gaps);
	if (calls.count >= MEAN_LEAST_CALLS && gaps.count >= MEAN_LEAST_CALLS)
		costs = (struct graph_costs){median_ns(calls.items, calls.count), 0,
					     median_ns(gaps.items, gaps.count)};
	vector_free(&gaps);
	vector_free(&calls);
	return costs;
}
