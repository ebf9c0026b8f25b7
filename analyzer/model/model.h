/*
 * The model: when each operation could have run, and what it waited for.
 *
 * Built once from a trace; times are the trace's. True dependences form a graph of nodes: an
 * operation depends on one node, and a node joins earlier ones. If the trace has launch arguments,
 * an operation needs what wrote the memory that it reads (model/memory_needs.h). What cannot be
 * seen counts as a dependence: a kernel or D2H copy then needs everything written to the device
 * before it in its stream (or in a stream that it waits for by an event, or by the legacy default
 * stream's barrier). An H2D copy needs only what wrote the host memory that it reads, because D2H
 * copies have their addresses.
 *
 * Nothing is changed after model_build(), so any thread may read. Everything belongs to the model,
 * and the trace must outlive it.
 */
#ifndef STREAMTRACE_MODEL_H
#define STREAMTRACE_MODEL_H

#include "base/vector.h"
#include "model/chains.h"
#include "model/rates.h"
#include "model/usage.h"
#include "trace/trace.h"

/* Index of a node in model.nodes; NODE_NONE: no dependence. */
typedef uint32_t node_index;
#define NODE_NONE 0

/* An operation (`other` is its index in model.operations), or a join of two nodes that some
 * operation needs or reuses. A node comes after the nodes that it depends on. */
struct model_node {
	int64_t end_ns; /* end of the latest operation in it, or in nodes that it depends on */
	node_index first;
	bool is_join : 1;
	uint32_t other : 31; /* of a join: its second node; otherwise the operation */
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

static inline node_index model_node_second(const struct model_node *node)
{
	return node->is_join ? node->other : NODE_NONE;
}

/* What kept an operation from starting: the operation, of those that did, that ended last, and its
 * end. NULL and INT64_MIN: nothing. */
struct model_blocker {
	const struct trace_operation *operation;
	int64_t until_ns;
};

/* Adds an operation to those that did. */
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
	MODEL_RESULT_UNSEEN /* its arguments are unknown */
};

/* An index in trace.operations: none. */
#define MODEL_NO_OPERATION UINT32_MAX

/* An operation in the model. There are millions, so functions compute what follows from these. */
struct model_operation {
	const struct trace_operation *operation;
	int64_t step_ns;  /* its time_ns in struct model_step; operations are in this order */
	int64_t event_ns; /* end of the last operation for which an event made it wait */
	/* Indexes in trace.operations, or MODEL_NO_OPERATION: of the operations before it in its
	 * stream, and of those across the legacy default stream's barrier, the one that ended
	 * last. */
	uint32_t stream, barrier;
	node_index node;  /* its node */
	node_index needs; /* the node that it truly depends on */
	/* Operations that it waits for only because it writes memory that they read or wrote; a
	 * second buffer would avoid that. NODE_NONE also if the trace has no launch arguments. */
	node_index reuses;
	enum model_result result : 8; /* only of a kernel */
	/* An H2D copy into the same memory as the stream's previous H2D copy. */
	bool reuses_buffer;
	bool is_reuse_seen; /* what it writes is known, and what the others in `reuses` access */
	/* When its stream had come to it (end of the operation before, or of what events wait for),
	 * and when the other side of the legacy default stream's barrier was done. INT64_MIN:
	 * nothing to wait for. */
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

/* For how many kernels the accessed memory is known, and is not. */
struct model_seen {
	size_t kernels, unseen_kernels;
	size_t arguments, inner_arguments; /* pointers in arguments; those into the middle of an
					    * allocation */
};

/* A step in the order of enqueueing. index: of an event that is recorded or waited for in
 * trace.event_waits, of an enqueued operation in trace.operations, of a host function in
 * trace.host_functions. */
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
	/* By index in trace.host_functions: the end of what it ran after; INT64_MIN: nothing. */
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
	struct model_seen seen;	   /* all 0 if the trace has no launch arguments */
	struct model_index *index; /* model/lookup.c */
};

/* Index in model.engines of the engine that ran the operation. */
static inline uint32_t model_engine_of(const struct model *model,
				       const struct trace_operation *operation)
{
	return model->loads[operation - model->trace->operations].engine;
}

/* Index of a device in device_ids; device_count if it ran nothing. */
size_t model_device(const struct model *model, uint32_t device_id);

/* A step (struct model_place) with its time; tie_ns orders steps of equal time. */
struct model_step {
	int64_t time_ns, tie_ns;
	enum model_step_kind kind;
	uint32_t index;
};

/* Returns all steps in order, to be freed. */
struct model_step *model_steps(const struct trace *trace, size_t *count);

/* When the operation's call began; without a call, when the operation did. */
static inline int64_t model_enqueue_ns(const struct trace_operation *operation)
{
	return operation->call ? operation->call->start_ns : operation->start_ns;
}

/* The earliest time when the device could have started the operation. The device gets it at some
 * time between the call's start and the operation's; the call's end is the best guess. */
static inline int64_t model_ready_ns(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	return !call || operation->start_ns < call->end_ns ? operation->start_ns : call->end_ns;
}

/* The end of the last operation that it truly depends on; INT64_MIN: none. */
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

struct model *model_build(const struct trace *trace);

/* Builds the model of a retimed run (retimed.h). True dependences are those of `before`, whatever
 * the new times suggest. to_before: by index in trace.operations, the operation's index in
 * before->operations. */
struct model *model_build_again(const struct trace *trace, const struct model *before,
				const uint32_t *to_before);
void model_free(struct model *model);

/* When the operation was enqueued, and everything that it needs and that is ordered before it was
 * done: from then on only its engine can have delayed it. */
int64_t model_ordered_ns(const struct model *model, const struct model_operation *operation);

/* How one constraint (a stream's order, the barrier, ...) delayed an operation; all spans empty:
 * not at all. */
struct model_wait {
	/* The last time in which only the constraint kept the operation waiting: it was enqueued,
	 * what it needs was done, and its engine had room (usage.h; for a kernel: beside those that
	 * ran). */
	struct span span;
	/* From the first such time until the constraint ended. Other operations may have used the
	 * room in between; without the constraint this one could have run before them. */
	struct span reach;
	/* The reach of the stream's order and the barrier as one constraint. */
	struct span reach_of_both;
};
struct model_wait model_delay_by_stream(const struct model *model,
					const struct model_operation *operation);
struct model_wait model_delay_by_barrier(const struct model *model,
					 const struct model_operation *operation);
/* Delay by an event that made it wait for `reuses`: for memory that it writes and does not read. */
struct model_wait model_delay_by_reuse(const struct model *model,
				       const struct model_operation *operation);
/* Delay by `before`: a kernel enqueued earlier in the hardware queue that both streams share, which
 * had to start first. */
struct model_wait model_delay_by_queue(const struct model *model,
				       const struct model_operation *operation,
				       const struct trace_operation *before);

/* The operation in a node (such as needs or reuses) that ended last; NULL: none, or not found
 * quickly. */
const struct trace_operation *model_last_in(const struct model *model, node_index node);

/* The end part of the span, from when on the operation could have run: it was enqueued, what it
 * needs was done, its engine had room. Empty: it never could. */
struct span model_free_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* Like model_free_within(), as if it had been enqueued before the span: what it needs was done, its
 * stream had come to it, and its engine had room. */
struct span model_room_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* Like model_free_within(), but only from when on its engine had room. */
struct span model_engine_room(const struct model *model, const struct trace_operation *operation,
			      struct span span);

/* The stream that the call used; NULL: unknown. */
const struct trace_stream *model_stream_of(const struct model *model,
					   const struct trace_call *call);

/* Iterates over the operations before `call` whose results the host can have read only after it,
 * the last enqueued first: enqueued since the thread's wait `since` (NULL: there was none), or
 * ended after it. *cursor must be SIZE_MAX at first. NULL: no more. */
const struct trace_operation *model_result_before(const struct model *model,
						  const struct trace_call *since,
						  const struct trace_call *call, size_t *cursor);

/* The bytes that the host can read once the operation is done; 0: none. A kernel that writes mapped
 * or managed memory, or may (results.h), counts as a copy of one byte. */
uint64_t model_result_bytes(const struct model *model, const struct trace_operation *operation);

/* A hash of what the call's thread enqueued between its call `since` (NULL: the beginning) and this
 * call; 0: nothing. Equal for equal work. */
uint64_t model_work_between(const struct model *model, const struct trace_call *since,
			    const struct trace_call *call);

/* The first operation that the call's thread enqueued after the call returned, or NULL. */
const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call);

#endif
