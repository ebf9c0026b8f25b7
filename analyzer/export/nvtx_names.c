#include "export/nvtx_names.h"

#include "base/memory.h"

#include <stdlib.h>

char *export_range_name(const struct trace_range *range)
{
	return memory_format("%s%s%s", range->domain ? range->domain : "", range->domain ? ":" : "",
			     range->name ? range->name : "");
}

static int compare_starts(const void *a, const void *b)
{
	const struct trace_range *const *x = a, *const *y = b;

	if ((*x)->start_ns != (*y)->start_ns)
		return (*x)->start_ns < (*y)->start_ns ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

const struct trace_range **export_ranges_by_start(const struct trace *trace)
{
	const struct trace_range **ranges = memory_array(trace->range_count, sizeof(*ranges));

	for (size_t i = 0; i < trace->range_count; i++)
		ranges[i] = &trace->ranges[i];
	if (trace->range_count)
		qsort(ranges, trace->range_count, sizeof(*ranges), compare_starts);
	return ranges;
}
