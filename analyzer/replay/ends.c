#include "replay/ends.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare_ends(const void *a, const void *b, void *context)
{
	const struct trace *trace = context;
	int64_t x = trace->operations[*(const uint32_t *)a].end_ns;
	int64_t y = trace->operations[*(const uint32_t *)b].end_ns;

	return (x > y) - (x < y);
}

uint32_t *ends_sort(const struct trace *trace)
{
	uint32_t *by_end = memory_array(trace->operation_count, sizeof(*by_end));

	for (size_t i = 0; i < trace->operation_count; i++)
		by_end[i] = (uint32_t)i;
	qsort_r(by_end, trace->operation_count, sizeof(*by_end), compare_ends, (void *)trace);
	return by_end;
}

const struct trace_operation *ends_last_by(const struct trace *trace, const uint32_t *by_end,
					   int64_t time_ns)
{
	size_t low = 0, high = trace->operation_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->operations[by_end[middle]].end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &trace->operations[by_end[low - 1]] : NULL;
}
