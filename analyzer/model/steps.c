/* What happened on the host's side, in the order in which the device was to see it. */
#include "model/model.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"

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

/* When the operations were enqueued, by index in trace.operations. Threads that launch into one
 * stream at the same time are inside their calls together, and the order of the calls' starts says
 * nothing; but a stream runs first what was enqueued first. So an operation was enqueued no earlier
 * than what its stream ran before it, and no later than its call returned. */
static int64_t *enqueue_times(const struct trace *trace)
{
	int64_t *times = memory_array(trace->operation_count, sizeof(*times));
	int64_t *last = memory_array(trace->stream_count, sizeof(*last));

	for (size_t i = 0; i < trace->stream_count; i++)
		last[i] = INT64_MIN;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		int64_t *before = &last[operation->form->stream - trace->streams];

		times[i] = model_enqueue_ns(operation);
		if (!operation->call)
			continue;
		times[i] = max_ns(times[i], min_ns(*before, operation->call->end_ns));
		*before = times[i];
	}
	free(last);
	return times;
}

static void sort_steps(struct model_step *steps, size_t count)
{
	struct sort_key *keys = memory_array(count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = (struct sort_key){sort_signed(steps[i].time_ns), (uint32_t)i};
	sort_by_key_once(keys, count);
	sort_elements(steps, sizeof(*steps), keys, count);
	free(keys);
	/* Of one time there are few. */
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count && steps[next].time_ns == steps[first].time_ns;)
			next++;
		if (next - first > 1)
			qsort(steps + first, next - first, sizeof(*steps), compare_steps);
	}
}

struct model_step *model_steps(const struct trace *trace, size_t *count)
{
	struct model_step *steps = memory_array(
		trace->operation_count + 2 * trace->event_wait_count + trace->host_function_count,
		sizeof(*steps));
	int64_t *enqueued = enqueue_times(trace);
	size_t n = 0;

	for (size_t i = 0; i < trace->operation_count; i++)
		steps[n++] = (struct model_step){enqueued[i], trace->operations[i].start_ns,
						 STEP_OPERATION, (uint32_t)i};
	free(enqueued);
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
	sort_steps(steps, n);
	*count = n;
	return steps;
}
