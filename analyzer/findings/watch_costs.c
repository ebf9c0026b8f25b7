#include "findings/watch_costs.h"

#include <string.h>

static int64_t spent_ns(const struct trace *trace, enum overhead_kind kind)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < trace->overhead_count; i++)
		if (trace->overheads[i].kind == kind)
			sum_ns += trace->overheads[i].end_ns - trace->overheads[i].start_ns;
	return sum_ns;
}

static bool was_on(const struct trace *trace, const char *key)
{
	const char *state = trace_metadata(trace, key);

	return state && strcmp(state, "on") == 0;
}

size_t watch_costs_find(const struct trace *trace, struct watch_cost costs[WATCH_COSTS])
{
	size_t count = 0;

	if (was_on(trace, "first_use") || trace->first_use_count)
		costs[count++] = (struct watch_cost){"first-use", trace->first_use_count,
						     spent_ns(trace, OVERHEAD_FIRST_USE)};
	if (was_on(trace, "races") || trace->copy_watch_count)
		costs[count++] = (struct watch_cost){"races", trace->copy_watch_count,
						     spent_ns(trace, OVERHEAD_RACES)};
	return count;
}
