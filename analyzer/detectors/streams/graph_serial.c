/*
 * WHAT: branches of a CUDA graph that are independent run one after the other, because one stream was
 *   captured, or a child graph added behind another node.
 * EVIDENCE: in the launches of the graph a node has one edge, from the node that the same stream was
 *   captured with before it, or across the border of a child graph. By the arguments of their captured
 *   calls it needs nothing of that node, nor writes what earlier ones use. With the nodes' own times a second stream ends earlier, by
 *   BRIEF_NS or more: kernels beside each other where both fit on the device, copies beside kernels.
 * COST: the time from when the first node of the second branch could have started until it did.
 * FALSE POSITIVES: kernels that are bound by memory take longer beside each other; the estimate keeps
 *   the times that they had alone, the low end keeps kernels in turn if one has blocks on more than
 *   half of the multiprocessors. Where the arguments of captured calls are unknown, or a graph was
 *   updated, its nodes count as needed, and nothing is found there.
 */
#include "base/memory.h"
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/streams/graph_chains.h"

#include <stdio.h>
#include <stdlib.h>

struct branch {
	int64_t saved_ns; /* of a launch */
	size_t nodes, moved;
};

/* Whether operations of the chain that go to the second stream begin here. */
static bool begins_branch(const struct graph_chain *chain, size_t at)
{
	return chain->steps.items[at].is_moved && !chain->steps.items[at - 1].is_moved;
}

/* Up to the next branch a copy goes to the other buffer. */
static bool is_doubled(const struct graph_chain *chain, size_t at)
{
	bool is_doubled = chain->steps.items[at].is_doubled;

	while (++at < chain->steps.count && !begins_branch(chain, at))
		is_doubled |= chain->steps.items[at].is_doubled;
	return is_doubled;
}

static const char own_buffer_fix[] =
	"Give this branch a buffer of its own, which it fills while the other one is used, and "
	"capture it in a second stream: cudaStreamWaitEvent() there on an event of the first "
	"stream before it, and in the first stream on an event of the second one behind it.";

static const char own_buffer_of_child_fix[] =
	"Give this child graph a buffer of its own, which it fills while the other one is used, "
	"add it without a dependency on the nodes before it, and let only those depend on both "
	"that use what both write.";

static void add_branch(const struct model *model, const struct graph_chain *chain, size_t at,
		       struct instances *found)
{
	const struct model_operation *item = &model->operations[chain->first + at];
	const struct trace_call *child_call = item->operation->form->child_call;
	/* What stays comes earlier, up to the chain's end. */
	const struct span reach = {chain->steps.items[at].start_ns,
				   item[chain->steps.count - 1 - at].operation->end_ns};

	instance_add(
		found,
		(struct instance){
			.span = {chain->steps.items[at].start_ns, item->operation->start_ns},
			.reach = reach,
			.reach_of_both = reach,
			.site_call = child_call ? child_call : item->operation->form->node_call,
			.operation = item->operation,
			.cause = item[-1].operation,
			.is_doubtful =
				chain->has_wide && chain->has_kernels[0] && chain->has_kernels[1],
			.takes_other_fix = child_call != NULL,
			.fix = !is_doubled(chain, at) ? NULL
			       : child_call	      ? own_buffer_of_child_fix
						      : own_buffer_fix,
			.detail = INSTANCE_DETAIL(struct branch, chain->saved_ns,
						  chain->steps.count, chain->moved_count)});
}

static void find_serial_graphs(const struct observed *observed, struct instances *found)
{
	const struct model *model = observed->model;
	struct graph_chain chain = {0};

	while (model->trace->graph_edge_count && graph_chain_next(model, &chain))
		for (size_t at = 1; at < chain.steps.count && chain.saved_ns >= BRIEF_NS; at++)
			if (begins_branch(&chain, at))
				add_branch(model, &chain, at, found);
	graph_chain_free(&chain);
}

/* What becomes of a stream. */
struct second {
	uint32_t added;	 /* the second stream for its graphs, plus one; 0: not made yet */
	uint32_t before; /* the index in model.operations of its last one so far, plus one */
	uint32_t moved;	 /* the last one moved, likewise, behind which its next one comes */
};

struct fixing {
	const struct model *model;
	struct edits *edits;
	bool *is_moved; /* by index in trace.operations: true where an instance's branch begins */
	struct second *seconds; /* by index in trace.streams */
};

static const struct trace_operation *operation_at(const struct fixing *fixing, size_t index)
{
	return fixing->model->operations[index].operation;
}

static struct second *second_of(const struct fixing *fixing, size_t index)
{
	return &fixing->seconds[operation_at(fixing, index)->form->stream -
				fixing->model->trace->streams];
}

/* The default stream's barrier holds no branch of a graph that was launched in it. */
static uint32_t added_of(struct fixing *fixing, struct second *second)
{
	const uint32_t stream = (uint32_t)(second - fixing->seconds);
	const enum stream_flag flag = fixing->model->trace->streams[stream].flag;

	if (!second->added)
		second->added = edits_add_stream(fixing->edits, fixing->model, stream,
						 flag == STREAM_NULL ? STREAM_NON_BLOCKING : flag) +
				1;
	return second->added - 1;
}

/* Operations from `from` to `to`, which stay in their streams: the first behind a branch comes behind
 * its end, too. */
static void pass_operations(struct fixing *fixing, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct second *second = second_of(fixing, i);

		if (second->moved)
			edits_issue_behind(fixing->edits, fixing->model, operation_at(fixing, i),
					   operation_at(fixing, second->moved - 1));
		second->moved = 0;
		second->before = (uint32_t)i + 1;
	}
}

static bool is_of_instance(const struct fixing *fixing, size_t index)
{
	return fixing->is_moved[operation_at(fixing, index) - fixing->model->trace->operations];
}

/* Copies that fill two buffers in turn wait for those that use the one which they fill again. */
static void double_buffers(struct fixing *fixing, const struct graph_chain *chain)
{
	for (size_t at = 1; at < chain->steps.count; at++) {
		const struct chain_step *step = &chain->steps.items[at];
		const struct trace_operation *copy = operation_at(fixing, chain->first + at);

		if (!step->is_in_turn)
			continue;
		edits_double_buffer(fixing->edits, fixing->model, copy);
		if (step->behind)
			edits_issue_behind(fixing->edits, fixing->model, copy,
					   operation_at(fixing, chain->first + step->behind - 1));
	}
}

/* Of the chain those branches that are instances. The first one begins behind what the stream had
 * before the chain. */
static void move_branches(struct fixing *fixing, const struct graph_chain *chain)
{
	struct second *second = second_of(fixing, chain->first);
	const uint32_t before = second->before;
	uint32_t moved = 0;
	bool is_instance = false;

	pass_operations(fixing, chain->first, chain->first + 1);
	for (size_t at = 1; at < chain->steps.count; at++) {
		const size_t index = chain->first + at;

		if (begins_branch(chain, at))
			is_instance = is_of_instance(fixing, index);
		if (!chain->steps.items[at].is_moved || !is_instance) {
			second->before = (uint32_t)index + 1;
			continue;
		}
		if (!moved && before)
			edits_issue_behind(fixing->edits, fixing->model,
					   operation_at(fixing, index),
					   operation_at(fixing, before - 1));
		edits_move(fixing->edits, fixing->model, index, added_of(fixing, second));
		moved = (uint32_t)index + 1;
	}
	if (moved && chain->is_doubled)
		double_buffers(fixing, chain);
	second->moved = moved;
}

static void move_all(struct fixing *fixing)
{
	struct graph_chain chain = {0};
	size_t passed = 0;

	while (graph_chain_next(fixing->model, &chain)) {
		pass_operations(fixing, passed, chain.first);
		move_branches(fixing, &chain);
		passed = chain.first + chain.steps.count;
	}
	pass_operations(fixing, passed, fixing->model->operation_count);
	graph_chain_free(&chain);
}

/* One more stream for the capture mends all of its lines. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_stream *stream = instance->operation->form->stream;

	(void)model;
	return cause_of_pair(CAUSE_STREAM, stream->context_id, stream->id);
}

static void fix_serial_graphs(const struct observed *observed, const struct instance *instances,
			      size_t count, enum doubt doubt, struct edits *edits)
{
	const struct trace *trace = observed->model->trace;
	struct fixing fixing = {
		.model = observed->model,
		.edits = edits,
		.is_moved = memory_array(trace->operation_count, sizeof(*fixing.is_moved)),
		.seconds = memory_array(trace->stream_count, sizeof(*fixing.seconds)),
	};

	for (size_t i = 0; i < count; i++)
		if (doubt != DOUBT_KEEP || !instances[i].is_doubtful)
			fixing.is_moved[instances[i].operation - trace->operations] = true;
	move_all(&fixing);
	free(fixing.seconds);
	free(fixing.is_moved);
}

static void describe_branch(const struct observed *observed, const struct instance *instance,
			    char *text, size_t size)
{
	const struct branch branch = instance_detail(instance, struct branch);
	char waiter[160], holder[160];
	struct format saved;

	snprintf(text, size,
		 "%s waited for %s, which it does not need%s: %zu of the %zu nodes of this chain "
		 "could run beside the others, which saves %s a launch",
		 describe_operation(observed->model, instance->operation, waiter, sizeof(waiter)),
		 describe_cause(observed->model, instance->cause, holder, sizeof(holder)),
		 instance->fix ? " with a buffer of its own" : "", branch.moved, branch.nodes,
		 format_time(&saved, branch.saved_ns));
}

const struct detector detector_graph_serial = {
	.id = "graph-serial",
	.title = "Independent branches of a CUDA graph run one after the other",
	.fix = "Capture this branch in a second stream: cudaStreamWaitEvent() there on an event of "
	       "the first stream before it, and in the first stream on an event of the second one "
	       "behind it.",
	.other_fix =
		"Add this child graph without a dependency on the nodes before it, and let only "
		"those depend on both that use what both write.",
	.cost = "delayed",
	.low_end = "kernels that share multiprocessors can take longer by what they save",
	.find = find_serial_graphs,
	.apply = fix_serial_graphs,
	.cause = cause_of,
	.describe = describe_branch,
};
