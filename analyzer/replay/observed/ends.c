#include "replay/observed/ends.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/sort.h"

#include <stdlib.h>

uint32_t *ends_sort(const struct trace *trace)
{
	uint32_t *by_end = memory_array(trace->operation_count, sizeof(*by_end));
	struct sort_key *keys = memory_array(trace->operation_count, sizeof(*keys));

	for (size_t i = 0; i < trace->operation_count; i++)
		keys[i] = (struct sort_key){sort_signed(trace->operations[i].end_ns), (uint32_t)i};
	sort_by_key_once(keys, trace->operation_count);
	for (size_t i = 0; i < trace->operation_count; i++)
		by_end[i] = keys[i].index;
	free(keys);
	return by_end;
}

const struct trace_operation *ends_last_by(const struct trace *trace, const uint32_t *by_end,
					   int64_t time_ns)
{
	size_t low =
		search(trace->operation_count, i, trace->operations[by_end[i]].end_ns <= time_ns);

	return low ? &trace->operations[by_end[low - 1]] : NULL;
}
