/*
 * Computes when the tasks of a schedule (schedule.h) run, with or without changes. One thread for
 * each run.
 */
#ifndef STREAMTRACE_SCHEDULE_RUN_H
#define STREAMTRACE_SCHEDULE_RUN_H

#include "replay/schedule/schedule_changes.h"

/* The order in which engines take tasks. */
struct schedule_order {
	/* NULL: an engine takes the task that is ready first. Otherwise all tasks with an engine,
	 * and each engine takes its tasks in this order: then removing an edge or shortening a task
	 * never makes any task start later. */
	const task_index *given;
	size_t count;
};

/* How a run went, for finding the longest paths through it. Free by schedule_trail_free(). */
struct schedule_trail {
	task_index *tasks; /* each after all tasks that it waited for */
	/* By index in tasks. A task that waited for its engine beyond its edges got the engine when
	 * another one, `from`, ended or started: lag_ns after the end of `from` (negative: before).
	 * from SCHEDULE_NO_TASK: it had its engine at once. */
	struct schedule_bound {
		task_index from;
		int64_t lag_ns;
	} * bounds;
	size_t count;
};
void schedule_trail_free(struct schedule_trail *trail);

/* Memory that runs one after the other reuse. Zero-initialize it; schedule_memory_free() it. */
struct schedule_memory {
	struct room waits_for, queue, tasks_of_engine;
};
void schedule_memory_free(struct schedule_memory *memory);

/* Fills in ends_ns[task_count]; takes O(edges + tasks log tasks). changes: of this schedule, or
 * NULL. trail: NULL, or zeroed, or left by an earlier run of the schedule; the caller must free it.
 * False: the edges (and the given order) form a cycle. Then ends_ns is undefined, and *trail has
 * only the tasks that could run. */
bool schedule_run(const struct schedule *schedule, const struct schedule_changes *changes,
		  struct schedule_order order, struct schedule_memory *memory, int64_t *ends_ns,
		  struct schedule_trail *trail);

#endif
