#include "model.h"

#include "memory.h"
#include "model_private.h"

#include <stdlib.h>

/* What a stream and a context remember while their operations go by in order. */
struct stream_state {
	struct model_hold last;	       /* the latest end in the stream so far */
	node_index writers;	       /* everything that wrote to the device */
	int64_t event_ns;	       /* end of what events made the stream wait for */
	uint64_t copy_in, copy_in_end; /* target of the last copy into the device */
	size_t context;
};

struct context_state {
	uint32_t id;
	struct model_hold legacy,
		blocking; /* the latest ends in the default and in blocking streams */
	node_index legacy_writers, blocking_writers;
};

/* What an event captured when it was recorded. */
struct event_snapshot {
	node_index writers;
	int64_t end_ns;
};

enum step_kind { STEP_RECORD, STEP_WAIT, STEP_OPERATION };

/* One thing that happens in order: an operation is enqueued, an event recorded or waited for. */
struct step {
	int64_t time_ns, tie_ns;
	enum step_kind kind;
	uint32_t index;
};

struct builder {
	struct model *model;
	const struct trace *trace;
	struct stream_state *streams;
	struct context_state *contexts;
	size_t context_count, context_capacity, node_capacity, device_capacity;
	struct event_snapshot *snapshots;
	struct ranges host_writes; /* host memory that copies out of the device wrote */
	node_index unplaced_host_writes, all_host_writes;
};

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->tie_ns != y->tie_ns)
		return x->tie_ns < y->tie_ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

static node_index node_add(struct builder *builder, struct model_node node)
{
	struct model *model = builder->model;

	model->nodes = memory_grow(model->nodes, model->node_count, &builder->node_capacity,
				   sizeof(*model->nodes));
	model->nodes[model->node_count] = node;
	return (node_index)model->node_count++;
}

static node_index join(struct builder *builder, node_index first, node_index second)
{
	const struct model_node *nodes = builder->model->nodes;
	int64_t end_ns;

	if (first == NODE_NONE || first == second)
		return second;
	if (second == NODE_NONE)
		return first;
	end_ns = nodes[first].end_ns > nodes[second].end_ns ? nodes[first].end_ns
							    : nodes[second].end_ns;
	return node_add(builder, (struct model_node){first, second, NODE_IS_JOIN, end_ns});
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

static node_index dependences(struct builder *builder, const struct trace_operation *operation,
			      const struct stream_state *stream)
{
	const struct context_state *context = &builder->contexts[stream->context];
	enum stream_flag flag = operation->stream->flag;

	if (operation->kind == OPERATION_COPY && operation->engine == ENGINE_H2D)
		return host_reads(builder, operation);
	if (flag == STREAM_NULL)
		return join(builder, stream->writers, context->blocking_writers);
	if (flag == STREAM_BLOCKING)
		return join(builder, stream->writers, context->legacy_writers);
	return stream->writers;
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
	if (is_null)
		hold_extend(&context->legacy, operation);
	if (is_blocking)
		hold_extend(&context->blocking, operation);
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
	const struct context_state *context = &builder->contexts[stream->context];
	struct model_operation *place = &model->operations[model->operation_count];
	node_index needs = dependences(builder, operation, stream);
	node_index node;

	*place = (struct model_operation){
		.operation = operation,
		.enqueue_ns = enqueued_ns(operation),
		.data_ns = model->nodes[needs].end_ns,
		.event_ns = stream->event_ns,
		.stream = stream->last,
		.barrier = operation->stream->flag == STREAM_NULL ? context->blocking
			   : operation->stream->flag == STREAM_BLOCKING
				   ? context->legacy
				   : (struct model_hold){NULL, INT64_MIN},
	};
	note_copy_in(place, stream);
	node = node_add(builder,
			(struct model_node){needs, NODE_NONE, (uint32_t)model->operation_count,
					    operation->end_ns});
	model->operation_count++;
	pass_on(builder, operation, stream, node);
}

static void record_event(struct builder *builder, uint32_t index)
{
	const struct trace_event_wait *wait = &builder->trace->event_waits[index];
	const struct stream_state *recorder =
		&builder->streams[wait->recorder - builder->trace->streams];

	builder->snapshots[index] =
		(struct event_snapshot){recorder->writers, recorder->last.until_ns};
}

static void wait_for_event(struct builder *builder, uint32_t index)
{
	const struct trace_event_wait *wait = &builder->trace->event_waits[index];
	struct stream_state *waiter = &builder->streams[wait->waiter - builder->trace->streams];
	const struct event_snapshot *snapshot = &builder->snapshots[index];

	waiter->writers = join(builder, waiter->writers, snapshot->writers);
	if (snapshot->end_ns > waiter->event_ns)
		waiter->event_ns = snapshot->end_ns;
}

static struct step *steps_in_order(const struct trace *trace, size_t *count)
{
	struct step *steps =
		memory_array(trace->operation_count + 2 * trace->event_wait_count, sizeof(*steps));
	size_t n = 0;

	for (size_t i = 0; i < trace->operation_count; i++) {
		const struct trace_operation *operation = &trace->operations[i];

		steps[n++] = (struct step){model_enqueue_order(operation), operation->start_ns,
					   STEP_OPERATION, (uint32_t)i};
	}
	for (size_t i = 0; i < trace->event_wait_count; i++) {
		const struct trace_event_wait *wait = &trace->event_waits[i];

		steps[n++] = (struct step){wait->record_ns, INT64_MIN, STEP_RECORD, (uint32_t)i};
		steps[n++] = (struct step){wait->wait_ns, INT64_MIN, STEP_WAIT, (uint32_t)i};
	}
	qsort(steps, n, sizeof(*steps), compare_steps);
	*count = n;
	return steps;
}

static void take_steps(struct builder *builder)
{
	size_t count;
	struct step *steps = steps_in_order(builder->trace, &count);

	for (size_t i = 0; i < count; i++) {
		if (steps[i].kind == STEP_OPERATION)
			add_operation(builder, steps[i].index);
		else if (steps[i].kind == STEP_RECORD)
			record_event(builder, steps[i].index);
		else
			wait_for_event(builder, steps[i].index);
	}
	free(steps);
}

size_t model_device(const struct model *model, uint32_t device_id)
{
	size_t i = 0;

	while (i < model->device_count && model->device_ids[i] != device_id)
		i++;
	return i;
}

/* Until when each operation's engine was busy with operations that began before it. The trace's
 * operations are in the order of their starts. */
static void note_engines(struct builder *builder)
{
	struct model *model = builder->model;
	const struct trace *trace = builder->trace;
	int64_t *engine_ns = memory_array(trace->operation_count, sizeof(*engine_ns));
	int64_t(*until)[ENGINE_COUNT];

	for (size_t i = 0; i < trace->operation_count; i++) {
		size_t device = model_device(model, trace->operations[i].device_id);

		if (device < model->device_count)
			continue;
		model->device_ids =
			memory_grow(model->device_ids, device, &builder->device_capacity,
				    sizeof(*model->device_ids));
		model->device_ids[model->device_count++] = trace->operations[i].device_id;
	}
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

struct model *model_build(const struct trace *trace)
{
	struct model *model = memory_array(1, sizeof(*model));
	struct builder builder = {.model = model, .trace = trace};

	model->trace = trace;
	model->operations = memory_array(trace->operation_count, sizeof(*model->operations));
	node_add(&builder, (struct model_node){.operation = NODE_IS_JOIN, .end_ns = INT64_MIN});
	builder.streams = memory_array(trace->stream_count, sizeof(*builder.streams));
	builder.snapshots = memory_array(trace->event_wait_count, sizeof(*builder.snapshots));
	for (size_t i = 0; i < trace->stream_count; i++)
		builder.streams[i] = (struct stream_state){
			.last = {NULL, INT64_MIN},
			.event_ns = INT64_MIN,
			.context = context_of(&builder, trace->streams[i].context_id)};
	take_steps(&builder);
	note_engines(&builder);
	model_note_rates(model);
	model_index_build(model);
	ranges_free(&builder.host_writes);
	free(builder.snapshots);
	free(builder.contexts);
	free(builder.streams);
	return model;
}

void model_free(struct model *model)
{
	model_index_free(model);
	free(model->device_ids);
	free(model->nodes);
	free(model->operations);
	free(model);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The nodes of a graph launch are ordered by their graph: no stream held them. */
static struct span held(const struct model_operation *operation, int64_t otherwise_ns,
			const struct model_hold *hold)
{
	const struct trace_call *call = operation->operation->call;
	int64_t start_ns =
		later(later(operation->enqueue_ns, operation->data_ns),
		      later(later(operation->engine_ns, operation->event_ns), otherwise_ns));
	int64_t end_ns = hold->until_ns < operation->operation->start_ns
				 ? hold->until_ns
				 : operation->operation->start_ns;

	if (!call || call->function->class == CLASS_GRAPH_LAUNCH || end_ns <= start_ns)
		return (struct span){0, 0};
	return (struct span){start_ns, end_ns};
}

struct span model_held_by_stream(const struct model_operation *operation)
{
	return held(operation, operation->barrier.until_ns, &operation->stream);
}

struct span model_held_by_barrier(const struct model_operation *operation)
{
	return held(operation, operation->stream.until_ns, &operation->barrier);
}
