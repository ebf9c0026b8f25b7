/* What happened on the host's side, in the order in which the device was to see it. */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/sort.h"
#include "model/model.h"

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

/* When each operation was enqueued, by index in trace.operations. If threads launch into one stream
 * at once, their calls overlap, and the order of the calls' starts proves nothing; but a stream
 * runs first what was enqueued first. So an operation was enqueued no earlier than what its stream
 * ran before it, and no later than its call's return. */
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

/* The number of all steps: operations, a record and a wait for each event wait, host functions. */
static size_t count_items(const struct trace *trace)
{
	return trace->operation_count + 2 * trace->event_wait_count + trace->host_function_count;
}

/* Of a graph's wait: behind the end of what is before the record, and before what is behind the wait. */
static int64_t tie_of_wait(const struct trace *trace, const struct trace_event_wait *wait,
			   enum model_step_kind kind)
{
	if (!trace_is_graph_wait(wait) || (kind == STEP_RECORD && !wait->before))
		return INT64_MIN;
	if (kind == STEP_RECORD)
		return trace->operations[wait->before - 1].end_ns;
	return wait->behind ? trace->operations[wait->behind - 1].start_ns : INT64_MAX;
}

/* Without its time. */
static struct model_step step_of(const struct trace *trace, size_t item)
{
	size_t waits = trace->operation_count;
	size_t functions = waits + 2 * trace->event_wait_count;
	enum model_step_kind of_wait = (item - waits) % 2 ? STEP_WAIT : STEP_RECORD;
	uint32_t wait = (uint32_t)((item - waits) / 2);

	if (item < waits)
		return (struct model_step){.tie_ns = trace->operations[item].start_ns,
					   .kind = STEP_OPERATION,
					   .index = (uint32_t)item};
	if (item < functions)
		return (struct model_step){
			.tie_ns = tie_of_wait(trace, &trace->event_waits[wait], of_wait),
			.kind = of_wait,
			.index = wait};
	return (struct model_step){.tie_ns = trace->host_functions[item - functions].start_ns,
				   .kind = STEP_HOST_FUNCTION,
				   .index = (uint32_t)(item - functions)};
}

/* When the event is recorded and waited for: in a graph as its operations are enqueued. */
static void wait_times(const struct trace_event_wait *wait, const int64_t *enqueued,
		       int64_t *record_ns, int64_t *wait_ns)
{
	const int64_t before_ns = wait->before ? enqueued[wait->before - 1] : wait->record_ns;

	*record_ns = before_ns;
	*wait_ns = wait->wait_ns;
	if (trace_is_graph_wait(wait))
		*wait_ns = max_ns(before_ns,
				  wait->behind ? enqueued[wait->behind - 1] : wait->wait_ns);
}

/* Sorts the items by time and returns how many there are, without host functions of unknown
 * stream. */
static size_t sort_items(const struct trace *trace, struct sort_key *keys)
{
	int64_t *enqueued = enqueue_times(trace);
	size_t n = 0, functions = trace->operation_count + 2 * trace->event_wait_count;

	for (; n < trace->operation_count; n++)
		keys[n] = (struct sort_key){sort_signed(enqueued[n]), (uint32_t)n};
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		int64_t record_ns, wait_ns;

		wait_times(&trace->event_waits[i], enqueued, &record_ns, &wait_ns);
		keys[n] = (struct sort_key){sort_signed(record_ns), (uint32_t)n};
		keys[n + 1] = (struct sort_key){sort_signed(wait_ns), (uint32_t)(n + 1)};
		n += 2;
	}
	free(enqueued);
	for (size_t i = 0; i < trace->host_function_count; i++)
		if (trace->host_functions[i].stream)
			keys[n++] = (struct sort_key){
				sort_signed(trace->host_functions[i].call->start_ns),
				(uint32_t)(functions + i)};
	sort_by_key_once(keys, n);
	return n;
}

/* Of one time there are few. */
static void sort_ties(struct model_step *steps, size_t count)
{
	for (size_t first = 0, next; first < count; first = next) {
		for (next = first + 1; next < count && steps[next].time_ns == steps[first].time_ns;)
			next++;
		if (next - first > 1)
			qsort(steps + first, next - first, sizeof(*steps), compare_steps);
	}
}

struct model_step *model_steps(const struct trace *trace, size_t *count)
{
	struct sort_key *keys = memory_array(count_items(trace), sizeof(*keys));
	struct model_step *steps;

	*count = sort_items(trace, keys);
	steps = memory_array(*count, sizeof(*steps));
	for (size_t i = 0; i < *count; i++) {
		steps[i] = step_of(trace, keys[i].index);
		steps[i].time_ns = sort_number(keys[i].key);
	}
	free(keys);
	sort_ties(steps, *count);
	return steps;
}
