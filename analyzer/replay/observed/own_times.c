/* What calls take by themselves. */
#include "base/median.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "replay/observed/timeline_private.h"

#include <stdlib.h>

/* By function: the middle of what its calls take that waited for nothing; -1 where all waited. */
static int64_t *measure_baselines(const struct timeline *timeline, const bool *has_waited)
{
	const struct trace *trace = timeline->model->trace;
	int64_t *baselines = memory_array(trace->function_count, sizeof(*baselines));
	int64_t *times = memory_array(trace->call_count, sizeof(*times));

	/* One pass a function: there are some tens. */
	for (size_t function = 0; function < trace->function_count; function++) {
		size_t count = 0;

		for (size_t i = 0; i < trace->call_count; i++)
			if (trace->calls[i].form->function == &trace->functions[function] &&
			    !has_waited[i])
				times[count++] = trace->calls[i].end_ns - trace->calls[i].start_ns;
		baselines[function] = count ? median_ns(times, count) : -1;
	}
	free(times);
	return baselines;
}

/* The own time of a call that waited: that of similar calls, otherwise that of a call that enqueues
 * something. */
static int64_t own_time(const struct timeline *timeline, const struct trace_call *call)
{
	const struct trace *trace = timeline->model->trace;
	const int64_t *baselines = timeline->baselines_ns;
	int64_t baseline_ns = baselines[call->form->function - trace->functions];

	for (size_t i = 0; baseline_ns < 0 && i < trace->function_count; i++)
		if (trace->functions[i].class == CLASS_LAUNCH)
			baseline_ns = baselines[i];
	if (baseline_ns < 0)
		baseline_ns = 0;
	return min_ns(baseline_ns, call->end_ns - call->start_ns);
}

void timeline_find_own_times(struct timeline *timeline, const bool *has_waited)
{
	const struct trace *trace = timeline->model->trace;

	timeline->baselines_ns = measure_baselines(timeline, has_waited);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		timeline->calls[i].own_ns =
			has_waited[i] ? own_time(timeline, call) : call->end_ns - call->start_ns;
	}
}

static bool is_staged(const struct timeline *timeline, uint32_t operation)
{
	return !timeline_is_function(timeline, operation) &&
	       rates_is_staged(timeline->model->operations[operation].operation);
}

/* The median of calls that wait for no staged copy: those return when the last of it is staged. */
void timeline_find_return_lag(struct timeline *timeline)
{
	int64_t *times = memory_array(timeline->wait_count, sizeof(*times));
	size_t count = 0;

	for (size_t i = 0; i < timeline->wait_count; i++)
		if (timeline->waits[i].lag_ns > 0 &&
		    !is_staged(timeline, timeline->waits[i].operation))
			times[count++] = timeline->waits[i].lag_ns;
	timeline->return_lag_ns = median_ns(times, count);
	free(times);
}
