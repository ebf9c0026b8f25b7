/*
 * When the tasks of a schedule run (schedule.h), as it is or with changes. One thread for a run.
 */
#ifndef STREAMTRACE_SCHEDULE_RUN_H
#define STREAMTRACE_SCHEDULE_RUN_H

#include "replay/schedule/schedule_changes.h"

/* The order in which engines take tasks. */
struct schedule_order {
	/* NULL: what is ready first. Else all tasks with an engine, each engine's in this order:
	 * taking away an edge, or shortening a task, then never makes any task start later. */
	const task_index *given;
	size_t count;
};

/* How a run went: for the longest paths through it. Freed with schedule_trail_free(). */
struct schedule_trail {
	task_index *tasks; /* each behind all that it waited for */
	/* By index in tasks: whose end or start, later than all its edges, let it have its engine, so long
	 * after that one's end; SCHEDULE_NO_TASK: it had its engine at once. */
	struct schedule_bound {
		task_index from;
		int64_t lag_ns;
	} * bounds;
	size_t count;
};
void schedule_trail_free(struct schedule_trail *trail);

/* What runs work in, one after the other. Zero-initialize it. */
struct schedule_memory {
	struct room waits_for, queue, tasks_of_engine;
};
void schedule_memory_free(struct schedule_memory *memory);

/* Fills in ends_ns[task_count]; O(edges + tasks log tasks). False, with ends_ns undefined, when the
 * edges (and the order, if it is given) form a cycle. changes: NULL, or those of the schedule. trail:
 * NULL, or zeros or what an earlier run of the schedule left there. */
bool schedule_run(const struct schedule *schedule, const struct schedule_changes *changes,
		  struct schedule_order order, struct schedule_memory *memory, int64_t *ends_ns,
		  struct schedule_trail *trail);

#endif
