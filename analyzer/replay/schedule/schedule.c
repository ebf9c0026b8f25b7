#include "replay/schedule/schedule.h"

#include <stdlib.h>

void schedule_free(struct schedule *schedule)
{
	free(schedule->tasks);
	free(schedule->edges);
	free(schedule->works);
	*schedule = (struct schedule){0};
}

void schedule_clear(struct schedule *schedule, size_t tasks, size_t edges, size_t works)
{
	schedule->task_count = schedule->edge_count = schedule->work_count = 0;
	schedule->tasks = memory_reserve(schedule->tasks, tasks, &schedule->task_capacity,
					 sizeof(*schedule->tasks));
	schedule->edges = memory_reserve(schedule->edges, edges, &schedule->edge_capacity,
					 sizeof(*schedule->edges));
	schedule->works = memory_reserve(schedule->works, works, &schedule->work_capacity,
					 sizeof(*schedule->works));
}

task_index schedule_add_joins(struct schedule *schedule, size_t count)
{
	size_t first = schedule->task_count, needed = first + count;

	if (needed > schedule->task_capacity) {
		schedule->task_capacity = needed + needed / 16;
		schedule->tasks = memory_shrink(schedule->tasks, schedule->task_capacity,
						sizeof(*schedule->tasks));
	}
	for (size_t i = first; i < needed; i++)
		schedule->tasks[i] = (struct schedule_task){.work = SCHEDULE_JOIN};
	schedule->task_count = needed;
	return (task_index)first;
}

void schedule_set_work(struct schedule *schedule, task_index task, struct schedule_work work)
{
	if (schedule->work_count == schedule->work_capacity)
		schedule->works = memory_grow(schedule->works, schedule->work_count,
					      &schedule->work_capacity, sizeof(*schedule->works));
	schedule->works[schedule->work_count] = work;
	schedule->tasks[task].work = (uint32_t)schedule->work_count++;
}
