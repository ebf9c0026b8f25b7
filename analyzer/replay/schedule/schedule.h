/*
 * When tasks run that wait for each other and share engines. Knows nothing of CUDA.
 *
 * A task starts when every edge to it allows it, its engine has room for it, and every task that
 * its engine took before it has started: an engine is a queue. Times are ns. One thread for a
 * schedule; out of memory ends the program (memory.h).
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
#define SCHEDULE_WHOLE	   1000000u /* the share of a task that fills its engine */

/* What a task does. */
struct schedule_work {
	int64_t duration_ns; /* >= 0 */
	/* It gives its share back so long after its end: what the engine takes to change over.
	 * Negative: before its end, when what is left of it needs less. >= -duration_ns */
	int64_t release_ns;
	/* It gives back all but tail_share so long before its end; 0 <= tail_ns <= duration_ns. */
	int64_t tail_ns;
	uint32_t engine;     /* < engine_count, or SCHEDULE_NO_ENGINE */
	uint32_t share;	     /* 1 .. SCHEDULE_WHOLE */
	uint32_t tail_share; /* <= share; without tail_ns it means nothing */
};

/* Instead of an index in works: no engine and no duration. Of a join only its edges matter; a point
 * comes in the order of time among the tasks with works. */
#define SCHEDULE_JOIN  UINT32_MAX
#define SCHEDULE_POINT (UINT32_MAX - 1)

struct schedule_task {
	int64_t earliest_ns; /* it starts no earlier */
	uint32_t work;	     /* index in works, SCHEDULE_POINT or SCHEDULE_JOIN */
	uint32_t first;	     /* the last edge that was added from it, plus one; 0: none */
	uint32_t incoming;   /* edges to it */
};

/* `to` starts no earlier than lag_ns after the end of the task that the edge comes from. lag_ns is
 * no less than -duration_ns of that: so `to` may start with it, not before. */
struct schedule_edge {
	int64_t lag_ns;
	task_index to;
	uint32_t next; /* another edge from the same task, plus one; 0: none */
};

/* Made with the functions below. Zero-initialize it but for engine_count. */
struct schedule {
	struct schedule_task *tasks;
	struct schedule_edge *edges;
	struct schedule_work *works;
	size_t task_count, edge_count, work_count, engine_count;
	size_t task_capacity, edge_capacity, work_capacity;
};

void schedule_free(struct schedule *schedule);

/* Takes out all there is, and keeps the memory for the next. */
void schedule_clear(struct schedule *schedule);

/* So many more joins; the first one's index. */
task_index schedule_add_joins(struct schedule *schedule, size_t count);

/* What the task does, which was a join so far. */
void schedule_set_work(struct schedule *schedule, task_index task, struct schedule_work work);

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
