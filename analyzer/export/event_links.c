#include "export/event_links.h"

#include "base/memory.h"

uint32_t *event_links_of(const struct trace *trace)
{
	uint32_t *links = memory_array(trace->call_count, sizeof(*links));
	struct map records = {0}; /* an event's handle to the last call that recorded it */

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];
		enum function_class class = call->form->function->class;
		size_t record = MAP_NONE;

		if (class == CLASS_EVENT_RECORD && !call->form->result)
			map_set(&records, call->form->object, i);
		else if (class == CLASS_EVENT_SYNC || class == CLASS_STREAM_WAIT_EVENT)
			record = map_find(&records, call->form->object);
		links[i] = record == MAP_NONE ? NO_RECORD : (uint32_t)record;
	}
	map_free(&records);
	/* Where CUPTI's records say it they count: handles are reused. */
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		const struct trace_event_wait *wait = &trace->event_waits[i];

		if (wait->waiting && wait->recording && !trace_is_graph_wait(wait))
			links[wait->waiting - trace->calls] =
				(uint32_t)(wait->recording - trace->calls);
	}
	return links;
}
