/* What kept an operation from starting: its engine, its stream, the barrier. */
#include "model/private.h"

#include "base/memory.h"
#include "base/minmax.h"

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

static struct model_engine *engine_of(const struct model *model,
				      const struct trace_operation *operation)
{
	return &model->engines[model_device(model, operation->device_id) * ENGINE_COUNT +
			       operation->engine];
}

/* The trace's operations are in the order of their starts. */
void model_note_engines(struct model *model)
{
	const struct trace *trace = model->trace;

	note_devices(model);
	model->engines = memory_array(model->device_count * ENGINE_COUNT, sizeof(*model->engines));
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		struct model_engine *engine = engine_of(model, operation);
		struct span *last =
			engine->busy.count ? &engine->busy.items[engine->busy.count - 1] : NULL;

		if (last && operation->start_ns <= last->end_ns) {
			if (operation->end_ns > last->end_ns)
				last->end_ns = operation->end_ns;
			continue;
		}
		*vector_add(&engine->busy) = (struct span){operation->start_ns, operation->end_ns};
	}
}

/* Index of the first busy span that starts at or after the time. */
static size_t busy_from(const struct model_engine *engine, int64_t time_ns)
{
	size_t low = 0, high = engine->busy.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (engine->busy.items[middle].start_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The last time inside the span that the engine was free; empty when it never was. */
static struct span last_free(const struct model_engine *engine, struct span span)
{
	size_t next = busy_from(engine, span.end_ns);
	const struct span *busy = next > 0 ? &engine->busy.items[next - 1] : NULL;

	if (busy && busy->end_ns < span.end_ns) {
		span.start_ns = max_ns(span.start_ns, busy->end_ns);
	} else if (busy) {
		if (next > 1)
			span.start_ns = max_ns(span.start_ns, busy[-1].end_ns);
		span.end_ns = busy->start_ns;
	}
	return span.start_ns < span.end_ns ? span : (struct span){0, 0};
}

/* The span from when on the engine was free for the first time; empty when it never was. */
static struct span from_first_free(const struct model_engine *engine, struct span span)
{
	size_t next = busy_from(engine, span.start_ns + 1);

	if (next > 0)
		span.start_ns = max_ns(span.start_ns, engine->busy.items[next - 1].end_ns);
	return span.start_ns < span.end_ns ? span : (struct span){0, 0};
}

/* The nodes of a graph launch are ordered by their graph, not by a stream. What started before the
 * other one ended did not wait for it either: two threads' calls at once can have reached the
 * device in the other order. */
static struct model_wait delay_of(const struct model *model,
				  const struct model_operation *operation,
				  const struct model_blocker *blocker,
				  const struct model_blocker *other)
{
	const struct trace_call *call = operation->operation->call;
	const struct model_engine *engine = engine_of(model, operation->operation);
	int64_t ready_ns =
		max_ns(max_ns(operation->enqueue_ns, operation->data_ns), operation->event_ns);
	struct span alone = {max_ns(ready_ns, other->until_ns), blocker->until_ns};
	struct span both = {ready_ns, blocker->until_ns};

	if (!call || call->function->class == CLASS_GRAPH_LAUNCH ||
	    alone.start_ns >= alone.end_ns || alone.end_ns > operation->operation->start_ns)
		return (struct model_wait){0};
	return (struct model_wait){
		.span = last_free(engine, alone),
		.reach = from_first_free(engine, alone),
		.reach_of_both = from_first_free(engine, both),
	};
}

struct model_wait model_delay_by_stream(const struct model *model,
					const struct model_operation *operation)
{
	return delay_of(model, operation, &operation->stream, &operation->barrier);
}

struct model_wait model_delay_by_barrier(const struct model *model,
					 const struct model_operation *operation)
{
	return delay_of(model, operation, &operation->barrier, &operation->stream);
}

struct span model_free_within(const struct model *model, const struct model_operation *operation,
			      struct span span)
{
	span.start_ns = max_ns(span.start_ns, max_ns(operation->enqueue_ns, operation->data_ns));
	if (span.start_ns >= span.end_ns)
		return (struct span){0, 0};
	return from_first_free(engine_of(model, operation->operation), span);
}
