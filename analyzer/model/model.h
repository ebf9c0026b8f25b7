/*
 * When each operation could have run, and what it waited for.
 *
 * Built once from a trace; times are the trace's. The dependences that an operation truly has are a
 * graph of nodes: an operation depends on one node, and a node joins earlier ones. Where the trace
 * has the arguments of launches, an operation needs what wrote the memory that it reads
 * (model/memory_needs.h). What cannot be seen counts as a dependence: a kernel, and a copy out of
 * the device, then needs everything that was written to the device before it in its stream (or in a
 * stream that it waits for by an event, or by the legacy default stream's barrier). A copy into the
 * device needs only what wrote the host memory it reads: copies out of the device are seen with
 * their addresses.
 */
#ifndef STREAMTRACE_MODEL_H
#define STREAMTRACE_MODEL_H

#include "base/vector.h"
#include "model/chains.h"
#include "model/rates.h"
#include "model/usage.h"
#include "trace/trace.h"

/* Index of a node; NODE_NONE depends on nothing. */
typedef uint32_t node_index;
#define NODE_NONE 0

/* An operation (then `operation` is its index in model.operations) or a join that some operation
 * needs or reuses. Operations and joins come after what they depend on. */
struct model_node {
	int64_t end_ns; /* of the latest operation in it or before it */
	node_index first;
	bool is_join : 1;
	uint32_t other : 31; /* of a join its second node, else the operation */
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

/* What kept an operation from starting: of the operations that did the last to end, and its end.
 * NULL and INT64_MIN: nothing did. */
struct model_blocker {
	const struct trace_operation *operation;
	int64_t until_ns;
};

/* One more operation that did. */
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
	MODEL_RESULT_UNSEEN /* its arguments are not known */
};

/* An index in trace.operations: that of no operation. */
#define MODEL_NO_OPERATION UINT32_MAX

/* There are millions of them: what follows from other members is left to functions. */
struct model_operation {
	const struct trace_operation *operation;
	int64_t step_ns;  /* struct model_step's time_ns of it: they are in this order */
	int64_t event_ns; /* end of the last operation that an event made it wait for */
	/* By index in trace.operations, or MODEL_NO_OPERATION: the last to end of the operations
	 * before it in its stream, and across the legacy default stream's barrier. */
	uint32_t stream, barrier;
	node_index node;  /* its own */
	node_index needs; /* what it truly depends on */
	/* What it waits for only because it writes memory that they read or wrote: not needed with
	 * a second buffer. NODE_NONE also where the trace has no launch arguments. */
	node_index reuses;
	enum model_result result : 8; /* of a kernel */
	/* An H2D copy with the same destination as the previous H2D copy of its stream. */
	bool reuses_buffer;
	bool is_reuse_seen; /* what it writes is known, and so is what else is in `reuses` */
	/* End of the operation before it in its stream, or of what events make it wait for; and end
	 * of the other side of the legacy default stream's barrier. INT64_MIN: none. */
	int64_t order_ns, barrier_order_ns;
};

/* What an operation took of its engine. */
struct model_load {
	struct occupancy occupancy;
	/* Its time by its share; where several came to more than the engine has, they divide it. */
	int64_t work_ns;
	uint32_t engine; /* index in model.engines */
};

struct model_index;

/* For how many kernels the accessed memory is known. */
struct model_seen {
	size_t kernels, unseen_kernels;
	size_t arguments, inner_arguments; /* pointers; those into the middle of an allocation */
};

/* One thing that happens in order: an event is recorded or waited for (index in
 * trace.event_waits), an operation is enqueued (index in trace.operations), a host function is
 * (index in trace.host_functions). */
enum model_step_kind { STEP_RECORD, STEP_WAIT, STEP_OPERATION, STEP_HOST_FUNCTION };
struct model_place {
	enum model_step_kind kind;
	uint32_t index;
};

struct model {
	const struct trace *trace;
	struct model_place *steps; /* in the order of model_steps() */
	size_t step_count;
	struct model_operation *operations; /* in order of being enqueued */
	size_t operation_count;
	struct model_node *nodes; /* node 0 is NODE_NONE */
	size_t node_count, node_capacity;
	node_index first_known; /* while it is built: of the window (nodes.h) */
	size_t needed_count;	/* so many are needed, not just reused: they come first */
	/* The end of what each host function ran after, by index in trace.host_functions;
	 * INT64_MIN: nothing. */
	int64_t *host_function_order_ns;
	uint32_t *device_ids; /* devices that ran operations */
	size_t device_count;
	struct usage *engines;			      /* by device and engine */
	struct chains chains;			      /* as the trace's operations took */
	struct model_load *loads;		      /* by index in trace.operations */
	struct copy_rate pinned_copies[ENGINE_COUNT]; /* what they take, or would take */
	uint32_t *thread_groups;		      /* thread_groups.h: by index in trace.calls */
	struct model_seen seen;	   /* all 0 where the trace has no arguments of launches */
	struct model_index *index; /* model/lookup.c */
};

/* Index in model.engines of what runs the operation. */
static inline uint32_t model_engine_of(const struct model *model,
				       const struct trace_operation *operation)
{
	return model->loads[operation - model->trace->operations].engine;
}

/* Index of a device in device_ids; device_count when it ran nothing. */
size_t model_device(const struct model *model, uint32_t device_id);

/* The same with its time. */
struct model_step {
	int64_t time_ns, tie_ns;
	enum model_step_kind kind;
	uint32_t index;
};

/* All of them, in order; freed with free(). */
struct model_step *model_steps(const struct trace *trace, size_t *count);

/* When its call began. */
static inline int64_t model_enqueue_ns(const struct trace_operation *operation)
{
	return operation->call ? operation->call->start_ns : operation->start_ns;
}

/* The earliest time at which the device could have started it. It can have it at the earliest when
 * the call is under way, and at the latest when it starts; the call's end is the best guess between. */
static inline int64_t model_ready_ns(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	return !call || operation->start_ns < call->end_ns ? operation->start_ns : call->end_ns;
}

/* The end of the last operation that it truly depends on. */
static inline int64_t model_data_ns(const struct model *model, const struct model_operation *item)
{
	return model->nodes[item->needs].end_ns;
}

/* Of model_operation.stream or its barrier. */
static inline struct model_blocker model_blocker_at(const struct model *model, uint32_t operation)
{
	struct model_blocker blocker = {NULL, INT64_MIN};

	if (operation != MODEL_NO_OPERATION)
		model_blocker_extend(&blocker, &model->trace->operations[operation]);
	return blocker;
}

/* A copy between two devices is work of both. */
static inline bool model_is_work_of(const struct trace_operation *operation, uint32_t device_id)
{
	return operation->form->device_id == device_id ||
	       (operation->form->engine == ENGINE_PEER &&
		(operation->form->src_device_id == device_id ||
		 operation->form->dst_device_id == device_id));
}

struct model *model_build(const struct trace *trace);

/* The same run at other times (retimed.h): what its operations truly need is what they needed
 * before, whatever the new times say. to_before: by index in trace.operations, the operation's
 * index in before->operations. */
struct model *model_build_again(const struct trace *trace, const struct model *before,
				const uint32_t *to_before);
void model_free(struct model *model);

/* When it was enqueued, and all that it needs and that is before it in order was done: only its engine can
 * have delayed it since. */
int64_t model_ordered_ns(const struct model *model, const struct model_operation *operation);

/* How a constraint delayed an operation: all empty when it did not. */
struct model_wait {
	/* The last time that the operation was enqueued, what it needs done, room for it on its
	 * engine (usage.h: for a kernel, beside those that ran), and only the constraint was in its
	 * way. */
	struct span span;
	/* From the first such time until the constraint fell. Other operations may have taken the
	 * room between; without the constraint this one could have come before them. */
	struct span reach;
	/* The same for the stream and the barrier together, as one constraint. */
	struct span reach_of_both;
};
struct model_wait model_delay_by_stream(const struct model *model,
					const struct model_operation *operation);
struct model_wait model_delay_by_barrier(const struct model *model,
					 const struct model_operation *operation);
/* By an event that made it wait for `reuses`: for memory that it writes, and does not read. */
struct model_wait model_delay_by_reuse(const struct model *model,
				       const struct model_operation *operation);
/* By the start of a kernel that was enqueued before it in the hardware queue that both streams share. */
struct model_wait model_delay_by_queue(const struct model *model,
				       const struct model_operation *operation,
				       const struct trace_operation *before);

/* The last to end of what is in a node, such as what an operation needs or reuses; NULL: there is none, or
 * it is not found at once. */
const struct trace_operation *model_last_in(const struct model *model, node_index node);

/* The part of the span from when the operation could have run: it was enqueued, what it needs was
 * done and there was room for it on its engine. Empty when that never was. */
struct span model_free_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* The same as if it had been enqueued before the span: what it needs was done, its stream had come to it,
 * and there was room. */
struct span model_room_within(const struct model *model, const struct model_operation *operation,
			      struct span span);

/* The same, whatever the operation needs: from when its engine had room. */
struct span model_engine_room(const struct model *model, const struct trace_operation *operation,
			      struct span span);

/* The stream that the call named, or NULL when it is not known. */
const struct trace_stream *model_stream_of(const struct model *model,
					   const struct trace_call *call);

/* One after the other, the last enqueued first: the operations before the call whose results the
 * host can have read only after it. They were enqueued since the thread's wait before, or ended
 * after that. since is NULL when there was none; *cursor is SIZE_MAX at first; NULL when there are
 * no more. */
const struct trace_operation *model_result_before(const struct model *model,
						  const struct trace_call *since,
						  const struct trace_call *call, size_t *cursor);

/* The bytes of what the host can read when the operation is done, 0 when that is nothing. A kernel
 * that writes mapped or managed memory, or may (results.h), counts as a copy of a single byte. */
uint64_t model_result_bytes(const struct model *model, const struct trace_operation *operation);

/* What the call's thread enqueued between the call `since` of the same thread (NULL: from the
 * beginning) and the call: equal for equal work, 0 for none. */
uint64_t model_work_between(const struct model *model, const struct trace_call *since,
			    const struct trace_call *call);

/* The first operation that the same thread enqueued after the call returned, or NULL. */
const struct trace_operation *model_next_of_thread(const struct model *model,
						   const struct trace_call *call);

#endif
