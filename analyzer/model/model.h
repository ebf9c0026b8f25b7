/*
 * The model: when each operation could have run, and what it waited for.
 *
 * Built once from a trace; times are the trace's ns. True dependences form a graph of nodes: an
 * operation depends on one node, and a node joins earlier nodes. If the trace has launch arguments,
 * an operation needs the operations that wrote the memory that it reads (model/memory_needs.h).
 * Memory that cannot be seen counts as a dependence: a kernel or D2H copy then needs everything
 * written to the device before it in its stream (or in a stream that it waits for by an event, or
 * by the legacy default stream's barrier). An H2D copy needs only the D2H copies that wrote the
 * host memory that it reads, because these have their addresses.
 *
 * One thread builds the model. Afterwards nothing is changed, so any thread may call the functions
 * that take a const model. Everything belongs to the model, and the trace must outlive it.
 */
#ifndef STREAMTRACE_MODEL_H
#define STREAMTRACE_MODEL_H

#include "base/vector.h"
#include "model/chains.h"
#include "model/host_chain.h"
#include "model/host_record.h"
#include "model/rates.h"
#include "model/tool_cost.h"
#include "model/usage.h"
#include "trace/trace.h"

/* Index of a node in model.nodes; NODE_NONE: no dependence. */
typedef uint32_t node_index;
#define NODE_NONE 0

/* A node is an operation, or a join of two nodes that some operation needs or reuses. A node has a
 * larger index than the nodes that it depends on. */
struct model_node {
	int64_t end_ns;	  /* the operation's end; of a join, the latest end of what it joins */
	node_index first; /* of a join: the first node; otherwise what the operation needs */
	bool is_join : 1;
	uint32_t other : 31; /* of a join: the second node; otherwise the operation's index in
			      * model.operations */
};

static inline struct model_node model_node_of_join(node_index first, node_index second,
						   int64_t end_ns)
{
	return (struct model_node){.end_ns = end_ns,
				   .first = first,
				   .is_join = true,
				   .other = second & (UINT32_MAX >> 1)};
}

static inline struct model_node model_node_of_operation(node_index needs, size_t operation,
							int64_t end_ns)
{
	return (struct model_node){
		.end_ns = end_ns, .first = needs, .other = (uint32_t)operation & (UINT32_MAX >> 1)};
}

/* The second node of a join; NODE_NONE for an operation. */
static inline node_index model_node_second(const struct model_node *node)
{
	return node->is_join ? node->other : NODE_NONE;
}

/* What kept an operation from starting: of the operations that did, the one that ended last, and
 * its end. NULL and INT64_MIN: nothing. */
struct model_blocker {
	const struct trace_operation *operation;
	int64_t until_ns;
};

/* Adds an operation to those that kept another from starting. */
static inline void model_blocker_extend(struct model_blocker *blocker,
					const struct trace_operation *operation)
{
	if (!blocker->operation || operation->end_ns > blocker->until_ns)
		*blocker = (struct model_blocker){operation, operation->end_ns};
}

/* Whether a kernel writes memory that the host reads without a copy (model/results.h). */
enum model_result {
	MODEL_RESULT_NONE,
	MODEL_RESULT_GIVEN,
	MODEL_RESULT_UNSEEN /* its arguments are unknown; only while the model is built */
};

/* In place of an index in trace.operations: none. */
#define MODEL_NO_OPERATION UINT32_MAX

/* An operation in the model. There are millions, so functions compute what follows from the
 * members. */
struct model_operation {
	const struct trace_operation *operation;
	int64_t step_ns;  /* its time_ns in struct model_step; operations are in this order */
	int64_t event_ns; /* end of the last operation for which an event made it wait */
	/* Indexes in trace.operations, or MODEL_NO_OPERATION. stream: of the operations before this
	 * one in its stream, the one that ended last. barrier: the same of the operations across
	 * the legacy default stream's barrier. */
	uint32_t stream, barrier;
	node_index node;  /* its node */
	node_index needs; /* the node that it truly depends on */
	/* The node of operations that this one waits for only because it writes memory that they
	 * read or wrote; a second buffer would avoid that wait. NODE_NONE also if the trace has no
	 * launch arguments. */
	node_index reuses;
	enum model_result result : 8; /* only of a kernel */
	/* An H2D copy into the same memory as the stream's previous H2D copy. */
	bool reuses_buffer;
	/* An H2D copy that overwrites a whole allocation: nothing that was there is used later, so
	 * that a second buffer surely does. False if the allocation is unknown. */
	bool fills_buffer;
	/* Known are the memory that this operation writes, and the accesses of the operations in
	 * `reuses`. */
	bool is_reuse_seen;
	/* order_ns: when its stream had come to it, by the end of the operation before or of what
	 * events wait for. barrier_order_ns: when the other side of the legacy default stream's
	 * barrier was done. INT64_MIN: nothing to wait for. */
	int64_t order_ns, barrier_order_ns;
};

/* How much of its engine an operation used. */
struct model_load {
	struct occupancy occupancy;
	/* Its duration times its share. If several operations' shares exceed the engine, they
	 * divide it. */
	int64_t work_ns;
	uint32_t engine; /* index in model.engines */
};

struct model_index;

/* kernels: all kernels with a call; unseen_kernels: of these, those whose accessed memory is
 * unknown. */
struct model_seen {
	size_t kernels, unseen_kernels;
	/* Pointers in arguments. inner: into the middle of an allocation; unknown: into none, and
	 * not counted in `arguments`. */
	size_t arguments, inner_arguments, unknown_arguments;
};

/* A step in the order of enqueueing. index: in trace.event_waits for an event that is recorded or
 * waited for, in trace.operations for an operation, in trace.host_functions for a host function. */
enum model_step_kind { STEP_RECORD, STEP_WAIT, STEP_OPERATION, STEP_HOST_FUNCTION };
struct model_place {
	enum model_step_kind kind;
	uint32_t index;
};

struct model {
	const struct trace *trace;
	struct model_place *steps; /* in the order of model_steps() */
	size_t step_count;
	struct model_operation *operations; /* in the order of enqueueing */
	size_t operation_count;
	struct model_node *nodes; /* node 0 is NODE_NONE */
	size_t node_count, node_capacity;
	node_index first_known; /* only while built: first node of the window (nodes.h) */
	size_t needed_count;	/* nodes below this index are needed, the others only reused */
	/* By index in trace.host_functions: the end of what the host function ran after; INT64_MIN:
	 * nothing. */
	int64_t *host_function_order_ns;
	uint32_t *device_ids; /* ids of devices that ran operations */
	size_t device_count;
	struct usage *engines;			      /* indexed by device * ENGINE_COUNT +
						       * engine */
	struct chains chains;			      /* with the durations in the trace */
	struct model_load *loads;		      /* by index in trace.operations */
	struct copy_rate pinned_copies[ENGINE_COUNT]; /* by engine: how long copies of pinned memory
						       * take, or would take */
	uint32_t *thread_groups;		      /* by index in trace.calls; see
						       * thread_groups.h */
	struct host_record *host;	 /* host_record.h; NULL: the trace has no host states */
	struct host_chains *host_chains; /* host_chain.h; NULL likewise */
	struct tool_costs tool_costs;	 /* what the tracer added to each call */
	struct model_seen seen;		 /* all 0 if the trace has no launch arguments */
	struct model_index *index;	 /* model/lookup.c */
};

/* Index in model.engines of the engine that ran the operation. */
static inline uint32_t model_engine_of(const struct model *model,
				       const struct trace_operation *operation)
{
	return model->loads[operation - model->trace->operations].engine;
}

/* Index of a device in model.device_ids; model.device_count if the device ran nothing. */
size_t model_device(const struct model *model, uint32_t device_id);

/* A step (struct model_place) with its time; tie_ns orders steps of equal time. */
struct model_step {
	int64_t time_ns, tie_ns;
	enum model_step_kind kind;
	uint32_t index;
};

/* Returns all steps in order, and in *count how many. The caller must free() them. */
struct model_step *model_steps(const struct trace *trace, size_t *count);

/* When the operation's call began; without a call, when the operation did. */
static inline int64_t model_enqueue_ns(const struct trace_operation *operation)
{
	return operation->call ? operation->call->start_ns : operation->start_ns;
}

/* The earliest time when the device could have started the operation. The device gets the operation
 * at some time between the start of its call and its own start. The best guess is the call's end,
 * or the operation's start if that is earlier. */
static inline int64_t model_ready_ns(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	return !call || operation->start_ns < call->end_ns ? operation->start_ns : call->end_ns;
}

/* The end of the last operation that `item` truly depends on; INT64_MIN: none. */
static inline int64_t model_data_ns(const struct model *model, const struct model_operation *item)
{
	return model->nodes[item->needs].end_ns;
}

/* The blocker for model_operation.stream or .barrier. */
static inline struct model_blocker model_blocker_at(const struct model *model, uint32_t operation)
{
	struct model_blocker blocker = {NULL, INT64_MIN};

	if (operation != MODEL_NO_OPERATION)
		model_blocker_extend(&blocker, &model->trace->operations[operation]);
	return blocker;
}

/* Whether the device works on the operation; a copy between two devices is work of both. */
static inline bool model_is_work_of(const struct trace_operation *operation, uint32_t device_id)
{
	return operation->form->device_id == device_id ||
	       (operation->form->engine == ENGINE_PEER &&
		(operation->form->src_device_id == device_id ||
		 operation->form->dst_device_id == device_id));
}

/* Builds the model of a trace, which must outlive it. Never NULL. Free by model_free(). */
struct model *model_build(const struct trace *trace);

/* Builds the model of a retimed run (retimed.h). True dependences are those of `before`, whatever
 * the new times suggest. to_before: by index in trace.operations, the operation's index in
 * before->operations. `before` and to_before need not outlive the model. */
struct model *model_build_again(const struct trace *trace, const struct model *before,
				const uint32_t *to_before);
void model_free(struct model *model);

/* The time from which on only its engine can have delayed the operation: it was enqueued, and
 * everything that it needs, or that is ordered before it, was done. */
int64_t model_ordered_ns(const struct model *model, const struct model_operation *operation);

/* How one constraint (a stream's order, the barrier, ...) delayed an operation; all spans empty:
 * not at all. */
struct model_wait {
	/* The last time in which only the constraint kept the operation waiting: the operation was
	 * enqueued, what it needs was done, and its engine had room for its share (usage.h). */
	struct span span;
	/* From the first such time until the constraint ended. Other operations may have used the
	 * room in between; without the constraint this operation could have run before them. */
	struct span reach;
	/* The reach of the stream's order and the barrier as one constraint. */
	struct span reach_of_both;
};

/* Delays by the order of the operation's stream, and by the legacy default stream's barrier. */
struct model_wait model_delay_by_stream(const struct model *model,
					const struct model_operation *operation);
struct model_wait model_delay_by_barrier(const struct model *model,
					 const struct model_operation *operation);
/* Delay by an event that made the operation wait for those in its `reuses`, whose memory it writes
 * and does not read. */
struct model_wait model_delay_by_reuse(const struct model *model,
				       const struct model_operation *operation);
/* Delay by the hardware queue that both operations' streams share: `before`, enqueued in it
 * earlier, had to start first. */
struct model_wait model_delay_by_queue(const struct model *model,
				       const struct model_operation *operation,
				       const struct trace_operation *before);

/* The operation in a node (such as needs or reuses) that ended last; NULL: none, or not found after
 * JOINS_MOST_FOLLOWED (base/thresholds.def) joins. */
const struct trace_operation *model_last_in(const struct model *model, node_index node);

/* The end part of the span, which begins when the operation could have run: it was enqueued, what
 * it needs was done, and its engine had room. Empty: it never could. */
struct span model_free_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* Like model_free_within(), as if the operation had been enqueued before the span. The result
 * begins when what it needs was done, its stream had come to it, and its engine had room. */
struct span model_room_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* Like model_free_within(), but only the engine counts: the result begins when it had room. */
struct span model_engine_room(const struct model *model, const struct trace_operation *operation,
			      struct span span);

/* The stream that the call used; NULL: unknown. */
const struct trace_stream *model_stream_of(const struct model *model,
					   const struct trace_call *call);

/* Iterates over the operations enqueued before `call` whose results the host can have read only
 * after `call`; the operation enqueued last comes first. These are the ones enqueued since the
 * thread's wait `since` began, or that ended after it; since NULL: there was no wait, so all.
 * *cursor must be SIZE_MAX at first. NULL: no more. */
const struct trace_operation *model_result_before(const struct model *model,
						  const struct trace_call *since,
						  const struct trace_call *call, size_t *cursor);

/* The bytes that the host can read once the operation is done; 0: none. A kernel with
 * MODEL_RESULT_GIVEN (results.h) counts as a copy of one byte. */
uint64_t model_result_bytes(const struct model *model, const struct trace_operation *operation);

/* A hash of the operations that the call's thread enqueued between its call `since` (NULL: the
 * beginning) and `call`; 0: none. Equal for equal work. */
uint64_t model_work_between(const struct model *model, const struct trace_call *since,
			    const struct trace_call *call);

/* The first operation that the call's thread enqueued after the call returned, or NULL. */
const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call);

#endif
