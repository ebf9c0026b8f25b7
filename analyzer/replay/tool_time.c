/* The part of the calls, and of the host's time between them, that the tracer added. */
#include "replay/timeline_private.h"

#include "base/minmax.h"
#include "model/tool_cost.h"

/* Some of a call is always the program's. */
#define MOST_OF_CALL 0.9

static int64_t rounded(double ns)
{
	return (int64_t)(ns + 0.5);
}

/* A call's cost that its own time has no room for was outside of it: where a driver call has no
 * wrapper, CUPTI's callbacks are. What a call costs outside is taken from the gap behind it. */
void timeline_find_tool_time(struct timeline *timeline)
{
	const struct trace *trace = timeline->model->trace;
	const struct tool_costs *costs = &timeline->tool_costs;

	timeline->tool_costs = tool_costs_of(trace);
	if (!costs->is_known)
		return;
	for (size_t i = 0; i < trace->call_count; i++) {
		struct tool_cost cost = tool_cost_of_call(costs, &trace->calls[i]);
		struct timeline_call *call = &timeline->calls[i];
		int64_t inside_ns = rounded(cost.inside_ns);

		call->tool_ns = min_ns(inside_ns, (int64_t)(MOST_OF_CALL * (double)call->own_ns));
		call->tool_outside_ns = rounded(cost.outside_ns) + inside_ns - call->tool_ns;
	}
	for (size_t i = 0; i < trace->call_count; i++) {
		struct timeline_call *call = &timeline->calls[i];

		if (call->before != NO_CALL && call->gap_ns > 0 &&
		    trace->calls[call->before].thread_id == trace->calls[i].thread_id)
			call->tool_gap_ns =
				min_ns(timeline->calls[call->before].tool_outside_ns, call->gap_ns);
	}
}

bool timeline_knows_tool(const struct timeline *timeline)
{
	return timeline->tool_costs.is_known;
}

bool timeline_knows_cupti(const struct timeline *timeline)
{
	return timeline->tool_costs.has_cupti;
}

double timeline_tool_doubt(const struct timeline *timeline)
{
	return timeline->tool_costs.doubt;
}
