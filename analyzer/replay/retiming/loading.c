#include "replay/retiming/loading.h"

#include "base/memory.h"

#include <stdlib.h>

void loading_move(struct trace *trace, const struct trace *before, const uint32_t *new_calls)
{
	uint32_t *calls = trace_loading_calls(before);
	size_t count = 0;

	trace->overheads = memory_array(before->overhead_count, sizeof(*trace->overheads));
	for (size_t i = 0; i < before->overhead_count; i++) {
		struct trace_overhead overhead = before->overheads[i];
		const struct trace_call *now;
		int64_t later_ns;

		if (!overhead.is_loading || calls[i] == TRACE_NO_CALL)
			continue;
		now = &trace->calls[new_calls[calls[i]]];
		later_ns = now->start_ns - before->calls[calls[i]].start_ns;
		overhead.start_ns += later_ns;
		overhead.end_ns += later_ns;
		if (overhead.end_ns <= now->end_ns)
			trace->overheads[count++] = overhead;
	}
	trace->overhead_count = count;
	free(calls);
}
