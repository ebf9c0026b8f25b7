/*
 * When tasks run that wait for each other and share engines. Knows nothing of CUDA.
 *
 * A task starts when every edge to it allows it, its engine has room for it, and every task that
 * its engine took before it has started: an engine is a queue. Times are ns. One thread; out of
 * memory ends the program (memory.h).
 */
#ifndef STREAMTRACE_SCHEDULE_H
#define STREAMTRACE_SCHEDULE_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t task_index;

#define SCHEDULE_NO_ENGINE UINT32_MAX
/* No engine and no duration: only its edges matter. */
#define SCHEDULE_JOIN  (UINT32_MAX - 1)
#define SCHEDULE_WHOLE 1000000u /* the share of a task that fills its engine */

struct schedule_task {
	int64_t earliest_ns; /* it starts no earlier */
	int64_t duration_ns; /* >= 0 */
	/* It gives its share back so long after its end: what the engine takes to change over.
	 * Negative: before its end, when what is left of it needs less. >= -duration_ns */
	int64_t release_ns;
	/* It gives back all but tail_share so long before its end; 0 <= tail_ns <= duration_ns. */
	int64_t tail_ns;
	uint32_t engine;     /* < engine_count, SCHEDULE_NO_ENGINE or SCHEDULE_JOIN */
	uint32_t share;	     /* 1 .. SCHEDULE_WHOLE */
	uint32_t tail_share; /* <= share; without tail_ns it means nothing */
};

/* `to` starts no earlier than lag_ns after the end of `from`. lag_ns is no less than -duration_ns of
 * `from`: so `to` may start with it, not before. */
struct schedule_edge {
	task_index from, to;
	int64_t lag_ns;
};

struct schedule {
	const struct schedule_task *tasks;
	const struct schedule_edge *edges;
	size_t task_count, edge_count, engine_count;
	/* The tasks that have an engine, in the order in which they started before; NULL: in the
	 * order of their indexes. */
	const task_index *given;
	struct schedule_memory *memory; /* linked; NULL: made for the run */
};

enum schedule_order {
	SCHEDULE_FIRST_READY, /* an engine takes what is ready first */
	SCHEDULE_AS_GIVEN     /* in the order as given: taking away an edge, or shortening a
				 task, never makes any task start later */
};

/* Start and end of each task. */
struct schedule_time {
	int64_t start_ns, end_ns;
};

/* Which edges come from each task, and what runs work in: for several runs of a schedule, and then
 * for the next schedule. Zero-initialize it. */
struct schedule_memory {
	struct room first, next, waits_for, queue, tasks_of_engine;
};
void schedule_link(const struct schedule *schedule, struct schedule_memory *memory);
void schedule_memory_free(struct schedule_memory *memory);

/* Fills in times[task_count]; O(edges + tasks log tasks). False, with times undefined, when the
 * edges (and with SCHEDULE_AS_GIVEN the order) form a cycle. */
bool schedule_run(const struct schedule *schedule, enum schedule_order order,
		  struct schedule_time *times);

#endif
