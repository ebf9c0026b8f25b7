#include "replay/schedule.h"

#include "memory.h"
#include "minmax.h"

#include <stdlib.h>

/* Something that happens at a time, in a binary heap: earliest first, equal ones by index. */
struct event {
	int64_t time_ns;
	uint32_t index;
};

struct heap {
	struct event *events;
	size_t count, capacity;
};

/* What an engine is doing. */
struct engine {
	struct heap releases; /* of the tasks that run: when, and whose share */
	int64_t last_start_ns;
	uint32_t room;
	/* SCHEDULE_AS_GIVEN: its tasks are order[next] .. order[end - 1]. */
	size_t next, end;
};

struct run {
	const struct schedule *schedule;
	enum schedule_order order;
	struct schedule_time *times;
	uint32_t *waits_for; /* by task: edges to it whose task has not run */
	size_t *edges_from;  /* by task: its first place in by_from; one more at the end */
	uint32_t *by_from;   /* edges, by the task that they come from */
	struct engine *engines;
	task_index *tasks_of_engine; /* by engine, in the order as given */
	bool *is_ready;
	struct heap ready;
	size_t done;
};

static bool is_before(struct event a, struct event b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.index < b.index;
}

static void heap_push(struct heap *heap, struct event event)
{
	size_t i;

	heap->events = memory_grow(heap->events, heap->count, &heap->capacity, sizeof(event));
	for (i = heap->count++; i > 0 && is_before(event, heap->events[(i - 1) / 2]);
	     i = (i - 1) / 2)
		heap->events[i] = heap->events[(i - 1) / 2];
	heap->events[i] = event;
}

static struct event heap_pop(struct heap *heap)
{
	struct event top = heap->events[0], last = heap->events[--heap->count];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    is_before(heap->events[child + 1], heap->events[child]))
			child++;
		if (!is_before(heap->events[child], last))
			break;
		heap->events[i] = heap->events[child];
		i = child;
	}
	if (heap->count)
		heap->events[i] = last;
	return top;
}

/* When the task, which is ready at the time, gets its share of the engine. */
static int64_t engine_take(struct engine *engine, const struct schedule_task *tasks,
			   task_index index, int64_t ready_ns)
{
	const struct schedule_task *task = &tasks[index];
	int64_t start_ns = max_ns(ready_ns, engine->last_start_ns);

	while (engine->releases.count &&
	       (engine->room < task->share || engine->releases.events[0].time_ns <= start_ns)) {
		struct event release = heap_pop(&engine->releases);

		engine->room += tasks[release.index].share;
		start_ns = max_ns(start_ns, release.time_ns);
	}
	engine->room -= task->share;
	engine->last_start_ns = start_ns;
	heap_push(&engine->releases,
		  (struct event){start_ns + task->duration_ns + task->release_ns, index});
	return start_ns;
}

static void run_task(struct run *run, task_index index)
{
	const struct schedule *schedule = run->schedule;
	const struct schedule_task *task = &schedule->tasks[index];
	struct schedule_time *time = &run->times[index];

	if (task->engine != SCHEDULE_NO_ENGINE)
		time->start_ns = engine_take(&run->engines[task->engine], schedule->tasks, index,
					     time->start_ns);
	time->end_ns = time->start_ns + task->duration_ns;
	run->done++;
	for (size_t i = run->edges_from[index]; i < run->edges_from[index + 1]; i++) {
		const struct schedule_edge *edge = &schedule->edges[run->by_from[i]];
		struct schedule_time *next = &run->times[edge->to];

		next->start_ns = max_ns(next->start_ns, time->end_ns + edge->lag_ns);
		if (--run->waits_for[edge->to] == 0)
			heap_push(&run->ready, (struct event){next->start_ns, edge->to});
	}
}

/* The engine's next tasks as far as they are ready. */
static void run_in_turn(struct run *run, struct engine *engine)
{
	while (engine->next < engine->end && run->is_ready[run->tasks_of_engine[engine->next]])
		run_task(run, run->tasks_of_engine[engine->next++]);
}

static void index_edges(struct run *run)
{
	const struct schedule *schedule = run->schedule;

	for (size_t i = 0; i < schedule->edge_count; i++) {
		run->edges_from[schedule->edges[i].from + 1]++;
		run->waits_for[schedule->edges[i].to]++;
	}
	for (size_t i = 0; i < schedule->task_count; i++)
		run->edges_from[i + 1] += run->edges_from[i];
	for (size_t i = schedule->edge_count; i-- > 0;)
		run->by_from[--run->edges_from[schedule->edges[i].from + 1]] = (uint32_t)i;
	/* Each place is now one to the left of where it belongs. */
	for (size_t i = 0; i < schedule->task_count; i++)
		run->edges_from[i] = run->edges_from[i + 1];
	run->edges_from[schedule->task_count] = schedule->edge_count;
}

static void index_engines(struct run *run)
{
	const struct schedule *schedule = run->schedule;
	size_t place = 0;

	for (size_t i = 0; i < schedule->task_count; i++)
		if (schedule->tasks[i].engine != SCHEDULE_NO_ENGINE)
			run->engines[schedule->tasks[i].engine].end++;
	for (size_t i = 0; i < schedule->engine_count; i++) {
		struct engine *engine = &run->engines[i];
		size_t count = engine->end;

		*engine = (struct engine){.last_start_ns = INT64_MIN,
					  .room = SCHEDULE_WHOLE,
					  .next = place,
					  .end = place};
		place += count;
	}
	for (size_t i = 0; i < schedule->task_count; i++)
		if (schedule->tasks[i].engine != SCHEDULE_NO_ENGINE)
			run->tasks_of_engine[run->engines[schedule->tasks[i].engine].end++] =
				(task_index)i;
}

static int compare_given(const void *a, const void *b, void *context)
{
	const struct schedule_task *tasks = context;
	task_index x = *(const task_index *)a, y = *(const task_index *)b;

	if (tasks[x].given_ns != tasks[y].given_ns)
		return tasks[x].given_ns < tasks[y].given_ns ? -1 : 1;
	return (x > y) - (x < y);
}

static void order_engines(struct run *run)
{
	for (size_t i = 0; i < run->schedule->engine_count; i++)
		qsort_r(run->tasks_of_engine + run->engines[i].next,
			run->engines[i].end - run->engines[i].next, sizeof(task_index),
			compare_given, (void *)run->schedule->tasks);
}

static void run_all(struct run *run)
{
	const struct schedule *schedule = run->schedule;

	for (size_t i = 0; i < schedule->task_count; i++) {
		run->times[i].start_ns = schedule->tasks[i].earliest_ns;
		if (!run->waits_for[i])
			heap_push(&run->ready, (struct event){run->times[i].start_ns, (uint32_t)i});
	}
	while (run->ready.count) {
		task_index index = heap_pop(&run->ready).index;
		uint32_t engine = schedule->tasks[index].engine;

		run->is_ready[index] = true;
		if (run->order == SCHEDULE_AS_GIVEN && engine != SCHEDULE_NO_ENGINE)
			run_in_turn(run, &run->engines[engine]);
		else
			run_task(run, index);
	}
}

bool schedule_run(const struct schedule *schedule, enum schedule_order order,
		  struct schedule_time *times)
{
	size_t tasks = schedule->task_count;
	struct run run = {
		.schedule = schedule,
		.order = order,
		.times = times,
		.waits_for = memory_array(tasks, sizeof(*run.waits_for)),
		.edges_from = memory_array(tasks + 2, sizeof(*run.edges_from)),
		.by_from = memory_array(schedule->edge_count, sizeof(*run.by_from)),
		.engines = memory_array(schedule->engine_count, sizeof(*run.engines)),
		.tasks_of_engine = memory_array(tasks, sizeof(*run.tasks_of_engine)),
		.is_ready = memory_array(tasks, sizeof(*run.is_ready)),
	};

	index_edges(&run);
	index_engines(&run);
	if (order == SCHEDULE_AS_GIVEN)
		order_engines(&run);
	run_all(&run);
	for (size_t i = 0; i < schedule->engine_count; i++)
		free(run.engines[i].releases.events);
	free(run.ready.events);
	free(run.is_ready);
	free(run.tasks_of_engine);
	free(run.engines);
	free(run.by_from);
	free(run.edges_from);
	free(run.waits_for);
	return run.done == tasks;
}
