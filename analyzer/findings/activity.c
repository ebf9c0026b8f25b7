#include "findings/activity.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <stdlib.h>

/* The state of measuring. Operations come in the order of starts; an engine's work until
 * busy_until_ns is counted. */
struct measuring {
	struct activity *activity;
	int64_t wall_ns, busy_until_ns[ACTIVITY_ROWS];
};

/* Adds the time to its columns. */
static void add_time(struct activity *activity, size_t row, int64_t start_ns, int64_t end_ns)
{
	double column_ns = activity->column_ns;
	size_t column = (size_t)((double)start_ns / column_ns);

	for (; column < activity->columns && (double)column * column_ns < (double)end_ns;
	     column++) {
		double from_ns = (double)column * column_ns, until_ns = from_ns + column_ns;

		from_ns = from_ns > (double)start_ns ? from_ns : (double)start_ns;
		until_ns = until_ns < (double)end_ns ? until_ns : (double)end_ns;
		if (until_ns > from_ns)
			activity->parts[row][column] += (until_ns - from_ns) / column_ns;
	}
}

/* Counts what is new of the time in which the row was busy. */
static void add_busy(struct measuring *measuring, size_t row, int64_t start_ns, int64_t end_ns)
{
	int64_t *until_ns = &measuring->busy_until_ns[row];

	start_ns = max_ns(start_ns, *until_ns);
	end_ns = min_ns(end_ns, measuring->wall_ns);
	if (start_ns >= end_ns)
		return;
	add_time(measuring->activity, row, start_ns, end_ns);
	*until_ns = end_ns;
}

/* A copy between two devices is work of both. */
static bool is_of(const struct trace_operation *operation, int64_t device)
{
	if (device == ACTIVITY_ALL || operation->form->device_id == device)
		return true;
	return operation->form->engine == ENGINE_PEER &&
	       (operation->form->src_device_id == device ||
		operation->form->dst_device_id == device);
}

/* What sums of parts are short of 1 by rounding is nothing. */
static double rest_of(double part)
{
	return part > 1 - 1e-6 ? 0 : 1 - part;
}

struct activity activity_measure(const struct analysis *analysis, const struct trace *trace,
				 int64_t device, size_t columns)
{
	int64_t origin_ns = trace_recorded_ns(trace, analysis->headline.origin_ns);
	struct activity activity = {.columns = columns};
	struct measuring measuring = {&activity, analysis->headline.wall_ns, {0}};

	activity.column_ns = (double)max_ns(analysis->headline.wall_ns, 1) / (double)columns;
	for (size_t row = 0; row < ACTIVITY_ROWS; row++)
		activity.parts[row] = memory_array(columns, sizeof(double));
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		int64_t start_ns = trace_recorded_ns(trace, operation->start_ns) - origin_ns;
		int64_t end_ns = trace_recorded_ns(trace, operation->end_ns) - origin_ns;

		if (!is_of(operation, device))
			continue;
		add_busy(&measuring, operation->form->engine, start_ns, end_ns);
		add_busy(&measuring, ACTIVITY_IDLE, start_ns, end_ns);
	}
	for (size_t column = 0; column < columns; column++)
		activity.parts[ACTIVITY_IDLE][column] =
			rest_of(activity.parts[ACTIVITY_IDLE][column]);
	return activity;
}

void activity_free(struct activity *activity)
{
	for (size_t row = 0; row < ACTIVITY_ROWS; row++)
		free(activity->parts[row]);
	*activity = (struct activity){0};
}
