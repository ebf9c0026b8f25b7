#include "detectors/streams/graph_chains.h"

#include "base/minmax.h"
#include "base/thresholds.h"

#include <assert.h>

static node_index later_of(const struct model_node *join)
{
	return join->first > join->other ? join->first : join->other;
}

static node_index earlier_of(const struct model_node *join)
{
	return join->first > join->other ? join->other : join->first;
}

static const struct trace_operation *operation_at(const struct model *model, size_t index)
{
	return model->operations[index].operation;
}

/* Both calls were captured in one stream. */
static bool are_of_one_capture(const struct trace_call *call, const struct trace_call *before)
{
	return call && before && call->form->has_stream && before->form->has_stream &&
	       call->form->stream_handle == before->form->stream_handle &&
	       call->form->thread_id == before->form->thread_id;
}

/* Where the only edge to the node comes from, if that is a full one; else NULL. */
static const struct trace_graph_node *only_before(const struct trace_graph_node *node)
{
	return node->before_count == 1 && node->before->kind == GRAPH_EDGE_FULL ? node->before->from
										: NULL;
}

static bool begins_child(const struct trace_graph_node *node)
{
	return node->before_count == 1 && node->before->kind == GRAPH_EDGE_TO_CHILD;
}

/* A child graph of more nodes in a row is not known by its last one: each operation looks for it. */
enum { CHILD_NODES_MOST = 1024 };

/* The child graph that ends with the node, if it is a chain; else the node itself. */
static const struct trace_graph_node *ended_by(const struct trace_graph_node *node)
{
	const struct trace_graph_node *first = node, *before, *child;
	int nodes_left = CHILD_NODES_MOST;

	if (node->behind_count)
		return node;
	while (nodes_left-- && (before = only_before(first)) && before->behind_count == 1)
		first = before;
	child = begins_child(first) ? first->before->from : NULL;
	return child && child->child_count == 1 ? child : node;
}

/* Between child graphs, or between one and a node beside it. */
static bool is_across_border(const struct trace_graph_node *from, const struct trace_graph_node *to)
{
	const struct trace_graph_node *ended = ended_by(from);
	const struct trace_graph_node *begun = to;

	assert(ended); /* is_link() has seen `from` */
	if (begins_child(to)) {
		begun = to->before->from;
		if (begun->child_count > 1)
			return false;
	}
	return (ended != from || begun != to) && only_before(begun) == ended &&
	       ended->behind_count == 1;
}

static bool is_link(const struct model *model, const struct trace_operation *before,
		    const struct trace_operation *operation)
{
	const struct trace_graph_node *node = operation->form->node, *from = before->form->node;

	if (!node || !from || operation->call != before->call ||
	    operation->form->stream != before->form->stream || operation->start_ns < before->end_ns)
		return false;
	if (only_before(node) == from)
		return from->behind_count == 1 &&
		       are_of_one_capture(operation->form->node_call, before->form->node_call);
	return is_across_border(from, node);
}

static size_t end_of_chain(const struct model *model, size_t first)
{
	size_t end = first + 1;

	while (end < model->operation_count &&
	       is_link(model, operation_at(model, end - 1), operation_at(model, end)))
		end++;
	return end;
}

/* When an operation could start, by those of the chain before it. */
struct ready {
	int64_t ns;
	size_t step;	/* index of the step that ends then, plus one; 0: none */
	int looks_left; /* at nodes */
};

/* Raises *ready to when those of the chain are done that the node joins. False: they are too many
 * to look at. */
static bool add_needed(const struct model *model, const struct graph_chain *chain, node_index index,
		       struct ready *ready)
{
	const struct model_node *node = &model->nodes[index];
	size_t step;

	/* A node comes behind what it depends on. */
	if (index < model->operations[chain->first].node || ready->ns >= chain->end_ns)
		return true;
	if (!ready->looks_left--)
		return false;
	/* The later ones first: mostly they are the last to end. */
	if (node->is_join)
		return add_needed(model, chain, later_of(node), ready) &&
		       add_needed(model, chain, earlier_of(node), ready);
	step = node->other - chain->first;
	if (node->other >= chain->first && chain->steps.items[step].end_ns > ready->ns)
		*ready = (struct ready){chain->steps.items[step].end_ns, step + 1,
					ready->looks_left};
	return true;
}

/* The memory that the copy to the device overwrites, if that is all of an allocation, and all its users are known: what was
 * there is used no more. 0: not so. */
static uint64_t filled_by(const struct model_operation *item)
{
	const struct trace_call *call = item->operation->form->node_call;

	return item->fills_buffer && item->is_reuse_seen && call ? call->form->dst : 0;
}

/* The operation whose `reuses` keep a step from writing its memory: its own, but of a copy that fills what a copy before
 * it in the chain has filled, that one's. With two buffers in turn it fills the one that was used before that copy. Without
 * such a copy a node before it may read what the launch before has left there. */
static const struct model_operation *writer_of(const struct model *model,
					       const struct graph_chain *chain, size_t at)
{
	const struct model_operation *item = &model->operations[chain->first + at];
	const uint64_t filled = filled_by(item);
	const size_t before = filled ? map_find(&chain->fillers, filled) : MAP_NONE;

	return before == MAP_NONE ? item : &model->operations[chain->first + before];
}

/* When those of the chain are done whose data the operation needs, and which use the memory that `writer` (see writer_of())
 * writes. *behind: the last of the latter where the operation has to wait for it, as in struct chain_step. */
static int64_t ready_ns_of(const struct model *model, const struct graph_chain *chain, size_t at,
			   const struct model_operation *writer, size_t *behind)
{
	const struct model_operation *item = &model->operations[chain->first + at];
	struct ready ready = {.ns = operation_at(model, chain->first)->start_ns,
			      .looks_left = JOINS_MOST_FOLLOWED};
	bool is_known = add_needed(model, chain, item->needs, &ready);

	ready.step = 0;
	is_known = is_known && add_needed(model, chain, writer->reuses, &ready);
	*behind = is_known ? ready.step : at;
	return is_known ? ready.ns : chain->steps.items[at - 1].end_ns;
}

static uint32_t share_of(const struct model *model, const struct trace_operation *operation)
{
	return model->loads[operation - model->trace->operations].occupancy.share;
}

static bool fit_together(const struct model *model, const struct trace_operation *a,
			 const struct trace_operation *b)
{
	return model_engine_of(model, a) != model_engine_of(model, b) ||
	       share_of(model, a) + share_of(model, b) <= OCCUPANCY_WHOLE;
}

/* When the operation would start in the first or in the second stream: behind what is there, what it
 * needs, and what leaves it no room in the other stream. */
static int64_t start_in(const struct model *model, const struct graph_chain *chain, size_t at,
			bool is_moved, int64_t ready_ns)
{
	const struct trace_operation *operation = operation_at(model, chain->first + at);
	const struct chain_step *steps = chain->steps.items;
	int64_t start_ns = ready_ns;

	if (chain->last[is_moved])
		start_ns = max_ns(start_ns, steps[chain->last[is_moved] - 1].end_ns);
	for (size_t i = chain->last[!is_moved]; i && steps[i - 1].end_ns > start_ns;
	     i = steps[i - 1].before)
		if (!fit_together(model, operation, operation_at(model, chain->first + i - 1)))
			start_ns = steps[i - 1].end_ns;
	return start_ns;
}

static bool is_wide(const struct model *model, const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_KERNEL &&
	       occupancy_is_wide(model->trace, operation);
}

static void add_step(const struct model *model, struct graph_chain *chain, struct chain_step step)
{
	const size_t at = chain->steps.count;
	const struct trace_operation *operation = operation_at(model, chain->first + at);

	step.before = chain->last[step.is_moved];
	chain->last[step.is_moved] = at + 1;
	*vector_add(&chain->steps) = step;
	chain->end_ns = at ? max_ns(chain->end_ns, step.end_ns) : step.end_ns;
	chain->has_wide |= is_wide(model, operation);
	chain->has_kernels[step.is_moved] |= operation->form->kind == OPERATION_KERNEL;
	chain->moved_count += step.is_moved;
	chain->is_doubled |= step.is_doubled;
	if (filled_by(&model->operations[chain->first + at]))
		map_set(&chain->fillers, filled_by(&model->operations[chain->first + at]), at);
}

static void begin_chain(const struct model *model, struct graph_chain *chain, size_t first)
{
	const struct trace_operation *operation = operation_at(model, first);

	chain->first = first;
	chain->steps.count = chain->moved_count = 0;
	chain->last[0] = chain->last[1] = 0;
	chain->has_wide = chain->has_kernels[0] = chain->has_kernels[1] = false;
	chain->is_doubled = false;
	map_free(&chain->fillers);
	add_step(model, chain,
		 (struct chain_step){.start_ns = operation->start_ns, .end_ns = operation->end_ns});
}

/* Each operation goes where it could start first, with the time between the two operations before
 * it that it had. */
static void split_chain(const struct model *model, struct graph_chain *chain, size_t count)
{
	for (size_t at = 1; at < count; at++) {
		const struct model_operation *item = &model->operations[chain->first + at];
		const struct trace_operation *operation = item->operation;
		const struct model_operation *writer = writer_of(model, chain, at);
		struct chain_step step = {0};
		size_t behind;
		const int64_t ready_ns = ready_ns_of(model, chain, at, writer, &step.behind);
		const int64_t stays_ns = start_in(model, chain, at, false, ready_ns);
		const int64_t moves_ns = start_in(model, chain, at, true, ready_ns);

		step.is_moved = moves_ns < stays_ns;
		step.start_ns = min_ns(stays_ns, moves_ns);
		step.is_in_turn = writer != item;
		step.is_doubled = step.is_in_turn &&
				  ready_ns_of(model, chain, at, item, &behind) > step.start_ns;
		step.start_ns +=
			operation->start_ns - operation_at(model, chain->first + at - 1)->end_ns;
		step.end_ns = step.start_ns + operation->end_ns - operation->start_ns;
		add_step(model, chain, step);
	}
	chain->saved_ns = operation_at(model, chain->first + count - 1)->end_ns - chain->end_ns;
}

bool graph_chain_next(const struct model *model, struct graph_chain *chain)
{
	for (size_t first = chain->first + chain->steps.count, end; first < model->operation_count;
	     first = end) {
		end = end_of_chain(model, first);
		if (end - first < 2)
			continue;
		begin_chain(model, chain, first);
		split_chain(model, chain, end - first);
		return true;
	}
	return false;
}

void graph_chain_free(struct graph_chain *chain)
{
	map_free(&chain->fillers);
	vector_free(&chain->steps);
}
