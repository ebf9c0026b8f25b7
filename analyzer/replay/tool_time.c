/* The part of the calls, and of the host's time between them, that the tracer added. */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "model/graph_launches.h"
#include "model/tool_cost.h"
#include "replay/observed/timeline_private.h"
#include "replay/timeline.h"

static int64_t rounded_ns(double ns)
{
	return (int64_t)(ns + 0.5);
}

static bool is_query(enum function_class class)
{
	return class == CLASS_STREAM_QUERY || class == CLASS_EVENT_QUERY;
}

/* A host that asks again and again waits: without the tracer it would have asked more often. */
static bool is_asked_again(const struct trace_call *call, const struct trace_call *next)
{
	return call->form->result && is_query(call->form->function->class) &&
	       call->form->function == next->form->function &&
	       call->form->thread_id == next->form->thread_id &&
	       call->form->object == next->form->object &&
	       call->form->stream_handle == next->form->stream_handle;
}

static void keep_polls(struct timeline *timeline)
{
	const struct trace_call *calls = timeline->model->trace->calls;

	for (size_t i = 0; i < timeline->model->trace->call_count; i++) {
		uint32_t before = timeline->calls[i].before;

		if (before != NO_CALL && is_asked_again(&calls[before], &calls[i]))
			timeline->calls[before].tool_ns = timeline->calls[before].tool_outside_ns =
				0;
	}
}

static void add_overhead(struct timeline *timeline, size_t index,
			 const struct trace_overhead *overhead)
{
	struct timeline_call *call = &timeline->calls[index];
	int64_t end_ns = timeline->model->trace->calls[index].end_ns;
	int64_t inside_ns = max_ns(min_ns(overhead->end_ns, end_ns) - overhead->start_ns, 0);
	int64_t room_ns = (int64_t)(TOOL_MOST_OF_CALL * (double)call->own_ns) - call->tool_ns;

	call->tool_outside_ns += overhead->end_ns - overhead->start_ns - inside_ns;
	call->tool_ns += min_ns(inside_ns, max_ns(room_ns, 0));
}

/* The thread's, from a call on: those that begin before the next call, or all. */
static size_t add_overheads_of(struct timeline *timeline, size_t first, size_t call,
			       int64_t until_ns)
{
	const struct trace *trace = timeline->model->trace;
	size_t i = first;

	for (; i < trace->overhead_count &&
	       trace->overheads[i].thread_id == trace->overheads[first].thread_id &&
	       trace->overheads[i].start_ns < until_ns;
	     i++)
		if (call != MAP_NONE && !trace->overheads[i].is_loading)
			add_overhead(timeline, call, &trace->overheads[i]);
	return i;
}

/* They lie in calls of their threads, or behind them. */
static void add_overheads(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	struct map next = {0}, last = {0}; /* of a thread: its overhead, and its call so far */

	for (size_t i = trace->overhead_count; i-- > 0;)
		map_set(&next, trace->overheads[i].thread_id, i);
	for (size_t i = 0; next.count && i < trace->call_count; i++) {
		uint32_t thread = trace->calls[i].form->thread_id;
		size_t first = map_find(&next, thread);

		if (first == MAP_NONE || first == trace->overhead_count ||
		    trace->overheads[first].thread_id != thread)
			continue;
		map_set(&next, thread,
			add_overheads_of(timeline, first, map_find(&last, thread),
					 trace->calls[i].start_ns));
		map_set(&last, thread, i);
	}
	for (size_t i = 0; i < trace->overhead_count; i++) {
		uint32_t thread = trace->overheads[i].thread_id;

		if (map_find(&next, thread) == i && map_find(&last, thread) != MAP_NONE)
			i = add_overheads_of(timeline, i, map_find(&last, thread), INT64_MAX) - 1;
	}
	map_free(&last);
	map_free(&next);
}

/* What CUPTI takes of calls by the nodes of their graphs. Returns the sum. */
static double add_graph_nodes(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	struct graph_launches launches = graph_launches_of(trace);
	double sum_ns = 0;

	for (size_t i = 0; launches.nodes && i < trace->call_count; i++) {
		struct timeline_call *row = &timeline->calls[i];
		int64_t traced_ns = graph_launches_traced_ns(&launches, trace, i, row->own_ns);
		int64_t more_ns = max_ns(0, traced_ns - row->tool_ns);

		row->tool_ns += more_ns;
		sum_ns += (double)more_ns;
	}
	graph_launches_free(&launches);
	return sum_ns;
}

/* A call's cost that its own time has no room for was outside of it: where a driver call has no
 * wrapper, CUPTI's callbacks are. What a call costs outside is taken from the gap behind it, also where
 * that ends in a thread that takes turns with the call's. */
void timeline_find_tool_time(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	const struct tool_costs *costs = &timeline->model->tool_costs;
	const uint32_t *groups = timeline->model->thread_groups;
	double cost_ns = 0, doubt_ns = 0, graphs_ns;

	if (!costs->is_known)
		return;
	for (size_t i = 0; i < trace->call_count; i++) {
		struct tool_cost cost = tool_cost_of_call(costs, &trace->calls[i]);
		struct timeline_call *call = &timeline->calls[i];
		int64_t inside_ns = rounded_ns(cost.inside_ns);

		call->tool_ns =
			min_ns(inside_ns, (int64_t)(TOOL_MOST_OF_CALL * (double)call->own_ns));
		call->tool_outside_ns = rounded_ns(cost.outside_ns) + inside_ns - call->tool_ns;
		cost_ns += cost.inside_ns + cost.outside_ns;
		doubt_ns += cost.doubt_ns;
	}
	graphs_ns = add_graph_nodes(timeline);
	cost_ns += graphs_ns;
	doubt_ns += TOOL_COST_DOUBT * graphs_ns;
	timeline->tool_doubt = cost_ns > 0 ? doubt_ns / cost_ns : 0;
	keep_polls(timeline);
	add_overheads(timeline);
	for (size_t i = 0; i < trace->call_count; i++) {
		struct timeline_call *call = &timeline->calls[i];

		if (call->before != NO_CALL && call->gap_ns > 0 && !call->is_watching &&
		    groups[call->before] == groups[i])
			call->tool_gap_ns =
				min_ns(timeline->calls[call->before].tool_outside_ns, call->gap_ns);
	}
}

bool timeline_knows_tool(const struct timeline *timeline)
{
	return timeline->model->tool_costs.is_known;
}

bool timeline_knows_cupti(const struct timeline *timeline)
{
	return timeline->model->tool_costs.has_cupti;
}

double timeline_tool_doubt(const struct timeline *timeline)
{
	return timeline->tool_doubt;
}
