/*
 * Builds a schedule from a timeline with edits, in one pass over all steps, in order, with streams
 * as edited. These declarations are shared by replay.c, replay_base.c and building*.c. One thread
 * for each building; times are ns. If memory runs out, the program ends (memory.h).
 */
#ifndef STREAMTRACE_BUILDING_H
#define STREAMTRACE_BUILDING_H

#include "base/vector.h"
#include "model/order.h"
#include "replay/observed/timeline_private.h"
#include "replay/schedule/needs.h"
#include "replay/schedule/schedule_changes.h"

#define NO_TASK UINT32_MAX

/* The two sides of the legacy default stream's barrier in a context, at the pass's current step.
 * Blocking streams have many tasks, for which usually nothing waits. The tasks are joined only when
 * something waits for them. */
struct passing_context {
	task_index legacy;
	VECTOR(task_index) blocking;
};

/* A stream at the pass's current step. */
struct passing_stream {
	task_index order; /* the task that its next operation runs after */
	task_index last;  /* the task of its last operation */
};

/* The tasks that an operation or host function comes after: in its stream, across the barrier, and
 * in its hardware queue. NO_TASK: none. */
struct building_marks {
	task_index order, across, queue;
};

/* A call that waits for everything in an operation's stream waits for the operation's task. If
 * edits moved the operation to another stream, or added streams, the call also waits for the last
 * task in the operation's own stream and in each added one: which of them ends last is unknown. */
struct building_wait_mark {
	uint32_t wait;	 /* index in timeline.waits */
	task_index task; /* the further task */
};
typedef VECTOR(struct building_wait_mark) building_wait_marks;

/* The state of building. The tasks, by index: the end of each call, then the model's operations,
 * then the joins of needs.h, then further joins and host functions. */
struct building {
	const struct timeline *timeline;
	const struct edits *edits;    /* NULL: none */
	const struct needs *needs;    /* for the streams as edited */
	struct replay_memory *memory; /* of the replay (replay_pool.h); only for changes */
	struct schedule *schedule;
	/* NULL: the schedule itself is built. Otherwise it exists, and edits renew some of its
	 * tasks. */
	struct schedule_changes *changes;
	struct order order;		  /* of all streams, including those that edits add */
	struct passing_stream *streams;	  /* by stream, as in the order's marks */
	struct passing_context *contexts; /* by context, as in the order's marks */
	task_index *events;		  /* by event, as in the order's marks: the task that its
					   * record comes after */
	task_index current;		  /* the current step's operation or host function */
	task_index *host_functions;	  /* by host function; NO_TASK: without a stream */
	task_index *gates;		  /* by call: when its thread reaches it; 0 or NULL: none */
	/* queues: by stream, the hardware queue of its kernels, if shared; queued: by queue, its
	 * last task. NULL: no shared queues. */
	uint32_t *queues;
	task_index *queued;
	uint32_t *moved;  /* from timeline_move_waits(); NULL: no wait moves */
	size_t next_wait; /* index in timeline->waits */
	/* marks: by index in model.operations, then in trace.host_functions; wait_marks: in the
	 * order of waits. Filled in while building; NULL: not wanted. The caller owns both. */
	struct building_marks *marks;
	building_wait_marks *wait_marks;
};

static inline const struct trace *building_trace(const struct building *building)
{
	return building->timeline->model->trace;
}

/* The task of an operation, by index in model.operations, or of a join of needs.h, whose indexes
 * follow. */
static inline task_index building_task_of(const struct building *building, size_t item)
{
	return (task_index)(building_trace(building)->call_count + item);
}

/* The edits of an operation, by index in model.operations. */
static inline edit_mask building_edit_of(const struct building *building, size_t index)
{
	return building->edits
		       ? building->edits->operations[building->timeline->operations[index].index]
		       : 0;
}

/* The call's own time, as edited. With edits it is without the tracer's part. */
static inline int64_t building_own_ns(const struct building *building, uint32_t call)
{
	const struct timeline_call *row = &building->timeline->calls[call];

	if (!building->edits)
		return row->own_ns;
	if (building->edits->calls[call] & EDIT_GONE)
		return 0;
	return building->edits->calls[call] & EDIT_OWN_TIME ? building->edits->calls_ns[call]
							    : row->own_ns - row->tool_ns;
}

/* The time from the previous call's end to the call's start, as edited. */
int64_t building_work_ns(const struct building *building, uint32_t call);

/* What the call's own thread still does of work that others do; for a call with edits. */
int64_t building_kept_ns(const struct building *building, uint32_t call);

/* Like building_work_ns(), without work that other threads do; for a call with edits. */
int64_t building_edited_gap_ns(const struct building *building, uint32_t call);

/* Like building_edited_gap_ns(), for any call. */
static inline int64_t building_gap_ns(const struct building *building, uint32_t call)
{
	const struct timeline_call *row = &building->timeline->calls[call];

	if (!building->edits)
		return row->gap_ns;
	return building->edits->calls[call] ? building_edited_gap_ns(building, call)
					    : row->gap_ns - row->tool_gap_ns;
}

/* The call after whose return another thread does the work before this call; NO_CALL: none. */
static inline uint32_t building_ahead(const struct building *building, uint32_t call)
{
	return building->edits && building->edits->calls[call] & EDIT_WORK_AHEAD
		       ? building->edits->ahead[call]
		       : NO_CALL;
}

/* From that call's return to the end of what the other thread does. */
static inline int64_t building_ahead_ns(const struct building *building, uint32_t call)
{
	return building_work_ns(building, call) - building_kept_ns(building, call);
}

/* The four functions below set a task in the schedule, or in its changes. An edge is added unless
 * `from` is NO_TASK. */
static inline void building_add_edge(struct building *building, task_index from, task_index to,
				     int64_t lag_ns)
{
	if (from == NO_TASK)
		return;
	if (building->changes)
		schedule_changes_add_edge(building->changes, from, to, lag_ns);
	else
		schedule_add_edge(building->schedule, from, to, lag_ns);
}

static inline void building_set_work(struct building *building, task_index task,
				     struct schedule_work work)
{
	if (building->changes)
		schedule_changes_set_work(building->changes, task, work);
	else
		schedule_set_work(building->schedule, task, work);
}

static inline void building_set_point(struct building *building, task_index task)
{
	if (building->changes)
		schedule_changes_set_point(building->changes, task);
	else
		building->schedule->tasks[task].work = SCHEDULE_POINT;
}

static inline void building_set_earliest(struct building *building, task_index task,
					 int64_t earliest_ns)
{
	if (building->changes)
		schedule_changes_set_earliest(building->changes, task, earliest_ns);
	else
		building->schedule->tasks[task].earliest_ns = earliest_ns;
}

/* Adds a task, a join at first, and returns its index. Not with changes. */
static inline task_index building_add_task(struct building *building)
{
	return schedule_add_joins(building->schedule, 1);
}

/* building.c: order, streams, contexts and events. Call before the first step; free by
 * building_free_order(). */
void building_init_order(struct building *building);
void building_free_order(struct building *building);

/* A task that comes after all that the mark stands for; NO_TASK: nothing. */
task_index building_behind(struct building *building, struct order_mark mark);

/* The callbacks for order.h, which add building->current. */
struct order_user building_order_user(struct building *building);

/* building_queues.c: queues and queued. Call after building_init_order(). */
void building_init_queues(struct building *building);
void building_free_queues(struct building *building);

/* Adds the operation (index in model.operations) to the stream's hardware queue, and returns the
 * task before it there; NO_TASK: none, or the queue is not shared. Call only if building->queues is
 * not NULL. */
task_index building_enqueue(struct building *building, size_t index, uint32_t stream);

static inline bool building_is_best_case(const struct building *building)
{
	return building->edits && building->edits->is_best_case;
}

/* best_case.c. The lag in a best case: a delay that no constraint explains is replaced by the
 * typical one. */
int64_t building_lag(const struct building *building, int64_t lag_ns, int64_t typical_ns);
/* Lets blocks of a kernel that needs the whole device begin where the last wave of the operation
 * (index in model.operations) leaves room: its task gives all back that much earlier. */
void building_fill_tail(const struct building *building, size_t index, struct schedule_work *work);

/* building_tasks.c. Each function sets one task's work and earliest start, and adds all edges to
 * it, but to a call's task not those of its waits. call: in trace.calls; join: of needs.h; index:
 * in model.operations or in trace.host_functions, where the task must exist. */
void building_add_call(struct building *building, uint32_t call);
void building_add_need(struct building *building, size_t join);
void building_add_operation(struct building *building, size_t index, struct building_marks behind);
void building_add_host_function(struct building *building, uint32_t index,
				struct building_marks behind);

/* The lag from the end of what the call waits for to its return. */
int64_t building_wait_lag_ns(const struct building *building, const struct timeline_wait *wait);

/* Adds the edges of the wait, whose operation or host function runs in this task. Returns the call
 * that waits, as edited; NO_CALL: no call does. */
uint32_t building_add_wait(struct building *building, const struct timeline_wait *wait,
			   task_index task);

/* building_steps.c. building_build() builds the whole schedule, replacing its content. The caller
 * must set timeline, edits, needs and schedule, may set marks and wait_marks, and must zero all
 * else; memory is not used. building_free() frees gates, moved and host_functions; all that the
 * caller has set stays the caller's. */
void building_build(struct building *building);
void building_free(struct building *building);

/* moved_waits.c. Returns an array by index in trace.calls. For a call whose wait an edit drops: the
 * later call of its thread that must then wait for the same; for others, and if there is none,
 * NO_CALL. The caller must free() it. */
uint32_t *timeline_move_waits(const struct timeline *timeline, const struct edits *edits);

#endif
