/*
 * Makes a schedule from a timeline with edits: what replay.c and building*.c share. One pass over all
 * steps, in order, with streams as the edits have them. One thread; each replay has its own.
 */
#ifndef STREAMTRACE_BUILDING_H
#define STREAMTRACE_BUILDING_H

#include "base/vector.h"
#include "model/order.h"
#include "replay/schedule/needs.h"
#include "replay/schedule/schedule_changes.h"
#include "replay/observed/timeline_private.h"

#define NO_TASK UINT32_MAX

/* The sides of the legacy default stream's barrier in a context, at the current step of the pass.
 * The blocking streams have many tasks, and mostly nothing waits for them: they are joined when
 * something does. */
struct passing_context {
	task_index legacy;
	VECTOR(task_index) blocking;
};

/* A stream at the current step of the pass. */
struct passing_stream {
	task_index order; /* what its next operation runs after */
	task_index last;  /* its last operation */
};

/* What an operation or a host function comes after: by its stream, across the barrier, and in its
 * hardware queue. NO_TASK: nothing. */
struct building_marks {
	task_index order, across, queue;
};

/* A call that waits for an operation also waits for a task that ran in its stream before the edits, or
 * would have: in what order they ended is open then. */
struct building_wait_mark {
	uint32_t wait; /* index in timeline.waits */
	task_index task;
};
typedef VECTOR(struct building_wait_mark) building_wait_marks;

/* The tasks: a call's end each, then the model's operations, then joins and host functions. */
struct building {
	const struct timeline *timeline;
	const struct edits *edits; /* NULL: none */
	const struct needs *needs; /* in the streams of the edits */
	struct replay_memory *memory;
	struct schedule *schedule;
	/* NULL: the schedule itself is built. Else it is done, and edits renew some of its tasks. */
	struct schedule_changes *changes;
	struct order order;		  /* with the streams that the edits add */
	struct passing_stream *streams;	  /* by the indexes of the order's marks */
	struct passing_context *contexts; /* likewise */
	task_index *events;		  /* likewise: what the event was recorded behind */
	task_index current;		  /* the operation or host function of this step */
	task_index *host_functions;	  /* NO_TASK: without a stream */
	task_index *gates;		  /* by call: when its thread reaches it; 0 or NULL: none */
	/* By the order's streams, the hardware queue of its kernels, as far as those are shared;
	 * and by queue, its last task. NULL where none is. */
	uint32_t *queues;
	task_index *queued;
	uint32_t *moved;  /* timeline_move_waits(); without edits not used */
	size_t next_wait; /* in timeline->waits */
	/* By index in model.operations, then by host function; and those of waits in order. NULL: not
	 * asked for. */
	struct building_marks *marks;
	building_wait_marks *wait_marks;
};

static inline const struct trace *building_trace(const struct building *building)
{
	return building->timeline->model->trace;
}

/* Of an operation, by index in model.operations; and of joins of needs.h behind them. */
static inline task_index building_task_of(const struct building *building, size_t item)
{
	return (task_index)(building_trace(building)->call_count + item);
}

/* enum operation_edit of an operation, by index in model.operations. */
static inline uint8_t building_edit_of(const struct building *building, size_t index)
{
	return building->edits
		       ? building->edits->operations[building->timeline->operations[index].index]
		       : 0;
}

/* What the call takes by itself, as edited. */
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

/* From the end of the call before to the call's start, as edited. */
int64_t building_work_ns(const struct building *building, uint32_t call);

/* The same, but for what other threads do of it, where the call has edits. */
int64_t building_edited_gap_ns(const struct building *building, uint32_t call);

static inline int64_t building_gap_ns(const struct building *building, uint32_t call)
{
	const struct timeline_call *row = &building->timeline->calls[call];

	if (!building->edits)
		return row->gap_ns;
	return building->edits->calls[call] ? building_edited_gap_ns(building, call)
					    : row->gap_ns - row->tool_gap_ns;
}

/* The call from whose return on another thread does the work before this one; or NO_CALL. */
static inline uint32_t building_ahead(const struct building *building, uint32_t call)
{
	return building->edits && building->edits->calls[call] & EDIT_WORK_AHEAD
		       ? building->edits->ahead[call]
		       : NO_CALL;
}

/* From NO_TASK: no edge. */
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

/* A join. */
static inline task_index building_add_task(struct building *building)
{
	return schedule_add_joins(building->schedule, 1);
}

/* building.c. Before the first step; freed with building_free_order(). */
void building_init_order(struct building *building);
void building_free_order(struct building *building);

/* A task behind all that the mark stands for; NO_TASK: nothing. */
task_index building_behind(struct building *building, struct order_mark mark);

/* For order.h: adds building->current. */
struct order_user building_order_user(struct building *building);

/* building_lags.c: from the end of what a call waits for to its return; from a call's start until
 * its operation can run; from the end of what an operation runs after to its start; from its end
 * until its engine is free (see struct schedule_task). Operations by index in model.operations. */
int64_t building_wait_lag_ns(const struct building *building, const struct timeline_wait *wait);
int64_t building_enqueue_lag_ns(const struct building *building, size_t index);
int64_t building_order_lag_ns(const struct building *building, size_t index);
int64_t building_release_ns(const struct building *building, size_t index);

/* building_queues.c: after building_init_order(). */
void building_init_queues(struct building *building);
void building_free_queues(struct building *building);

/* The operation, by index in model.operations, is next in the stream's hardware queue: the one that
 * was before it; NO_TASK: none, or it runs in no shared queue. There are queues. */
task_index building_enqueue(struct building *building, size_t index, uint32_t stream);

static inline bool building_is_best_case(const struct building *building)
{
	return building->edits && building->edits->is_best_case;
}

/* best_case.c. A delay that no constraint explains need not come again: then it is the typical one. */
int64_t building_lag(const struct building *building, int64_t lag_ns, int64_t typical_ns);
/* Blocks of a kernel that needs the whole device begin where the last wave of the operation, by index
 * in model.operations, leaves room: as if its task gave all back so much earlier. */
void building_fill_tail(const struct building *building, size_t index, struct schedule_work *work);

/* building_tasks.c: all edges to one task, its work and when it starts at the earliest; of a call but
 * for its waits. Operations and joins of needs.h by index; a host function's task is there. */
void building_add_call(struct building *building, uint32_t call);
void building_add_need(struct building *building, size_t join);
void building_add_operation(struct building *building, size_t index, struct building_marks behind);
void building_add_host_function(struct building *building, uint32_t index,
				struct building_marks behind);

/* The edges of the wait for what the task runs; the call that waits then, or NO_CALL. */
uint32_t building_add_wait(struct building *building, const struct timeline_wait *wait,
			   task_index task);

/* building_steps.c: the whole schedule, what was in it before is gone. Given: timeline, edits, needs,
 * schedule, and marks where they are asked for. */
void building_build(struct building *building);
void building_free(struct building *building);

/* By call, for one whose wait an edit drops: the later call of the same thread that must then wait
 * for the same; NO_CALL for none. Freed with free(). */
uint32_t *timeline_move_waits(const struct timeline *timeline, const struct edits *edits);

#endif
