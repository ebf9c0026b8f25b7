#include "replay/schedule/building.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

int64_t building_work_ns(const struct building *building, uint32_t call)
{
	const struct timeline_call *row = &building->timeline->calls[call];
	const struct edits *edits = building->edits;
	int64_t work_ns;

	if (!edits)
		return row->gap_ns;
	work_ns = row->gap_ns - row->tool_gap_ns;
	if (!(edits->calls[call] & EDIT_SET_WORK))
		return work_ns;
	return min_ns(work_ns, max_ns(0, edits->works_ns[call] - row->tool_gap_ns));
}

int64_t building_kept_ns(const struct building *building, uint32_t call)
{
	const struct edits *edits = building->edits;

	return edits->calls[call] & EDIT_KEEP_WORK
		       ? min_ns(edits->kept_work_ns[call],
				max_ns(0, building_work_ns(building, call)))
		       : 0;
}

/* Without what edits take off it, down to 0; a call that came too early still does. */
static int64_t less_work_ns(const struct building *building, uint32_t call, int64_t work_ns)
{
	if (!(building->edits->calls[call] & EDIT_LESS_WORK))
		return work_ns;
	return max_ns(work_ns - building->edits->less_work_ns[call], min_ns(work_ns, 0));
}

int64_t building_edited_gap_ns(const struct building *building, uint32_t call)
{
	const struct timeline *timeline = building->timeline;
	edit_mask edit = building->edits->calls[call];
	int64_t gap_ns = building_work_ns(building, call);

	/* A window begins when it did. */
	if (timeline->windows && timeline->calls[call].before == NO_CALL)
		return timeline->calls[call].gap_ns;
	if (edit & EDIT_NO_WORK)
		gap_ns = min_ns(gap_ns, building_kept_ns(building, call));
	return less_work_ns(building, call, gap_ns);
}

/* A task behind both, either of which may be NO_TASK. */
static task_index join_tasks(struct building *building, task_index first, task_index second)
{
	task_index task;

	if (first == NO_TASK || first == second)
		return second;
	if (second == NO_TASK)
		return first;
	task = building_add_task(building);
	building_add_edge(building, first, task, 0);
	building_add_edge(building, second, task, 0);
	return task;
}

void building_init_order(struct building *building)
{
	const struct trace *trace = building_trace(building);
	const struct edits *edits = building->edits;
	struct order *order = &building->order;

	order_init(order, trace, edits ? edits->added.items : NULL, edits ? edits->added.count : 0);
	building->streams = memory_array(order->stream_count, sizeof(*building->streams));
	building->contexts = memory_array(order->context_count, sizeof(*building->contexts));
	building->events = memory_array(trace->event_wait_count, sizeof(*building->events));
	for (size_t i = 0; i < order->stream_count; i++)
		building->streams[i] = (struct passing_stream){NO_TASK, NO_TASK};
	for (size_t i = 0; i < order->context_count; i++)
		building->contexts[i].legacy = NO_TASK;
	for (size_t i = 0; i < trace->event_wait_count; i++)
		building->events[i] = NO_TASK;
}

void building_free_order(struct building *building)
{
	for (size_t i = 0; i < building->order.context_count; i++)
		vector_free(&building->contexts[i].blocking);
	free(building->events);
	free(building->contexts);
	free(building->streams);
	order_free(&building->order);
}

/* One task for all that the default stream waits for. */
static task_index join_blocking(struct building *building, struct passing_context *context)
{
	task_index task;

	if (!context->blocking.count)
		return NO_TASK;
	if (context->blocking.count == 1)
		return context->blocking.items[0];
	task = building_add_task(building);
	for (size_t i = 0; i < context->blocking.count; i++)
		building_add_edge(building, context->blocking.items[i], task, 0);
	context->blocking.items[0] = task;
	context->blocking.count = 1;
	return task;
}

/* Where the task behind all of the mark is; not for ORDER_BLOCKING, which has several. */
static task_index *task_of(struct building *building, struct order_mark mark)
{
	return mark.kind == ORDER_STREAM   ? &building->streams[mark.index].order
	       : mark.kind == ORDER_LEGACY ? &building->contexts[mark.index].legacy
					   : &building->events[mark.index];
}

task_index building_behind(struct building *building, struct order_mark mark)
{
	if (mark.kind == ORDER_NONE)
		return NO_TASK;
	if (mark.kind == ORDER_BLOCKING)
		return join_blocking(building, &building->contexts[mark.index]);
	return *task_of(building, mark);
}

static void add_blocking(struct passing_context *context, task_index task)
{
	if (task != NO_TASK)
		*vector_add(&context->blocking) = task;
}

static void extend_mark(struct building *building, struct order_mark mark, task_index task)
{
	if (mark.kind == ORDER_BLOCKING)
		add_blocking(&building->contexts[mark.index], task);
	else
		*task_of(building, mark) = join_tasks(building, *task_of(building, mark), task);
}

static void join_marks(void *context, struct order_mark into, struct order_mark from)
{
	extend_mark(context, into, building_behind(context, from));
}

static void add_current(void *context, struct order_mark into)
{
	const struct building *building = context;

	extend_mark(context, into, building->current);
}

static void clear_mark(void *context, struct order_mark mark)
{
	struct building *building = context;

	if (mark.kind == ORDER_BLOCKING)
		building->contexts[mark.index].blocking.count = 0;
	else
		*task_of(building, mark) = NO_TASK;
}

struct order_user building_order_user(struct building *building)
{
	return (struct order_user){
		.context = building, .join = join_marks, .add = add_current, .clear = clear_mark};
}
