#include "detectors/copies/call_order.h"

#include "base/memory.h"

struct sort_key *call_order_of(const struct trace *trace)
{
	struct sort_key *keys = memory_array(trace->operation_count, sizeof(*keys));
	size_t begun = 0; /* calls */

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		while (begun < trace->call_count &&
		       trace->calls[begun].start_ns <= operation->start_ns)
			begun++;
		keys[i] = (struct sort_key){
			operation->call ? (uint64_t)(operation->call - trace->calls) + 1 : begun,
			(uint32_t)i};
	}
	sort_by_key_once(keys, trace->operation_count);
	return keys;
}
