#include "model/model.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "model/memory_needs.h"
#include "model/nodes.h"
#include "model/private.h"

#include <stdlib.h>

/* What a stream and a context remember while their operations go by in order. */
struct stream_state {
	struct model_hold last; /* the latest end in the stream so far */
	node_index writers;	/* everything that wrote to the device */
	node_index order;	/* what its next operation runs after: its last one, and events */
	int64_t event_ns;	/* end of what events made the stream wait for */
	uint64_t copy_in, copy_in_end; /* target of the last copy into the device */
	size_t context;
};

struct context_state {
	uint32_t id;
	struct model_hold legacy,
		blocking; /* the latest ends in the default and in blocking streams */
	node_index legacy_writers, blocking_writers;
	/* What the barrier makes the other side wait for. An operation of the default stream comes
	 * after the blocking ones before it, and so stands for them. */
	node_index legacy_order, blocking_order;
};

/* What an event captured when it was recorded. */
struct event_snapshot {
	node_index writers, order;
	int64_t end_ns;
};

struct builder {
	struct model *model;
	const struct trace *trace;
	struct stream_state *streams;
	struct context_state *contexts;
	size_t context_count, context_capacity;
	struct event_snapshot *snapshots;
	struct ranges host_writes; /* host memory that copies out of the device wrote */
	node_index unplaced_host_writes, all_host_writes;
	struct model_memory *memory; /* NULL: the trace has no arguments of launches */
	const struct model *before;  /* model_build_again(); else NULL */
	const uint32_t *places;
};

static node_index join(struct builder *builder, node_index first, node_index second)
{
	return model_nodes_join(builder->model, first, second);
}

static void hold_extend(struct model_hold *hold, const struct trace_operation *operation)
{
	if (!hold->holder || operation->end_ns > hold->until_ns)
		*hold = (struct model_hold){operation, operation->end_ns};
}

static size_t context_of(struct builder *builder, uint32_t id)
{
	size_t i;

	for (i = 0; i < builder->context_count; i++)
		if (builder->contexts[i].id == id)
			return i;
	builder->contexts = memory_grow(builder->contexts, i, &builder->context_capacity,
					sizeof(*builder->contexts));
	builder->contexts[i] = (struct context_state){
		.id = id, .legacy = {NULL, INT64_MIN}, .blocking = {NULL, INT64_MIN}};
	builder->context_count++;
	return i;
}

static bool writes_device(const struct trace_operation *operation)
{
	return operation->kind != OPERATION_COPY || operation->engine != ENGINE_D2H;
}

/* The node of everything that wrote the host memory that a copy into the device reads. */
static node_index host_reads(struct builder *builder, const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;
	node_index node = builder->unplaced_host_writes;
	const struct range *range;
	uint64_t place = 0;

	if (!call || !call->src || !operation->size_bytes)
		return builder->all_host_writes;
	while ((range = ranges_next(&builder->host_writes, call->src,
				    call->src + operation->size_bytes, &place)))
		node = join(builder, node, range->value);
	return node;
}

static void host_wrote(struct builder *builder, const struct trace_operation *operation,
		       node_index node)
{
	const struct trace_call *call = operation->call;

	builder->all_host_writes = join(builder, builder->all_host_writes, node);
	if (call && call->dst && operation->size_bytes)
		ranges_set(&builder->host_writes, call->dst, call->dst + operation->size_bytes,
			   node);
	else
		builder->unplaced_host_writes = join(builder, builder->unplaced_host_writes, node);
}

/* Everything written to the device before this point of the stream, in it and across the legacy
 * default stream's barrier. */
static node_index writers_before(struct builder *builder, const struct trace_stream *stream)
{
	const struct stream_state *state = &builder->streams[stream - builder->trace->streams];
	const struct context_state *context = &builder->contexts[state->context];

	if (stream->flag == STREAM_NULL)
		return join(builder, state->writers, context->blocking_writers);
	if (stream->flag == STREAM_BLOCKING)
		return join(builder, state->writers, context->legacy_writers);
	return state->writers;
}

/* The operations on the other side of that barrier. */
static struct model_hold barrier_before(const struct builder *builder,
					const struct trace_stream *stream)
{
	const struct stream_state *state = &builder->streams[stream - builder->trace->streams];
	const struct context_state *context = &builder->contexts[state->context];

	if (stream->flag == STREAM_NULL)
		return context->blocking;
	if (stream->flag == STREAM_BLOCKING)
		return context->legacy;
	return (struct model_hold){NULL, INT64_MIN};
}

static node_index barrier_order(const struct builder *builder, const struct trace_stream *stream)
{
	const struct stream_state *state = &builder->streams[stream - builder->trace->streams];
	const struct context_state *context = &builder->contexts[state->context];

	if (stream->flag == STREAM_NULL)
		return context->blocking_order;
	return stream->flag == STREAM_BLOCKING ? context->legacy_order : NODE_NONE;
}

static void find_dependences(struct builder *builder, struct model_operation *place,
			     node_index order)
{
	const struct trace_operation *operation = place->operation;
	struct model_touched touched = {.needs_all = true};

	if (builder->memory)
		touched = model_memory_enter(builder->memory, builder->model, operation);
	if (operation->kind == OPERATION_COPY && operation->engine == ENGINE_H2D)
		place->needs = join(builder, host_reads(builder, operation), touched.needs);
	else
		place->needs = touched.needs_all ? writers_before(builder, operation->stream)
						 : touched.needs;
	place->reuses = touched.reuses;
	if (touched.reuses_all)
		place->reuses = join(builder, writers_before(builder, operation->stream), order);
	place->data_ns = builder->model->nodes[place->needs].end_ns;
}

/* What the operation needed and was in the model before. */
static void take_dependences(struct builder *builder, size_t index, struct model_operation *place)
{
	const struct model_operation *before = &builder->before->operations[builder->places[index]];
	struct model *model = builder->model;

	place->needs = before->needs;
	place->reuses = before->reuses;
	place->data_ns = model->nodes[place->needs].end_ns;
	place->node = before->node;
	model->nodes[place->node].operation = (uint32_t)model->operation_count;
}

static void note_copy_in(struct model_operation *place, struct stream_state *stream)
{
	const struct trace_operation *operation = place->operation;
	const struct trace_call *call = operation->call;

	if (operation->kind != OPERATION_COPY || operation->engine != ENGINE_H2D || !call ||
	    !call->dst)
		return;
	place->reuses_buffer = call->dst < stream->copy_in_end &&
			       call->dst + operation->size_bytes > stream->copy_in;
	stream->copy_in = call->dst;
	stream->copy_in_end = call->dst + operation->size_bytes;
}

/* What later operations will see of this one. */
static void pass_on(struct builder *builder, const struct trace_operation *operation,
		    struct stream_state *stream, node_index node)
{
	struct context_state *context = &builder->contexts[stream->context];
	bool is_null = operation->stream->flag == STREAM_NULL;
	bool is_blocking = operation->stream->flag == STREAM_BLOCKING;

	hold_extend(&stream->last, operation);
	stream->order = node;
	if (is_null) {
		hold_extend(&context->legacy, operation);
		context->legacy_order = node;
		context->blocking_order = NODE_NONE;
	}
	if (is_blocking) {
		hold_extend(&context->blocking, operation);
		context->blocking_order = join(builder, context->blocking_order, node);
	}
	if (!writes_device(operation)) {
		host_wrote(builder, operation, node);
		return;
	}
	stream->writers = join(builder, stream->writers, node);
	if (is_null)
		context->legacy_writers = join(builder, context->legacy_writers, node);
	if (is_blocking)
		context->blocking_writers = join(builder, context->blocking_writers, node);
}

static int64_t enqueued_ns(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	/* The device can have it at the earliest when the call is under way, and at the latest when
	 * it starts; the call's end is the best guess between. */
	if (!call || operation->start_ns < call->end_ns)
		return operation->start_ns;
	return call->end_ns;
}

static void add_operation(struct builder *builder, size_t index)
{
	struct model *model = builder->model;
	const struct trace_operation *operation = &builder->trace->operations[index];
	struct stream_state *stream =
		&builder->streams[operation->stream - builder->trace->streams];
	struct model_operation *place = &model->operations[model->operation_count];

	*place = (struct model_operation){
		.operation = operation,
		.enqueue_ns = enqueued_ns(operation),
		.event_ns = stream->event_ns,
		.stream = stream->last,
		.barrier = barrier_before(builder, operation->stream),
		.order_ns = model->nodes[stream->order].end_ns,
		.barrier_order_ns = model->nodes[barrier_order(builder, operation->stream)].end_ns,
	};
	if (builder->before) {
		take_dependences(builder, index, place);
	} else {
		find_dependences(builder, place, stream->order);
		place->node = model_nodes_add(builder->model,
					      (struct model_node){place->needs, NODE_NONE,
								  (uint32_t)model->operation_count,
								  operation->end_ns});
	}
	note_copy_in(place, stream);
	model->operation_count++;
	pass_on(builder, operation, stream, place->node);
	if (builder->memory)
		model_memory_leave(builder->memory, builder->model, place->node);
}

/* An event stands behind all that an operation at its place would. */
static void record_event(struct builder *builder, uint32_t index)
{
	const struct trace_stream *stream = builder->trace->event_waits[index].recorder;
	const struct stream_state *recorder = &builder->streams[stream - builder->trace->streams];
	int64_t end_ns = max_ns(recorder->last.until_ns, recorder->event_ns);

	if (builder->memory)
		model_memory_record(builder->memory, index);
	builder->snapshots[index] = (struct event_snapshot){
		writers_before(builder, stream),
		join(builder, recorder->order, barrier_order(builder, stream)),
		max_ns(end_ns, barrier_before(builder, stream).until_ns),
	};
}

/* All that the stream runs from now on comes after what the snapshot stands for. */
static void hold_behind(struct builder *builder, const struct trace_stream *stream,
			const struct event_snapshot *snapshot)
{
	struct stream_state *waiter = &builder->streams[stream - builder->trace->streams];
	struct context_state *context = &builder->contexts[waiter->context];

	waiter->writers = join(builder, waiter->writers, snapshot->writers);
	waiter->order = join(builder, waiter->order, snapshot->order);
	waiter->event_ns = max_ns(waiter->event_ns, snapshot->end_ns);
	if (stream->flag == STREAM_NULL) {
		context->legacy_writers = join(builder, context->legacy_writers, snapshot->writers);
		context->legacy_order = join(builder, context->legacy_order, snapshot->order);
	}
	if (stream->flag == STREAM_BLOCKING) {
		context->blocking_writers =
			join(builder, context->blocking_writers, snapshot->writers);
		context->blocking_order = join(builder, context->blocking_order, snapshot->order);
	}
}

static void wait_for_event(struct builder *builder, uint32_t index)
{
	if (builder->memory)
		model_memory_wait(builder->memory, index);
	hold_behind(builder, builder->trace->event_waits[index].waiter, &builder->snapshots[index]);
}

/* It holds its stream as an event would that is recorded at its end. */
static void add_host_function(struct builder *builder, uint32_t index)
{
	const struct trace_host_function *function = &builder->trace->host_functions[index];
	const struct trace_stream *stream = function->stream;
	node_index order = join(builder, builder->streams[stream - builder->trace->streams].order,
				barrier_order(builder, stream));
	struct event_snapshot behind = {NODE_NONE, NODE_NONE, function->end_ns};

	builder->model->host_function_order_ns[index] = builder->model->nodes[order].end_ns;
	behind.order =
		model_nodes_add(builder->model, (struct model_node){order, NODE_NONE, NODE_IS_JOIN,
								    function->end_ns});
	hold_behind(builder, stream, &behind);
}

static void take_steps(struct builder *builder)
{
	size_t count;
	struct model_step *steps = model_steps(builder->trace, &count);

	for (size_t i = 0; i < count; i++) {
		if (steps[i].kind == STEP_OPERATION)
			add_operation(builder, steps[i].index);
		else if (steps[i].kind == STEP_RECORD)
			record_event(builder, steps[i].index);
		else if (steps[i].kind == STEP_HOST_FUNCTION)
			add_host_function(builder, steps[i].index);
		else
			wait_for_event(builder, steps[i].index);
	}
	free(steps);
}

/* The nodes of the model before, at the new times. */
static void take_nodes(struct builder *builder)
{
	const struct model *before = builder->before;
	const struct model_node *nodes;
	int64_t *end_ns = memory_array(before->operation_count, sizeof(*end_ns));

	for (size_t i = 0; i < builder->trace->operation_count; i++)
		end_ns[builder->places[i]] = builder->trace->operations[i].end_ns;
	for (size_t i = 1; i < before->node_count; i++) {
		struct model_node node = before->nodes[i];

		nodes = builder->model->nodes;
		node.end_ns = node.operation == NODE_IS_JOIN
				      ? max_ns(nodes[node.first].end_ns, nodes[node.second].end_ns)
				      : end_ns[node.operation];
		model_nodes_add(builder->model, node);
	}
	free(end_ns);
}

static struct model *build(const struct trace *trace, const struct model *before,
			   const uint32_t *places)
{
	struct model *model = memory_array(1, sizeof(*model));
	struct builder builder = {
		.model = model, .trace = trace, .before = before, .places = places};

	model->trace = trace;
	model->operations = memory_array(trace->operation_count, sizeof(*model->operations));
	model->host_function_order_ns =
		memory_array(trace->host_function_count, sizeof(*model->host_function_order_ns));
	model_nodes_begin(model);
	if (before)
		take_nodes(&builder);
	builder.streams = memory_array(trace->stream_count, sizeof(*builder.streams));
	builder.snapshots = memory_array(trace->event_wait_count, sizeof(*builder.snapshots));
	for (size_t i = 0; i < trace->stream_count; i++)
		builder.streams[i] = (struct stream_state){
			.last = {NULL, INT64_MIN},
			.event_ns = INT64_MIN,
			.context = context_of(&builder, trace->streams[i].context_id)};
	builder.memory = before ? NULL : model_memory_create(trace);
	take_steps(&builder);
	model_nodes_drop_unused(model);
	if (builder.memory)
		model_memory_count(builder.memory, model);
	model_memory_free(builder.memory);
	model_note_engines(model);
	for (int engine = 0; engine < ENGINE_COUNT; engine++)
		model->pinned_copies[engine] = rates_of_pinned(trace, (enum engine)engine);
	model_index_build(model);
	ranges_free(&builder.host_writes);
	free(builder.snapshots);
	free(builder.contexts);
	free(builder.streams);
	return model;
}

struct model *model_build(const struct trace *trace)
{
	return build(trace, NULL, NULL);
}

struct model *model_build_again(const struct trace *trace, const struct model *before,
				const uint32_t *places)
{
	return build(trace, before, places);
}

void model_free(struct model *model)
{
	model_index_free(model);
	for (size_t i = 0; i < model->device_count * ENGINE_COUNT; i++)
		free(model->engines[i].busy);
	free(model->engines);
	free(model->device_ids);
	free(model->host_function_order_ns);
	free(model->nodes);
	free(model->operations);
	free(model);
}
