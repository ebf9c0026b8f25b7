/*
 * A schedule: tasks that wait for each other and share engines. Knows nothing of CUDA.
 *
 * A task starts when every edge to it allows it, its engine has room, and every task that the
 * engine took before has started: an engine is a queue. Times are ns. One thread for each schedule;
 * if memory runs out, the program ends (memory.h).
 */
#ifndef STREAMTRACE_SCHEDULE_H
#define STREAMTRACE_SCHEDULE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t task_index;

#define SCHEDULE_NO_ENGINE UINT32_MAX
#define SCHEDULE_NO_TASK   UINT32_MAX
#define SCHEDULE_WHOLE	   1000000u /* the share of a task that needs the whole engine */

/* What a task does. */
struct schedule_work {
	int64_t duration_ns; /* >= 0 */
	/* How long after its end the task gives its share back: the engine's switching time.
	 * Negative: before its end, if the rest of the task needs less. At least -duration_ns. */
	int64_t release_ns;
	/* How long before its end the task gives back all but tail_share; 0 <= tail_ns <=
	 * duration_ns. */
	int64_t tail_ns;
	uint32_t engine;     /* < engine_count, or SCHEDULE_NO_ENGINE */
	uint32_t share;	     /* 1 .. SCHEDULE_WHOLE */
	uint32_t tail_share; /* <= share; ignored if tail_ns is 0 */
};

/* In place of an index in works, for a task without engine and duration. A join only passes its
 * edges on. A point is also taken in the order of time among the tasks with works. */
#define SCHEDULE_JOIN  UINT32_MAX
#define SCHEDULE_POINT (UINT32_MAX - 1)

struct schedule_task {
	int64_t earliest_ns; /* the task starts no earlier */
	uint32_t work;	     /* index in works, SCHEDULE_POINT or SCHEDULE_JOIN */
	uint32_t first;	     /* the last edge added from it, plus one; 0: none */
	uint32_t incoming;   /* number of edges to it */
};

/* `to` starts no earlier than lag_ns after the end of the task that the edge comes from. lag_ns is
 * at least -duration_ns of that task: `to` may start together with that task, not before. */
struct schedule_edge {
	int64_t lag_ns;
	task_index to;
	uint32_t next; /* another edge from the same task, plus one; 0: none */
};

/* Fill it in by the functions below. Zero-initialize it except for engine_count. */
struct schedule {
	struct schedule_task *tasks;
	struct schedule_edge *edges;
	struct schedule_work *works;
	size_t task_count, edge_count, work_count, engine_count;
	size_t task_capacity, edge_capacity, work_capacity;
};

/* Frees the arrays, but not *schedule. */
void schedule_free(struct schedule *schedule);

/* Removes all tasks, edges and works, and makes room for so many: there may be more or fewer. Keeps
 * memory that is enough. */
void schedule_clear(struct schedule *schedule, size_t tasks, size_t edges, size_t works);

/* Adds `count` tasks, which are joins; returns the index of the first. */
task_index schedule_add_joins(struct schedule *schedule, size_t count);

/* Gives work to a task that is a join until then. */
void schedule_set_work(struct schedule *schedule, task_index task, struct schedule_work work);

/* Adds an edge between two tasks of the schedule. */
static inline void schedule_add_edge(struct schedule *schedule, task_index from, task_index to,
				     int64_t lag_ns)
{
	if (schedule->edge_count == schedule->edge_capacity)
		schedule->edges = memory_grow(schedule->edges, schedule->edge_count,
					      &schedule->edge_capacity, sizeof(*schedule->edges));
	schedule->edges[schedule->edge_count++] =
		(struct schedule_edge){lag_ns, to, schedule->tasks[from].first};
	schedule->tasks[from].first = (uint32_t)schedule->edge_count;
	schedule->tasks[to].incoming++;
}

#endif
