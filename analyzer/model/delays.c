/* What kept an operation from starting: its engine, its stream, the barrier. */
#include "base/memory.h"
#include "base/minmax.h"
#include "base/thresholds.h"
#include "model/model_private.h"

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
		size_t device = model_device(model, trace->operations[i].form->device_id);

		if (device < model->device_count)
			continue;
		model->device_ids = memory_grow(model->device_ids, device, &capacity,
						sizeof(*model->device_ids));
		model->device_ids[model->device_count++] = trace->operations[i].form->device_id;
	}
}

static const struct model_load *load_of(const struct model *model,
					const struct trace_operation *operation)
{
	return &model->loads[operation - model->trace->operations];
}

/* The operations of an engine, for usage_build(). */
struct engine_uses {
	VECTOR(struct usage_use) uses;
	VECTOR(uint32_t) operations; /* their indexes in trace.operations */
};

static void build_usage(struct model *model, struct usage *usage, const struct engine_uses *engine)
{
	size_t count = engine->uses.count;
	int64_t *work_ns = memory_array(count, sizeof(*work_ns));

	usage_build(usage, engine->uses.items, count, work_ns);
	for (size_t i = 0; i < count; i++)
		model->loads[engine->operations.items[i]].work_ns = work_ns[i];
	free(work_ns);
}

/* The trace's operations are in the order of their starts. */
void model_note_engines(struct model *model)
{
	const struct trace *trace = model->trace;
	size_t engine_count;
	struct engine_uses *engines;

	note_devices(model);
	engine_count = model->device_count * ENGINE_COUNT;
	engines = memory_array(engine_count, sizeof(*engines));
	model->engines = memory_array(engine_count, sizeof(*model->engines));
	model->loads = memory_array(trace->operation_count, sizeof(*model->loads));
	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];
		uint32_t index =
			(uint32_t)(model_device(model, operation->form->device_id) * ENGINE_COUNT +
				   operation->form->engine);
		struct engine_uses *engine = &engines[index];

		model->loads[i].engine = index;
		model->loads[i].occupancy = occupancy_of(trace, operation);
		*vector_add(&engine->uses) = (struct usage_use){
			{operation->start_ns, operation->end_ns}, model->loads[i].occupancy};
		*vector_add(&engine->operations) = (uint32_t)i;
	}
	for (size_t i = 0; i < engine_count; i++) {
		build_usage(model, &model->engines[i], &engines[i]);
		vector_free(&engines[i].uses);
		vector_free(&engines[i].operations);
	}
	free(engines);
}

/* When the device had the operation, and all that it truly depends on was done. */
static int64_t needed_ns(const struct model *model, const struct model_operation *operation)
{
	return max_ns(model_ready_ns(operation->operation), model_data_ns(model, operation));
}

/* The delay between `alone` (only the constraint was left) and its end, and the reach together with
 * the other constraint. Nodes of a graph launch are ordered by their graph, not by a stream. An
 * operation that started before the other one ended did not wait for it: two threads' calls at once
 * may have reached the device in the other order. */
static struct model_wait delay_within(const struct model *model,
				      const struct model_operation *operation, struct span alone,
				      struct span both)
{
	const struct trace_call *call = operation->operation->call;
	const struct usage *usage = &model->engines[model_engine_of(model, operation->operation)];
	uint32_t share = load_of(model, operation->operation)->occupancy.share;

	if (!call || call->form->function->class == CLASS_GRAPH_LAUNCH ||
	    alone.start_ns >= alone.end_ns || alone.end_ns > operation->operation->start_ns)
		return (struct model_wait){0};
	return (struct model_wait){
		.span = usage_last_room(usage, alone, share),
		.reach = usage_from_first_room(usage, alone, share),
		.reach_of_both = usage_from_first_room(usage, both, share),
	};
}

static struct model_wait delay_of(const struct model *model,
				  const struct model_operation *operation, uint32_t blocker,
				  uint32_t other)
{
	int64_t ready_ns = max_ns(needed_ns(model, operation), operation->event_ns);
	int64_t until_ns = model_blocker_at(model, blocker).until_ns;
	struct span alone = {max_ns(ready_ns, model_blocker_at(model, other).until_ns), until_ns};

	return delay_within(model, operation, alone, (struct span){ready_ns, until_ns});
}

struct model_wait model_delay_by_stream(const struct model *model,
					const struct model_operation *operation)
{
	return delay_of(model, operation, operation->stream, operation->barrier);
}

struct model_wait model_delay_by_barrier(const struct model *model,
					 const struct model_operation *operation)
{
	return delay_of(model, operation, operation->barrier, operation->stream);
}

/* Ends are in ns: no two operations end at once but by chance. */
struct model_wait model_delay_by_reuse(const struct model *model,
				       const struct model_operation *operation)
{
	int64_t until_ns = model->nodes[operation->reuses].end_ns;
	int64_t ready_ns = max_ns(needed_ns(model, operation),
				  max_ns(model_blocker_at(model, operation->stream).until_ns,
					 model_blocker_at(model, operation->barrier).until_ns));
	struct span alone = {ready_ns, until_ns};

	if (!operation->is_reuse_seen || operation->reuses == NODE_NONE ||
	    until_ns != operation->event_ns)
		return (struct model_wait){0};
	return delay_within(model, operation, alone, alone);
}

int64_t model_ordered_ns(const struct model *model, const struct model_operation *operation)
{
	int64_t order_ns = max_ns(model_blocker_at(model, operation->stream).until_ns,
				  model_blocker_at(model, operation->barrier).until_ns);

	return max_ns(max_ns(needed_ns(model, operation), operation->event_ns), order_ns);
}

struct model_wait model_delay_by_queue(const struct model *model,
				       const struct model_operation *operation,
				       const struct trace_operation *before)
{
	struct span alone = {model_ordered_ns(model, operation), before->start_ns};

	return delay_within(model, operation, alone, alone);
}

const struct trace_operation *model_last_in(const struct model *model, node_index node)
{
	int64_t end_ns = model->nodes[node].end_ns;

	for (int i = 0; i < JOINS_MOST_FOLLOWED && model->nodes[node].is_join; i++) {
		node_index second = model_node_second(&model->nodes[node]);

		node = model->nodes[second].end_ns == end_ns ? second : model->nodes[node].first;
	}
	return node == NODE_NONE || model->nodes[node].is_join
		       ? NULL
		       : model->operations[model->nodes[node].other].operation;
}

struct span model_engine_room(const struct model *model, const struct trace_operation *operation,
			      struct span span)
{
	if (span.start_ns >= span.end_ns)
		return (struct span){0, 0};
	return usage_from_first_room(&model->engines[model_engine_of(model, operation)], span,
				     load_of(model, operation)->occupancy.share);
}

struct span model_free_within(const struct model *model, const struct model_operation *operation,
			      struct span span)
{
	span.start_ns = max_ns(span.start_ns, needed_ns(model, operation));
	return model_engine_room(model, operation->operation, span);
}

struct span model_room_within(const struct model *model, const struct model_operation *operation,
			      struct span span)
{
	int64_t order_ns = max_ns(operation->order_ns, operation->barrier_order_ns);

	span.start_ns = max_ns(span.start_ns, max_ns(model_data_ns(model, operation), order_ns));
	return model_engine_room(model, operation->operation, span);
}
