#include "replay/retiming/allocation_times.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <string.h>

void allocation_times_move(struct trace *trace, const struct trace *before,
			   const uint32_t *new_calls)
{
	struct trace_allocation *moved = memory_array(before->allocation_count, sizeof(*moved));
	int64_t last_ns = INT64_MIN;
	size_t call = 0; /* the first that had not begun */

	for (size_t i = 0; i < before->allocation_count; i++) {
		moved[i] = before->allocations[i];
		while (call < before->call_count &&
		       before->calls[call].start_ns <= moved[i].time_ns)
			call++;
		if (call)
			moved[i].time_ns += trace->calls[new_calls[call - 1]].start_ns -
					    before->calls[call - 1].start_ns;
		if (call < before->call_count)
			moved[i].time_ns =
				min_ns(moved[i].time_ns, trace->calls[new_calls[call]].start_ns);
		moved[i].time_ns = last_ns = max_ns(moved[i].time_ns, last_ns);
	}
	trace->allocations = moved;
}
