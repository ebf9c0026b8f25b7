/* What constraints take beyond themselves, as edited: half of what the tracer added to a call comes
 * before what the call does, and half behind it. */
#include "base/minmax.h"
#include "base/thresholds.h"
#include "replay/schedule/building.h"

/* Of the call, in a replay without the tracer. */
static int64_t tool_of(const struct building *building, uint32_t call)
{
	return building->edits ? building->timeline->calls[call].tool_ns : 0;
}

/* No lag turns negative by that. */
static int64_t shorten_lag(int64_t lag_ns, int64_t by_ns)
{
	return lag_ns > by_ns ? lag_ns - by_ns : min_ns(lag_ns, 0);
}

/* Whether staging takes time that pinned memory saves, beside the copy's own. */
static bool is_staging_gone(const struct building *building, size_t index)
{
	return building_edit_of(building, index) & EDIT_PIN &&
	       building->timeline->model->operations[index].operation->form->size_bytes >
		       COPY_SMALL_BYTES;
}

/* Whether the call waits for its own copy, which a fix pins. */
static bool is_own_of_pinned(const struct building *building, const struct timeline_wait *wait)
{
	const struct timeline *timeline = building->timeline;

	return !timeline_is_function(timeline, wait->operation) &&
	       building_edit_of(building, wait->operation) & EDIT_PIN &&
	       timeline->model->operations[wait->operation].operation->call ==
		       &building_trace(building)->calls[wait->call];
}

/* At most the call's own time, if that is edited. A call that staged its copy returned before the
 * copy's end, or later, with its last part; with pinned memory it returns like others. */
int64_t building_wait_lag_ns(const struct building *building, const struct timeline_wait *wait)
{
	const struct edits *edits = building->edits;
	int64_t return_ns = building->timeline->return_lag_ns;

	if (is_own_of_pinned(building, wait) && wait->lag_ns < 0)
		return return_ns;
	if (is_own_of_pinned(building, wait) && is_staging_gone(building, wait->operation))
		return min_ns(wait->lag_ns, return_ns);
	return edits && edits->calls[wait->call] & EDIT_OWN_TIME
		       ? min_ns(wait->lag_ns, edits->calls_ns[wait->call])
		       : shorten_lag(wait->lag_ns, tool_of(building, wait->call) / 2);
}

/* Without the staging before a copy that a fix pins, and without waiting in a queue for an
 * operation that gets its own queue, or that no longer waits for room. */
static int64_t lag_of(const struct building *building, size_t index, int64_t lag_ns,
		      int64_t typical_ns)
{
	bool is_shorter =
		(is_staging_gone(building, index) && building->edits->pinned_end != RATE_SLOWEST) ||
		building_edit_of(building, index) & (EDIT_OWN_QUEUE | EDIT_PREFER);

	return is_shorter ? min_ns(lag_ns, typical_ns) : building_lag(building, lag_ns, typical_ns);
}

/* A graph is handed to the device when the tracer has prepared the records of its nodes. */
static bool launches_graph(const struct building *building, uint32_t call)
{
	return building_trace(building)->calls[call].form->function->class == CLASS_GRAPH_LAUNCH;
}

/* A call that takes less hands its operation to the device earlier: as long after its end as it
 * did, or as long after its start where that was inside of it. */
int64_t building_enqueue_lag_ns(const struct building *building, size_t index)
{
	const struct timeline *timeline = building->timeline;
	uint32_t call = timeline->operations[index].call;
	int64_t tool_ns = tool_of(building, call);
	int64_t lag_ns =
		shorten_lag(lag_of(building, index, timeline->operations[index].enqueue_lag_ns,
				   timeline->launch_lag_ns),
			    launches_graph(building, call) ? tool_ns : tool_ns / 2);
	int64_t before_ns = timeline->calls[call].own_ns - tool_ns;
	int64_t now_ns = building_own_ns(building, call);

	return now_ns >= before_ns || lag_ns <= now_ns
		       ? lag_ns
		       : max_ns(now_ns, lag_ns - before_ns + now_ns);
}

/* CUPTI makes operations that follow others start later. */
static int64_t device_tool_ns(const struct building *building, size_t index)
{
	const struct tool_costs *costs = &building->timeline->model->tool_costs;

	if (!building->edits)
		return 0;
	switch (building->timeline->operations[index].kind) {
	case OPERATION_KERNEL:
		return (int64_t)costs->kernel_gap_ns;
	case OPERATION_COPY:
		return (int64_t)costs->copy_gap_ns;
	default:
		return 0;
	}
}

int64_t building_order_lag_ns(const struct building *building, size_t index)
{
	const struct timeline *timeline = building->timeline;

	return shorten_lag(lag_of(building, index, timeline->operations[index].order_lag_ns,
				  timeline->order_lag_ns),
			   device_tool_ns(building, index));
}

int64_t building_release_ns(const struct building *building, size_t index)
{
	return shorten_lag(building->timeline->operations[index].release_ns,
			   device_tool_ns(building, index));
}
