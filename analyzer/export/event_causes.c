#include "export/event_causes.h"

#include "base/memory.h"

#include <stdlib.h>

#define NO_OPERATION MODEL_NO_OPERATION

/* Indexes into trace.operations but for `models`, which are into model.operations. */
struct causes {
	const struct model *model;
	uint32_t *events; /* by operation: what was recorded last of the events it waited for */
	uint32_t *models; /* by operation */
	uint32_t *first;  /* by call: its first operation */
	uint32_t *next;	  /* by operation: the next one of its call */
	/* Of graphs: the index of a wait in trace.event_waits plus one, by operation the first and by wait the next
	 * that is before the operation; 0: none. */
	uint32_t *edges, *next_edge;
};

static uint32_t *no_causes(size_t count)
{
	uint32_t *items = memory_array(count, sizeof(*items));

	for (size_t i = 0; i < count; i++)
		items[i] = NO_OPERATION;
	return items;
}

static uint32_t later_to_end(const struct trace *trace, uint32_t a, uint32_t b)
{
	if (a == NO_OPERATION || b == NO_OPERATION)
		return a == NO_OPERATION ? b : a;
	return trace->operations[a].end_ns >= trace->operations[b].end_ns ? a : b;
}

/* One pass in the order of the steps: what a record stands for is the last operation in its stream. */
static void find_events(struct causes *causes)
{
	const struct trace *trace = causes->model->trace;
	uint32_t *last = no_causes(trace->stream_count), *waited = no_causes(trace->stream_count);
	uint32_t *recorded = no_causes(trace->event_wait_count);
	size_t count;
	struct model_step *steps = model_steps(trace, &count);

	for (size_t i = 0; i < count; i++) {
		const struct model_step *step = &steps[i];
		size_t stream;

		switch (step->kind) {
		case STEP_RECORD:
			stream =
				(size_t)(trace->event_waits[step->index].recorder - trace->streams);
			recorded[step->index] = later_to_end(trace, last[stream], waited[stream]);
			break;
		case STEP_WAIT:
			stream = (size_t)(trace->event_waits[step->index].waiter - trace->streams);
			waited[stream] = later_to_end(trace, waited[stream], recorded[step->index]);
			break;
		case STEP_OPERATION:
			stream = (size_t)(trace->operations[step->index].form->stream -
					  trace->streams);
			causes->events[step->index] = waited[stream];
			waited[stream] = NO_OPERATION;
			last[stream] = step->index;
			break;
		case STEP_HOST_FUNCTION:
			break;
		}
	}
	free(steps);
	free(recorded);
	free(waited);
	free(last);
}

static void link_calls(struct causes *causes)
{
	const struct trace *trace = causes->model->trace;

	for (size_t i = trace->operation_count; i-- > 0;) {
		const struct trace_call *call = trace->operations[i].call;

		if (!call)
			continue;
		causes->next[i] = causes->first[call - trace->calls];
		causes->first[call - trace->calls] = (uint32_t)i;
	}
}

static void link_edges(struct causes *causes)
{
	const struct trace *trace = causes->model->trace;

	for (size_t i = trace->event_wait_count; i-- > 0;) {
		const struct trace_event_wait *wait = &trace->event_waits[i];

		if (!wait->before || !wait->behind)
			continue;
		causes->next_edge[i] = causes->edges[wait->behind - 1];
		causes->edges[wait->behind - 1] = (uint32_t)i + 1;
	}
}

struct causes *causes_of(const struct model *model)
{
	const struct trace *trace = model->trace;
	struct causes *causes = memory_array(1, sizeof(*causes));

	causes->model = model;
	causes->events = no_causes(trace->operation_count);
	causes->models = no_causes(trace->operation_count);
	causes->next = no_causes(trace->operation_count);
	causes->first = no_causes(trace->call_count);
	causes->edges = memory_array(trace->operation_count, sizeof(*causes->edges));
	causes->next_edge = memory_array(trace->event_wait_count, sizeof(*causes->next_edge));
	for (size_t i = 0; i < model->operation_count; i++)
		causes->models[model->operations[i].operation - trace->operations] = (uint32_t)i;
	find_events(causes);
	link_calls(causes);
	link_edges(causes);
	return causes;
}

void causes_free(struct causes *causes)
{
	free(causes->events);
	free(causes->models);
	free(causes->next);
	free(causes->first);
	free(causes->edges);
	free(causes->next_edge);
	free(causes);
}

static const struct trace_operation *operation_at(const struct causes *causes, uint32_t index)
{
	return index == NO_OPERATION ? NULL : &causes->model->trace->operations[index];
}

/* One more that the operation waited for; how many there are then. */
static size_t add_cause(const struct trace_operation **found, size_t count,
			const struct trace_operation *cause,
			const struct trace_operation *operation)
{
	if (!cause || cause == operation || cause->end_ns <= model_ready_ns(operation) ||
	    count == CAUSES_MOST)
		return count;
	for (size_t i = 0; i < count; i++)
		if (found[i] == cause)
			return count;
	found[count] = cause;
	return count + 1;
}

size_t causes_find(const struct causes *causes, const struct trace_operation *operation,
		   const struct trace_operation **found)
{
	const struct trace *trace = causes->model->trace;
	const size_t index = (size_t)(operation - trace->operations);
	const struct trace_operation *before;
	const struct model_operation *item;
	size_t count = 0;

	if (causes->models[index] == NO_OPERATION)
		return 0;
	item = &causes->model->operations[causes->models[index]];
	count = add_cause(found, count, operation_at(causes, causes->events[index]), operation);
	count = add_cause(found, count, operation_at(causes, item->barrier), operation);
	before = operation_at(causes, item->stream);
	/* What was before the graph comes before the nodes that its branches begin behind. */
	if (before && (!causes->edges[index] || before->call == operation->call))
		count = add_cause(found, count, before, operation);
	for (uint32_t i = causes->edges[index]; i; i = causes->next_edge[i - 1])
		count = add_cause(found, count,
				  operation_at(causes, trace->event_waits[i - 1].before - 1),
				  operation);
	return count;
}

const struct trace_operation *causes_next_of_call(const struct causes *causes,
						  const struct trace_operation *operation)
{
	return operation_at(causes, causes->next[operation - causes->model->trace->operations]);
}

const struct trace_operation *causes_first_of_call(const struct causes *causes,
						   const struct trace_call *call)
{
	return operation_at(causes, causes->first[call - causes->model->trace->calls]);
}
