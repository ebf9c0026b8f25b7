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

/* A launch of a graph whose branches ran in several streams: CUDA enqueues them at one time. */
struct branched_launch {
	int64_t time_ns;	  /* no earlier than any of its operations was enqueued */
	int64_t start_ns, end_ns; /* of the first of its operations, and of the last one */
};

struct enqueueing {
	const struct trace *trace;
	int64_t *times; /* by index in trace.operations */
	VECTOR(struct branched_launch) launches;
	struct map launch_of; /* by index in trace.calls */
};

static struct branched_launch *launch_of(const struct enqueueing *enqueueing,
					 const struct trace_call *call)
{
	const size_t launch = enqueueing->launches.count && call
				      ? map_find(&enqueueing->launch_of,
						 (size_t)(call - enqueueing->trace->calls))
				      : MAP_NONE;

	return launch == MAP_NONE ? NULL : &enqueueing->launches.items[launch];
}

static void find_launches(struct enqueueing *enqueueing)
{
	const struct trace *trace = enqueueing->trace;

	for (size_t i = 0; i < trace->event_wait_count; i++)
		if (trace_is_graph_wait(&trace->event_waits[i]) &&
		    map_add(&enqueueing->launch_of,
			    (size_t)(trace->event_waits[i].waiting - trace->calls),
			    enqueueing->launches.count))
			*vector_add(&enqueueing->launches) =
				(struct branched_launch){INT64_MIN, INT64_MAX, INT64_MIN};
	for (size_t i = 0; enqueueing->launches.count && i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		struct branched_launch *launch = launch_of(enqueueing, operation->call);

		if (!launch)
			continue;
		launch->start_ns = min_ns(launch->start_ns, operation->start_ns);
		launch->end_ns = max_ns(launch->end_ns, operation->end_ns);
	}
}

/* If threads launch into one stream at once, their calls overlap, and the order of the calls' starts proves
 * nothing; but a stream runs first what was enqueued first. So an operation was enqueued no earlier than what
 * its stream ran before it, and no later than its call's return. */
static void pass_streams(struct enqueueing *enqueueing)
{
	const struct trace *trace = enqueueing->trace;
	int64_t *last = memory_array(trace->stream_count, sizeof(*last));

	for (size_t i = 0; i < trace->stream_count; i++)
		last[i] = INT64_MIN;
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		const struct branched_launch *launch = launch_of(enqueueing, operation->call);
		int64_t *before = &last[operation->form->stream - trace->streams];
		int64_t time_ns = model_enqueue_ns(operation);

		if (launch)
			time_ns = max_ns(time_ns, launch->time_ns);
		if (operation->call)
			*before = time_ns =
				max_ns(time_ns, min_ns(*before, operation->call->end_ns));
		enqueueing->times[i] = time_ns;
	}
	free(last);
}

static void unite_launches(struct enqueueing *enqueueing)
{
	const struct trace *trace = enqueueing->trace;

	for (size_t i = 0; i < trace->operation_count; i++) {
		struct branched_launch *launch = launch_of(enqueueing, trace->operations[i].call);

		if (launch)
			launch->time_ns = max_ns(launch->time_ns, enqueueing->times[i]);
	}
}

/* When each operation was enqueued. */
static struct enqueueing find_enqueued(const struct trace *trace)
{
	struct enqueueing enqueueing = {
		.trace = trace,
		.times = memory_array(trace->operation_count, sizeof(*enqueueing.times))};

	find_launches(&enqueueing);
	pass_streams(&enqueueing);
	if (!enqueueing.launches.count)
		return enqueueing;
	/* What came behind an operation of a launch comes behind all of them. */
	unite_launches(&enqueueing);
	pass_streams(&enqueueing);
	unite_launches(&enqueueing);
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct branched_launch *launch =
			launch_of(&enqueueing, trace->operations[i].call);

		if (launch)
			enqueueing.times[i] = launch->time_ns;
	}
	return enqueueing;
}

static void free_enqueued(struct enqueueing *enqueueing)
{
	free(enqueueing->times);
	vector_free(&enqueueing->launches);
	map_free(&enqueueing->launch_of);
}

/* The number of all steps: operations, a record and a wait for each event wait, host functions. */
static size_t count_items(const struct trace *trace)
{
	return trace->operation_count + 2 * trace->event_wait_count + trace->host_function_count;
}

/* Without its times. */
static struct model_step step_of(const struct trace *trace, size_t item)
{
	size_t waits = trace->operation_count;
	size_t functions = waits + 2 * trace->event_wait_count;

	if (item < waits)
		return (struct model_step){.kind = STEP_OPERATION, .index = (uint32_t)item};
	if (item < functions)
		return (struct model_step){.kind = (item - waits) % 2 ? STEP_WAIT : STEP_RECORD,
					   .index = (uint32_t)((item - waits) / 2)};
	return (struct model_step){.kind = STEP_HOST_FUNCTION,
				   .index = (uint32_t)(item - functions)};
}

/* Of what is enqueued at one time: operations as they started. A graph's record comes behind the operation before
 * it, or before its launch, and its wait before the operation behind it, or behind its launch. */
static int64_t tie_of(const struct enqueueing *enqueueing, const struct model_step *step)
{
	const struct trace *trace = enqueueing->trace;
	const struct trace_event_wait *wait;
	const struct branched_launch *launch;

	if (step->kind == STEP_OPERATION)
		return trace->operations[step->index].start_ns;
	if (step->kind == STEP_HOST_FUNCTION)
		return trace->host_functions[step->index].start_ns;
	wait = &trace->event_waits[step->index];
	if (!trace_is_graph_wait(wait))
		return INT64_MIN;
	launch = launch_of(enqueueing, wait->waiting);
	if (step->kind == STEP_WAIT)
		return wait->behind ? trace->operations[wait->behind - 1].start_ns : launch->end_ns;
	if (!wait->before)
		return launch->start_ns;
	return max_ns(trace->operations[wait->before - 1].end_ns,
		      trace->operations[wait->before - 1].start_ns + 1);
}

/* Sorts the items by time and returns how many there are, without host functions of unknown
 * stream. */
static size_t sort_items(const struct enqueueing *enqueueing, struct sort_key *keys)
{
	const struct trace *trace = enqueueing->trace;
	size_t n = 0, functions = trace->operation_count + 2 * trace->event_wait_count;

	for (; n < trace->operation_count; n++)
		keys[n] = (struct sort_key){sort_signed(enqueueing->times[n]), (uint32_t)n};
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		const struct trace_event_wait *wait = &trace->event_waits[i];
		const bool is_of_graph = trace_is_graph_wait(wait);
		const int64_t launch_ns =
			is_of_graph ? launch_of(enqueueing, wait->waiting)->time_ns : 0;

		keys[n] = (struct sort_key){sort_signed(is_of_graph ? launch_ns : wait->record_ns),
					    (uint32_t)n};
		keys[n + 1] = (struct sort_key){
			sort_signed(is_of_graph ? launch_ns : wait->wait_ns), (uint32_t)(n + 1)};
		n += 2;
	}
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
	struct enqueueing enqueueing = find_enqueued(trace);
	struct model_step *steps;

	*count = sort_items(&enqueueing, keys);
	steps = memory_array(*count, sizeof(*steps));
	for (size_t i = 0; i < *count; i++) {
		steps[i] = step_of(trace, keys[i].index);
		steps[i].time_ns = sort_number(keys[i].key);
		steps[i].tie_ns = tie_of(&enqueueing, &steps[i]);
	}
	free(keys);
	free_enqueued(&enqueueing);
	sort_ties(steps, *count);
	return steps;
}
