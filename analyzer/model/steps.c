/* What happened on the host's side, in the order in which the device was to see it. */
#include "model/model.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare_steps(const void *a, const void *b)
{
	const struct model_step *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->tie_ns != y->tie_ns)
		return x->tie_ns < y->tie_ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

struct model_step *model_steps(const struct trace *trace, size_t *count)
{
	struct model_step *steps = memory_array(
		trace->operation_count + 2 * trace->event_wait_count + trace->host_function_count,
		sizeof(*steps));
	size_t n = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		steps[n++] = (struct model_step){model_enqueue_ns(operation), operation->start_ns,
						 STEP_OPERATION, (uint32_t)i};
	}
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		const struct trace_event_wait *wait = &trace->event_waits[i];

		steps[n++] =
			(struct model_step){wait->record_ns, INT64_MIN, STEP_RECORD, (uint32_t)i};
		steps[n++] = (struct model_step){wait->wait_ns, INT64_MIN, STEP_WAIT, (uint32_t)i};
	}
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (trace->host_functions[i].stream)
			steps[n++] = (struct model_step){trace->host_functions[i].call->start_ns,
							 trace->host_functions[i].start_ns,
							 STEP_HOST_FUNCTION, (uint32_t)i};
	qsort(steps, n, sizeof(*steps), compare_steps);
	*count = n;
	return steps;
}
