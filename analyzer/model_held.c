/* What kept an operation from starting: its engine, its stream, the barrier. */
#include "model_private.h"

#include "memory.h"

#include <stdlib.h>

size_t model_device(const struct model *model, uint32_t device_id)
{
	size_t i = 0;

	while (i < model->device_count && model->device_ids[i] != device_id)
		i++;
	return i;
}

static void note_devices(struct model *model)
{
	const struct trace *trace = model->trace;
	size_t capacity = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		size_t device = model_device(model, trace->operations[i].device_id);

		if (device < model->device_count)
			continue;
		model->device_ids = memory_grow(model->device_ids, device, &capacity,
						sizeof(*model->device_ids));
		model->device_ids[model->device_count++] = trace->operations[i].device_id;
	}
}

/* The trace's operations are in the order of their starts. */
void model_note_engines(struct model *model)
{
	const struct trace *trace = model->trace;
	int64_t *engine_ns = memory_array(trace->operation_count, sizeof(*engine_ns));
	int64_t(*until)[ENGINE_COUNT];

	note_devices(model);
	until = memory_array(model->device_count, sizeof(*until));
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		int64_t *busy =
			&until[model_device(model, operation->device_id)][operation->engine];

		engine_ns[i] = *busy;
		if (operation->end_ns > *busy)
			*busy = operation->end_ns;
	}
	for (size_t i = 0; i < model->operation_count; i++)
		model->operations[i].engine_ns =
			engine_ns[model->operations[i].operation - trace->operations];
	free(until);
	free(engine_ns);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The nodes of a graph launch are ordered by their graph: no stream held them. What starts before
 * the other one ends was not held by it either: two threads' calls at once can have reached the
 * device in the other order. */
static struct span held(const struct model_operation *operation, int64_t otherwise_ns,
			const struct model_hold *hold)
{
	const struct trace_call *call = operation->operation->call;
	int64_t start_ns =
		later(later(operation->enqueue_ns, operation->data_ns),
		      later(later(operation->engine_ns, operation->event_ns), otherwise_ns));

	if (!call || call->function->class == CLASS_GRAPH_LAUNCH || hold->until_ns <= start_ns ||
	    hold->until_ns > operation->operation->start_ns)
		return (struct span){0, 0};
	return (struct span){start_ns, hold->until_ns};
}

struct span model_held_by_stream(const struct model_operation *operation)
{
	return held(operation, operation->barrier.until_ns, &operation->stream);
}

struct span model_held_by_barrier(const struct model_operation *operation)
{
	return held(operation, operation->stream.until_ns, &operation->barrier);
}
