#include "findings/headline.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* An engine gets one operation more or less. */
struct change {
	int64_t time_ns;
	int engine, step;
};

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

/* idle_ns must be the whole time. */
static void sweep(struct analysis *analysis, const struct change *changes, size_t count)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));
	int under_way[ENGINE_COUNT] = {0};
	int64_t before_ns = 0;

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){sort_signed(changes[i].time_ns), (uint32_t)i};
	sort_by_key_once(keys, count);
	for (size_t i = 0; i < count; i++) {
		const struct change *change = &changes[keys[i].index];
		int64_t passed_ns = i ? change->time_ns - before_ns : 0;
		int busy = 0;

		for (int engine = 0; engine < ENGINE_COUNT; engine++) {
			if (under_way[engine] <= 0)
				continue;
			analysis->busy_ns[engine] += passed_ns;
			busy++;
		}
		analysis->idle_ns -= busy > 0 ? passed_ns : 0;
		analysis->overlapped_ns += busy > 1 ? passed_ns : 0;
		under_way[change->engine] += change->step;
		before_ns = change->time_ns;
	}
	free(keys);
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

void headline_measure_spans(struct analysis *analysis, const struct trace *trace,
			    const struct span *operations, int64_t wall_ns)
{
	struct change *changes = memory_array(trace->operation_count * 2, sizeof(*changes));

	analysis->wall_ns = wall_ns;
	analysis->idle_ns = wall_ns;
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
