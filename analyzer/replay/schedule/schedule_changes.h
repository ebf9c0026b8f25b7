/*
 * What edits change in a schedule that other runs use at the same time: the schedule itself stays
 * as it is.
 *
 * A renewed task loses its incoming edges, its work and its earliest start; the functions below
 * give it new ones. Its edges to tasks that are not renewed stay. One thread; if memory runs out,
 * the program ends (memory.h).
 */
#ifndef STREAMTRACE_SCHEDULE_CHANGES_H
#define STREAMTRACE_SCHEDULE_CHANGES_H

#include "base/vector.h"
#include "replay/schedule/schedule.h"

/* A task that is renewed, or from which edges go to renewed tasks. */
struct schedule_change {
	task_index task;
	bool is_renewed;
	/* If renewed: as in struct schedule_task; work is an index in works here. */
	uint32_t work, incoming;
	int64_t earliest_ns;
	uint32_t first; /* the last edge added from it, plus one, in edges here; 0: none */
};

/* Zero-initialize it; schedule_changes_free() it. */
struct schedule_changes {
	const struct schedule *schedule;
	uint32_t *numbers; /* by task: its index in changes plus one; 0: none */
	size_t number_count;
	VECTOR(struct schedule_change) changes;
	VECTOR(struct schedule_edge) edges;
	VECTOR(struct schedule_work) works;
};

/* Starts with no changes to the schedule, which must outlive the use of *changes. Reuses the memory
 * of earlier changes. */
void schedule_changes_begin(struct schedule_changes *changes, const struct schedule *schedule);
void schedule_changes_free(struct schedule_changes *changes);

/* Renews the task. Call at least once before anything is added to the task; again does nothing. */
void schedule_changes_renew(struct schedule_changes *changes, task_index task);

/* Adds an edge to `to`, which must be renewed. */
void schedule_changes_add_edge(struct schedule_changes *changes, task_index from, task_index to,
			       int64_t lag_ns);

/* Give a renewed task, which must be a join until then, work or make it a point. The last function
 * sets a renewed task's earliest start. */
void schedule_changes_set_work(struct schedule_changes *changes, task_index task,
			       struct schedule_work work);
void schedule_changes_set_point(struct schedule_changes *changes, task_index task);
void schedule_changes_set_earliest(struct schedule_changes *changes, task_index task,
				   int64_t earliest_ns);

/* The task's change, valid until the next is added; NULL: the task has none. */
static inline const struct schedule_change *
schedule_change_of(const struct schedule_changes *changes, task_index task)
{
	uint32_t number = changes->numbers[task];

	return number ? &changes->changes.items[number - 1] : NULL;
}

/* The task's work with the changes (NULL: without changes); NULL: it is a join or a point. */
static inline const struct schedule_work *schedule_work_of(const struct schedule *schedule,
							   const struct schedule_changes *changes,
							   task_index task)
{
	const struct schedule_change *change = changes ? schedule_change_of(changes, task) : NULL;
	bool is_renewed = change && change->is_renewed;
	uint32_t work = is_renewed ? change->work : schedule->tasks[task].work;

	if (work >= SCHEDULE_POINT)
		return NULL;
	return is_renewed ? &changes->works.items[work] : &schedule->works[work];
}

/* The task's duration with the changes (NULL: without changes); 0 for a join or a point. */
static inline int64_t schedule_duration_ns(const struct schedule *schedule,
					   const struct schedule_changes *changes, task_index task)
{
	const struct schedule_work *work = schedule_work_of(schedule, changes, task);

	return work ? work->duration_ns : 0;
}

/* Whether the task needs an engine. */
static inline bool schedule_has_engine(const struct schedule *schedule,
				       const struct schedule_changes *changes, task_index task)
{
	const struct schedule_work *work = schedule_work_of(schedule, changes, task);

	return work && work->engine != SCHEDULE_NO_ENGINE;
}

#endif
