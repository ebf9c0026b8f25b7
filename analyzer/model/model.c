#include "model/model.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "model/host_writes.h"
#include "model/memory_needs.h"
#include "model/model_private.h"
#include "model/nodes.h"
#include "model/order.h"

#include <assert.h>
#include <stdlib.h>

/* What a mark of the order (order.h) stands for, during the pass over the operations. */
struct passed {
	struct model_blocker last; /* the operation in it that ended last; none for an event */
	node_index writers;	   /* everything that wrote to the device */
	node_index order;	   /* what an operation behind it runs after */
	int64_t event_ns;	   /* end of what the events stand for; unused for the sides of the
			   * barrier */
	int64_t edge_ns; /* of a stream: likewise, of a graph's edges to its next operation */
};

struct copy_in {
	uint64_t start, end; /* target of a stream's last copy into the device */
};

struct builder {
	struct model *model;
	const struct trace *trace;
	struct order order;
	struct passed *streams, *legacy, *blocking, *events; /* by the indexes of marks */
	struct copy_in *copies_in;			     /* by stream */
	/* The current operation, or NULL for a host function; and its end. */
	const struct trace_operation *operation;
	node_index node;
	int64_t end_ns;
	struct host_writes host_writes;
	struct model_memory *memory; /* NULL: the trace has no arguments of launches */
	size_t next_window;	     /* of a sample */
	const struct model *before;  /* model_build_again(); else NULL */
	const uint32_t *to_before;
};

_Static_assert(sizeof(struct model_operation) <= 64, "there are millions of them");
_Static_assert(sizeof(struct model_node) <= 16, "and more of these");

static node_index join_nodes(struct builder *builder, node_index first, node_index second)
{
	return model_nodes_join(builder->model, first, second);
}

static struct passed *passed_at(const struct builder *builder, struct order_mark mark)
{
	switch (mark.kind) {
	case ORDER_STREAM:
		return &builder->streams[mark.index];
	case ORDER_LEGACY:
		return &builder->legacy[mark.index];
	case ORDER_BLOCKING:
		return &builder->blocking[mark.index];
	case ORDER_EVENT:
		return &builder->events[mark.index];
	case ORDER_NONE:
		break;
	}
	return NULL;
}

static struct passed *passed_of(size_t count)
{
	struct passed *passed = memory_array(count, sizeof(*passed));

	for (size_t i = 0; i < count; i++)
		passed[i] = (struct passed){
			.last = {NULL, INT64_MIN}, .event_ns = INT64_MIN, .edge_ns = INT64_MIN};
	return passed;
}

static uint32_t stream_index(const struct builder *builder, const struct trace_stream *stream)
{
	return (uint32_t)(stream - builder->trace->streams);
}

static bool writes_device(const struct trace_operation *operation)
{
	return operation->form->kind != OPERATION_COPY || operation->form->engine != ENGINE_D2H;
}

/* What is on the other side of the legacy default stream's barrier. */
static struct passed across_barrier(const struct builder *builder,
				    const struct trace_stream *stream)
{
	struct order_mark mark = order_across(&builder->order, stream_index(builder, stream));

	return mark.kind == ORDER_NONE ? (struct passed){.last = {NULL, INT64_MIN}}
				       : *passed_at(builder, mark);
}

/* The join of everything written to the device before this point of the stream, in the stream and
 * across the legacy default stream's barrier. */
static node_index writers_before(struct builder *builder, const struct trace_stream *stream)
{
	return join_nodes(builder, builder->streams[stream_index(builder, stream)].writers,
			  across_barrier(builder, stream).writers);
}

static void find_dependences(struct builder *builder, struct model_operation *item,
			     node_index order)
{
	const struct trace_operation *operation = item->operation;
	struct model_touched touched = {.needs_all = true, .result = MODEL_RESULT_UNSEEN};

	if (builder->memory)
		touched = model_memory_enter(builder->memory, builder->model, operation);
	if (operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_H2D)
		item->needs = join_nodes(
			builder,
			host_writes_before(&builder->host_writes, builder->model, operation),
			touched.needs);
	else
		item->needs = touched.needs_all ? writers_before(builder, operation->form->stream)
						: touched.needs;
	item->needs = model_nodes_known(builder->model, item->needs);
	item->reuses = model_nodes_known(builder->model, touched.reuses);
	item->result = touched.result;
	item->fills_buffer = touched.fills_buffer;
	item->is_reuse_seen = !touched.reuses_all;
	if (touched.reuses_all)
		item->reuses = join_nodes(builder, writers_before(builder, operation->form->stream),
					  order);
}

/* What the operation needed and was in the model before. */
static void take_dependences(struct builder *builder, size_t index, struct model_operation *item)
{
	const struct model_operation *before =
		&builder->before->operations[builder->to_before[index]];
	struct model *model = builder->model;

	item->needs = before->needs;
	item->reuses = before->reuses;
	item->is_reuse_seen = before->is_reuse_seen;
	item->result = before->result;
	item->fills_buffer = before->fills_buffer;
	item->node = before->node;
	model->nodes[item->node].other = model->operation_count & (UINT32_MAX >> 1);
}

static void note_copy_in(struct model_operation *item, struct copy_in *last)
{
	const struct trace_operation *operation = item->operation;
	const struct trace_call *call = operation->call;
	struct copy_in now;

	if (operation->form->kind != OPERATION_COPY || operation->form->engine != ENGINE_H2D ||
	    !call || !call->form->dst)
		return;
	now = (struct copy_in){call->form->dst, call->form->dst + operation->form->size_bytes};
	item->reuses_buffer = now.start < last->end && now.end > last->start;
	*last = now;
}

/* What begins a graph's branch, or ends it, is the order of the stream that launched it, and no event. */
static bool is_border(const struct builder *builder, struct order_mark into, struct order_mark from)
{
	const uint32_t event = into.kind == ORDER_EVENT ? into.index : from.index;

	return into.kind == ORDER_EVENT || from.kind == ORDER_EVENT
		       ? trace_begins_branch(&builder->trace->event_waits[event])
		       : from.kind == ORDER_STREAM;
}

/* The end of an event is not that of an operation in the stream that waits for it. */
static void join_passed(void *context, struct order_mark into, struct order_mark from)
{
	struct builder *builder = context;
	struct passed *to = passed_at(builder, into);
	const struct passed *passed = passed_at(builder, from);

	to->writers = join_nodes(builder, to->writers, passed->writers);
	to->order = join_nodes(builder, to->order, passed->order);
	if (is_border(builder, into, from)) {
		to->event_ns = max_ns(to->event_ns, passed->event_ns);
		if (passed->last.operation)
			model_blocker_extend(&to->last, passed->last.operation);
	} else if (into.kind == ORDER_EVENT) {
		to->event_ns =
			max_ns(to->event_ns, max_ns(passed->last.until_ns, passed->event_ns));
	} else if (into.kind == ORDER_STREAM) {
		if (trace_is_graph_wait(&builder->trace->event_waits[from.index]))
			to->edge_ns = max_ns(to->edge_ns, passed->event_ns);
		else
			to->event_ns = max_ns(to->event_ns, passed->event_ns);
	}
}

/* A host function counts as an event that is recorded at its end. */
static void add_passed(void *context, struct order_mark into)
{
	struct builder *builder = context;
	struct passed *to = passed_at(builder, into);

	to->order = join_nodes(builder, to->order, builder->node);
	if (!builder->operation) {
		if (into.kind == ORDER_STREAM)
			to->event_ns = max_ns(to->event_ns, builder->end_ns);
		return;
	}
	model_blocker_extend(&to->last, builder->operation);
	if (writes_device(builder->operation))
		to->writers = join_nodes(builder, to->writers, builder->node);
}

/* Its writers and its last end stay: the order alone does not make them needed. */
static void clear_passed(void *context, struct order_mark mark)
{
	passed_at(context, mark)->order = NODE_NONE;
}

static struct order_user user_of(struct builder *builder)
{
	return (struct order_user){
		.context = builder, .join = join_passed, .add = add_passed, .clear = clear_passed};
}

/* What later operations will see of this one. */
static void pass_on(struct builder *builder, const struct trace_operation *operation,
		    node_index node)
{
	struct order_user user = user_of(builder);

	builder->operation = operation;
	builder->node = node;
	order_operation(&builder->order, &user, stream_index(builder, operation->form->stream));
	if (!writes_device(operation))
		host_writes_add(&builder->host_writes, builder->model, operation, node);
}

static uint32_t index_of(const struct builder *builder, const struct trace_operation *operation)
{
	return operation ? (uint32_t)(operation - builder->trace->operations) : MODEL_NO_OPERATION;
}

static void add_operation(struct builder *builder, const struct model_step *step)
{
	struct model *model = builder->model;
	const struct trace_operation *operation = &builder->trace->operations[step->index];
	uint32_t stream_at = stream_index(builder, operation->form->stream);
	const struct passed *stream = &builder->streams[stream_at];
	struct passed across = across_barrier(builder, operation->form->stream);
	struct model_operation *item = &model->operations[model->operation_count];

	assert(builder->streams); /* an operation has a stream */
	*item = (struct model_operation){
		.operation = operation,
		.step_ns = step->time_ns,
		.event_ns = max_ns(stream->event_ns, stream->edge_ns),
		.stream = index_of(builder, stream->last.operation),
		.barrier = index_of(builder, across.last.operation),
		.order_ns = model->nodes[stream->order].end_ns,
		.barrier_order_ns = model->nodes[across.order].end_ns,
	};
	if (builder->before) {
		take_dependences(builder, step->index, item);
	} else {
		find_dependences(builder, item, stream->order);
		item->node = model_nodes_add(
			builder->model, model_node_of_operation(item->needs, model->operation_count,
								operation->end_ns));
	}
	note_copy_in(item, &builder->copies_in[stream_at]);
	builder->streams[stream_at].edge_ns = INT64_MIN;
	model->operation_count++;
	pass_on(builder, operation, item->node);
	if (builder->memory)
		model_memory_leave(builder->memory, builder->model, item->node);
}

static void record_event(struct builder *builder, uint32_t index)
{
	struct order_user user = user_of(builder);

	if (builder->memory)
		model_memory_record(builder->memory, index);
	order_record(&builder->order, &user, index,
		     stream_index(builder, builder->trace->event_waits[index].recorder));
}

static void wait_for_event(struct builder *builder, uint32_t index)
{
	struct order_user user = user_of(builder);

	if (builder->memory)
		model_memory_wait(builder->memory, index);
	order_wait(&builder->order, &user, index,
		   stream_index(builder, builder->trace->event_waits[index].waiter));
}

static void add_host_function(struct builder *builder, uint32_t index)
{
	const struct trace_host_function *function = &builder->trace->host_functions[index];
	struct order_user user = user_of(builder);
	uint32_t stream = stream_index(builder, function->stream);
	node_index order = join_nodes(builder, builder->streams[stream].order,
				      across_barrier(builder, function->stream).order);

	builder->model->host_function_order_ns[index] = builder->model->nodes[order].end_ns;
	builder->operation = NULL;
	builder->end_ns = function->end_ns;
	builder->node = model_nodes_add(builder->model,
					model_node_of_join(order, NODE_NONE, function->end_ns));
	order_host_function(&builder->order, &user, stream);
}

/* Of a sample: nothing in a slice needs what is in another. */
static void begin_windows(struct builder *builder, int64_t time_ns)
{
	const struct trace *trace = builder->trace;

	while (trace->is_sample && builder->next_window < trace->window_count &&
	       trace->windows[builder->next_window].start_ns <= time_ns) {
		builder->next_window++;
		builder->model->first_known = (node_index)builder->model->node_count;
	}
}

static void take_steps(struct builder *builder)
{
	struct model *model = builder->model;
	struct model_step *steps = model_steps(builder->trace, &model->step_count);

	model->steps = memory_array(model->step_count, sizeof(*model->steps));
	for (size_t i = 0; i < model->step_count; i++) {
		begin_windows(builder, steps[i].time_ns);
		model->steps[i] = (struct model_place){steps[i].kind, steps[i].index};
		if (steps[i].kind == STEP_OPERATION)
			add_operation(builder, &steps[i]);
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
		end_ns[builder->to_before[i]] = builder->trace->operations[i].end_ns;
	for (size_t i = 1; i < before->node_count; i++) {
		struct model_node node = before->nodes[i];

		nodes = builder->model->nodes;
		node.end_ns = node.is_join
				      ? max_ns(nodes[node.first].end_ns, nodes[node.other].end_ns)
				      : end_ns[node.other];
		model_nodes_add(builder->model, node);
	}
	free(end_ns);
}

static struct model *build_model(const struct trace *trace, const struct model *before,
				 const uint32_t *to_before)
{
	struct model *model = memory_array(1, sizeof(*model));
	struct builder builder = {
		.model = model, .trace = trace, .before = before, .to_before = to_before};

	builder.host_writes.are_unseen = trace->lacks_addresses;
	model->trace = trace;
	model->operations = memory_array(trace->operation_count, sizeof(*model->operations));
	model->host_function_order_ns =
		memory_array(trace->host_function_count, sizeof(*model->host_function_order_ns));
	model_nodes_begin(model);
	if (before)
		take_nodes(&builder);
	order_init(&builder.order, trace, NULL, 0);
	builder.streams = passed_of(trace->stream_count);
	builder.legacy = passed_of(builder.order.context_count);
	builder.blocking = passed_of(builder.order.context_count);
	builder.events = passed_of(trace->event_wait_count);
	builder.copies_in = memory_array(trace->stream_count, sizeof(*builder.copies_in));
	builder.memory = before ? NULL : model_memory_create(trace);
	take_steps(&builder);
	model_nodes_drop_unused(model);
	if (builder.memory)
		model_memory_count(builder.memory, model);
	model_memory_free(builder.memory);
	model_build_parts(model);
	host_writes_free(&builder.host_writes);
	free(builder.copies_in);
	free(builder.events);
	free(builder.blocking);
	free(builder.legacy);
	free(builder.streams);
	order_free(&builder.order);
	return model;
}

struct model *model_build(const struct trace *trace)
{
	return build_model(trace, NULL, NULL);
}

struct model *model_build_again(const struct trace *trace, const struct model *before,
				const uint32_t *to_before)
{
	return build_model(trace, before, to_before);
}

void model_free(struct model *model)
{
	host_chains_free(model->host_chains);
	host_record_free(model->host);
	model_index_free(model);
	for (size_t i = 0; i < model->device_count * ENGINE_COUNT; i++)
		usage_free(&model->engines[i]);
	free(model->engines);
	free(model->chains.engines);
	free(model->loads);
	free(model->device_ids);
	free(model->host_function_order_ns);
	free(model->nodes);
	free(model->operations);
	free(model->steps);
	free(model);
}
