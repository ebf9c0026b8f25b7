#include "findings/headline.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static void measure_wall(struct headline *headline, const struct trace *trace)
{
	int64_t first_ns = INT64_MAX, last_ns = INT64_MIN, operation_ns = INT64_MIN;

	for (size_t i = 0; i < trace->call_count; i++) {
		if (trace->calls[i].start_ns < first_ns)
			first_ns = trace->calls[i].start_ns;
		if (trace->calls[i].end_ns > last_ns)
			last_ns = trace->calls[i].end_ns;
	}
	headline->lead_ns = trace->operation_count && trace->operations[0].start_ns > first_ns
				    ? trace->operations[0].start_ns - first_ns
				    : 0;
	for (size_t i = 0; i < trace->operation_count; i++) {
		first_ns = min_ns(first_ns, trace->operations[i].start_ns);
		operation_ns = max_ns(operation_ns, trace->operations[i].end_ns);
	}
	headline->tail_ns =
		trace->operation_count && last_ns > operation_ns ? last_ns - operation_ns : 0;
	last_ns = max_ns(last_ns, operation_ns);
	if (first_ns > last_ns)
		return;
	headline->origin_ns = first_ns;
	headline->wall_ns = last_ns - first_ns;
}

/* Windows count whole: that nothing happened at their ends is a part of what was recorded. */
static void measure_windows(struct headline *headline, const struct trace *trace)
{
	const struct trace_window *last = &trace->windows[trace->window_count - 1];

	headline->origin_ns = trace->windows[0].start_ns;
	headline->wall_ns = trace_recorded_ns(trace, last->end_ns);
}

struct headline_sweep headline_begin(int64_t wall_ns)
{
	struct headline_sweep sweep = {.load.idle_ns = wall_ns, .now_ns = INT64_MIN};

	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		sweep.until_ns[engine] = INT64_MIN;
	return sweep;
}

/* Until the next engine is no longer busy, or to that time. */
static void step_until(struct headline_sweep *sweep, int64_t time_ns)
{
	int64_t next_ns = time_ns, passed_ns;
	int busy = 0;

	for (int engine = 0; engine < ENGINE_COUNT; engine++) {
		if (sweep->until_ns[engine] <= sweep->now_ns)
			continue;
		next_ns = min_ns(next_ns, sweep->until_ns[engine]);
		busy++;
	}
	passed_ns = busy ? next_ns - sweep->now_ns : 0;
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		if (sweep->until_ns[engine] > sweep->now_ns)
			sweep->load.busy_ns[engine] += passed_ns;
	sweep->load.idle_ns -= passed_ns;
	sweep->load.overlapped_ns += busy > 1 ? passed_ns : 0;
	sweep->now_ns = next_ns;
}

void headline_add(struct headline_sweep *sweep, enum engine engine, int64_t start_ns,
		  int64_t end_ns)
{
	while (sweep->now_ns < start_ns)
		step_until(sweep, start_ns);
	sweep->until_ns[engine] = max_ns(sweep->until_ns[engine], end_ns);
}

struct device_load headline_end(struct headline_sweep *sweep)
{
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		while (sweep->now_ns < sweep->until_ns[engine])
			step_until(sweep, sweep->until_ns[engine]);
	return sweep->load;
}

static void keep_load(struct headline *headline, struct device_load load)
{
	memcpy(headline->busy_ns, load.busy_ns, sizeof(load.busy_ns));
	headline->idle_ns = load.idle_ns;
	headline->overlapped_ns = load.overlapped_ns;
}

/* All but the load. */
static struct headline measure_times(const struct trace *trace)
{
	struct headline headline = {0};

	if (trace->window_count)
		measure_windows(&headline, trace);
	else
		measure_wall(&headline, trace);
	return headline;
}

int64_t headline_origin_ns(const struct trace *trace)
{
	return measure_times(trace).origin_ns;
}

struct headline headline_measure(const struct trace *trace)
{
	struct headline headline = measure_times(trace);
	struct headline_sweep sweep;

	sweep = headline_begin(headline.wall_ns);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		headline_add(&sweep, operation->form->engine,
			     trace_recorded_ns(trace, operation->start_ns),
			     trace_recorded_ns(trace, operation->end_ns));
	}
	keep_load(&headline, headline_end(&sweep));
	return headline;
}

/* The operations by their starts in another timeline; freed with free(). */
static struct sort_key *sort_starts(const struct trace *trace, const struct span *operations)
{
	struct sort_key *keys = memory_array(trace->operation_count, sizeof(*keys));

	for (size_t i = 0; i < trace->operation_count; i++)
		keys[i] = (struct sort_key){sort_signed(operations[i].start_ns), (uint32_t)i};
	sort_by_key_once(keys, trace->operation_count);
	return keys;
}

/* As often as the window counts. Its idle time is what its busy time takes away. */
static void add_window(struct device_load *all, const struct device_load *one,
		       const struct trace *trace, size_t window)
{
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		all->busy_ns[engine] =
			trace_weigh_more(trace, window, all->busy_ns[engine], one->busy_ns[engine]);
	all->overlapped_ns =
		trace_weigh_more(trace, window, all->overlapped_ns, one->overlapped_ns);
	all->idle_ns = max_ns(0, all->idle_ns - trace_weigh_more(trace, window, 0, -one->idle_ns));
}

struct headline headline_measure_spans(const struct trace *trace, const struct span *operations,
				       int64_t wall_ns)
{
	struct headline headline = {.wall_ns = wall_ns};
	struct sort_key *keys = sort_starts(trace, operations);
	size_t windows = trace->is_sample ? trace->window_count : 1;
	struct headline_sweep *sweeps = memory_array(windows, sizeof(*sweeps));
	struct device_load all = {.idle_ns = wall_ns};

	for (size_t i = 0; i < windows; i++)
		sweeps[i] = headline_begin(0);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[keys[i].index];
		const struct span *span = &operations[keys[i].index];
		size_t window = trace_window_of(trace, operation);

		if (window != SIZE_MAX)
			headline_add(&sweeps[window], operation->form->engine, span->start_ns,
				     span->end_ns);
	}
	for (size_t i = 0; i < windows; i++) {
		struct device_load one = headline_end(&sweeps[i]);

		add_window(&all, &one, trace, i);
	}
	free(sweeps);
	free(keys);
	keep_load(&headline, all);
	return headline;
}
