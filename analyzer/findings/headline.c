#include "findings/headline.h"

#include "base/minmax.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An engine gets one operation more or less. */
struct change {
	int64_t time_ns;
	int engine, step;
};

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

static void measure_wall(struct analysis *analysis, const struct trace *trace)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;

	for (size_t i = 0; i < trace->call_count; i++) {
		if (trace->calls[i].start_ns < first_ns)
			first_ns = trace->calls[i].start_ns;
		if (trace->calls[i].end_ns > last_ns)
			last_ns = trace->calls[i].end_ns;
	}
	analysis->lead_ns = trace->operation_count && trace->operations[0].start_ns > first_ns
				    ? trace->operations[0].start_ns - first_ns
				    : 0;
	for (size_t i = 0; i < trace->operation_count; i++) {
		if (trace->operations[i].start_ns < first_ns)
			first_ns = trace->operations[i].start_ns;
		if (trace->operations[i].end_ns > last_ns)
			last_ns = trace->operations[i].end_ns;
	}
	if (first_ns > last_ns)
		return;
	analysis->origin_ns = first_ns;
	analysis->wall_ns = last_ns - first_ns;
}

/* Windows count whole: that nothing happened at their ends is a part of what was recorded. */
static void measure_windows(struct analysis *analysis, const struct trace *trace)
{
	const struct trace_window *last = &trace->windows[trace->window_count - 1];

	analysis->origin_ns = trace->windows[0].start_ns;
	analysis->wall_ns = trace_recorded_ns(trace, last->end_ns);
}

static void add_changes(struct change *changes, const struct trace_operation *operation,
			int64_t start_ns, int64_t end_ns)
{
	changes[0] = (struct change){start_ns, (int)operation->form->engine, 1};
	changes[1] = (struct change){end_ns, (int)operation->form->engine, -1};
}

/* Sorts the changes. idle_ns must be the whole time. */
static void sweep(struct analysis *analysis, struct change *changes, size_t count)
{
	int under_way[ENGINE_COUNT] = {0};

	if (count)
		qsort(changes, count, sizeof(*changes), compare_changes);
	for (size_t i = 0; i < count; i++) {
		int64_t passed_ns = i ? changes[i].time_ns - changes[i - 1].time_ns : 0;
		int busy = 0;

		for (int engine = 0; engine < ENGINE_COUNT; engine++) {
			if (under_way[engine] <= 0)
				continue;
			analysis->busy_ns[engine] += passed_ns;
			busy++;
		}
		analysis->idle_ns -= busy > 0 ? passed_ns : 0;
		analysis->overlapped_ns += busy > 1 ? passed_ns : 0;
		under_way[changes[i].engine] += changes[i].step;
	}
}

void headline_measure(struct analysis *analysis, const struct trace *trace)
{
	struct change *changes = memory_array(trace->operation_count * 2, sizeof(*changes));

	if (trace->window_count)
		measure_windows(analysis, trace);
	else
		measure_wall(analysis, trace);
	analysis->idle_ns = analysis->wall_ns;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		add_changes(changes + 2 * i, operation,
			    trace_recorded_ns(trace, operation->start_ns),
			    trace_recorded_ns(trace, operation->end_ns));
	}
	sweep(analysis, changes, trace->operation_count * 2);
	free(changes);
}

/* As often as the window counts. */
static void add_window(struct analysis *analysis, struct change *changes, size_t count,
		       double weight)
{
	struct analysis one = {0};

	sweep(&one, changes, count);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		analysis->busy_ns[engine] += llround(weight * (double)one.busy_ns[engine]);
	analysis->overlapped_ns += llround(weight * (double)one.overlapped_ns);
	analysis->idle_ns = max_ns(0, analysis->idle_ns + llround(weight * (double)one.idle_ns));
}

/* By window: a sample's operations that count. */
static void measure_sample(struct analysis *analysis, const struct trace *trace,
			   const struct span *operations)
{
	VECTOR(struct change) *windows = memory_array(trace->window_count, sizeof(*windows));

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		uint32_t call = operation->call ? (uint32_t)(operation->call - trace->calls) : 0;
		size_t window = trace_window_with(trace, call);

		if (!operation->call || trace_weight_of_call(trace, call) <= 0)
			continue;
		for (size_t k = 0; k < 2; k++)
			*vector_add(&windows[window]) = (struct change){0};
		add_changes(&windows[window].items[windows[window].count - 2], operation,
			    operations[i].start_ns, operations[i].end_ns);
	}
	for (size_t i = 0; i < trace->window_count; i++) {
		add_window(analysis, windows[i].items, windows[i].count, trace->windows[i].weight);
		vector_free(&windows[i]);
	}
	free(windows);
}

void headline_measure_spans(struct analysis *analysis, const struct trace *trace,
			    const struct span *operations, int64_t wall_ns)
{
	struct change *changes;

	analysis->wall_ns = wall_ns;
	analysis->idle_ns = wall_ns;
	if (trace->is_sample) {
		measure_sample(analysis, trace, operations);
		return;
	}
	changes = memory_array(trace->operation_count * 2, sizeof(*changes));
	for (size_t i = 0; i < trace->operation_count; i++)
		add_changes(changes + 2 * i, &trace->operations[i], operations[i].start_ns,
			    operations[i].end_ns);
	sweep(analysis, changes, trace->operation_count * 2);
	free(changes);
}

struct device_load headline_load(const struct headline_span *spans, size_t count, int64_t wall_ns)
{
	struct change *changes = memory_array(count * 2, sizeof(*changes));
	struct analysis one = {.idle_ns = wall_ns};
	struct device_load load;

	for (size_t i = 0; i < count; i++) {
		changes[2 * i] = (struct change){spans[i].span.start_ns, (int)spans[i].engine, 1};
		changes[2 * i + 1] =
			(struct change){spans[i].span.end_ns, (int)spans[i].engine, -1};
	}
	sweep(&one, changes, count * 2);
	free(changes);
	load = (struct device_load){.idle_ns = one.idle_ns, .overlapped_ns = one.overlapped_ns};
	memcpy(load.busy_ns, one.busy_ns, sizeof(load.busy_ns));
	return load;
}
