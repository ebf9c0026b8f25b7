#include "replay/schedule.h"

#include "base/vector.h"
#include "base/minmax.h"
#include "replay/event_heap.h"

#include <stdlib.h>
#include <string.h>

/* What an engine is doing. */
struct engine {
	struct event_heap releases; /* of the tasks that run: when, and whose share */
	int64_t last_start_ns;
	uint32_t room;
	/* SCHEDULE_AS_GIVEN: its tasks are order[next] .. order[end - 1]. */
	size_t next, end;
};

struct run {
	const struct schedule *schedule;
	struct schedule_memory *memory;
	/* Lists of the edges that come from a task, by numbers that are one more than their
	 * indexes; 0 ends a list. */
	const uint32_t *first; /* by task */
	const uint32_t *next;  /* by edge */
	enum schedule_order order;
	struct schedule_time *times;
	uint32_t *waits_for; /* by task: edges to it whose task has not run */
	struct engine *engines;
	task_index *tasks_of_engine; /* SCHEDULE_AS_GIVEN: by engine */
	/* SCHEDULE_FIRST_READY: by the time; joins, which take none, come before all others. */
	struct event_heap ready;
	VECTOR(task_index) joins;
	/* SCHEDULE_AS_GIVEN: a time follows from the order alone, so any turn is as good. */
	task_index *queue;
	size_t queued, done;
};

/* When the task, which is ready at the time, gets its share of the engine. */
static int64_t engine_take(struct engine *engine, const struct schedule_task *task,
			   task_index index, int64_t ready_ns)
{
	int64_t start_ns = max_ns(ready_ns, engine->last_start_ns), end_ns;

	while (engine->releases.count &&
	       (engine->room < task->share || engine->releases.events[0].time_ns <= start_ns)) {
		struct event release = event_heap_pop(&engine->releases);

		engine->room += release.share;
		start_ns = max_ns(start_ns, release.time_ns);
	}
	engine->room -= task->share;
	engine->last_start_ns = start_ns;
	end_ns = start_ns + task->duration_ns;
	if (task->tail_ns)
		event_heap_push(&engine->releases, (struct event){end_ns - task->tail_ns, index,
								  task->share - task->tail_share});
	event_heap_push(&engine->releases,
			(struct event){end_ns + task->release_ns, index,
				       task->tail_ns ? task->tail_share : task->share});
	return start_ns;
}

static void make_ready(struct run *run, task_index index)
{
	if (run->order == SCHEDULE_AS_GIVEN) {
		run->queue[run->queued++] = index;
	} else if (run->schedule->tasks[index].engine == SCHEDULE_JOIN) {
		*vector_add(&run->joins) = index;
	} else {
		event_heap_push(&run->ready, (struct event){run->times[index].start_ns, index, 0});
	}
}

static void run_task(struct run *run, task_index index)
{
	const struct schedule *schedule = run->schedule;
	const struct schedule_task *task = &schedule->tasks[index];
	struct schedule_time *time = &run->times[index];

	if (task->engine < SCHEDULE_JOIN)
		time->start_ns =
			engine_take(&run->engines[task->engine], task, index, time->start_ns);
	time->end_ns = time->start_ns + task->duration_ns;
	run->done++;
	for (uint32_t i = run->first[index]; i; i = run->next[i - 1]) {
		const struct schedule_edge *edge = &schedule->edges[i - 1];
		struct schedule_time *next = &run->times[edge->to];

		next->start_ns = max_ns(next->start_ns, time->end_ns + edge->lag_ns);
		if (--run->waits_for[edge->to] == 0)
			make_ready(run, edge->to);
	}
}

/* The engine's next tasks as far as they are ready. */
static void run_in_turn(struct run *run, struct engine *engine)
{
	while (engine->next < engine->end && !run->waits_for[run->tasks_of_engine[engine->next]])
		run_task(run, run->tasks_of_engine[engine->next++]);
}

/* The same with zeros in it. */
static void *take_zeros(struct room *room, size_t count, size_t element_bytes)
{
	return memset(room_take(room, count, element_bytes), 0, count * element_bytes);
}

void schedule_link(const struct schedule *schedule, struct schedule_memory *memory)
{
	uint32_t *first = take_zeros(&memory->first, schedule->task_count, sizeof(*first));
	uint32_t *next = room_take(&memory->next, schedule->edge_count, sizeof(*next));

	for (size_t i = 0; i < schedule->edge_count; i++) {
		uint32_t *last = &first[schedule->edges[i].from];

		next[i] = *last;
		*last = (uint32_t)i + 1;
	}
}

void schedule_memory_free(struct schedule_memory *memory)
{
	room_free(&memory->first);
	room_free(&memory->next);
	room_free(&memory->waits_for);
	room_free(&memory->queue);
	room_free(&memory->tasks_of_engine);
}

static void index_engines(struct run *run)
{
	const struct schedule *schedule = run->schedule;
	size_t count = 0, first = 0;

	for (size_t i = 0; i < schedule->task_count; i++)
		if (schedule->tasks[i].engine < SCHEDULE_JOIN) {
			run->engines[schedule->tasks[i].engine].end++;
			count++;
		}
	for (size_t i = 0; i < schedule->engine_count; i++) {
		struct engine *engine = &run->engines[i];
		size_t tasks = engine->end;

		*engine = (struct engine){.last_start_ns = INT64_MIN,
					  .room = SCHEDULE_WHOLE,
					  .next = first,
					  .end = first};
		first += tasks;
	}
	if (run->order != SCHEDULE_AS_GIVEN)
		return;
	run->tasks_of_engine =
		room_take(&run->memory->tasks_of_engine, count, sizeof(*run->tasks_of_engine));
	for (size_t i = 0; i < (schedule->given ? count : schedule->task_count); i++) {
		task_index task = schedule->given ? schedule->given[i] : (task_index)i;
		uint32_t engine = schedule->tasks[task].engine;

		if (engine < SCHEDULE_JOIN)
			run->tasks_of_engine[run->engines[engine].end++] = task;
	}
}

static void run_queue(struct run *run)
{
	for (size_t i = 0; i < run->queued; i++) {
		uint32_t engine = run->schedule->tasks[run->queue[i]].engine;

		if (engine < SCHEDULE_JOIN)
			run_in_turn(run, &run->engines[engine]);
		else
			run_task(run, run->queue[i]);
	}
}

static void run_heap(struct run *run)
{
	while (run->joins.count || run->ready.count)
		run_task(run, run->joins.count ? run->joins.items[--run->joins.count]
					       : event_heap_pop(&run->ready).index);
}

static void run_all(struct run *run)
{
	const struct schedule *schedule = run->schedule;

	for (size_t i = 0; i < schedule->task_count; i++)
		run->times[i].start_ns = schedule->tasks[i].earliest_ns;
	for (size_t i = 0; i < schedule->task_count; i++)
		if (!run->waits_for[i])
			make_ready(run, (task_index)i);
	if (run->order == SCHEDULE_AS_GIVEN)
		run_queue(run);
	else
		run_heap(run);
}

bool schedule_run(const struct schedule *schedule, enum schedule_order order,
		  struct schedule_time *times)
{
	size_t tasks = schedule->task_count;
	struct schedule_memory own = {0}, *memory = schedule->memory ? schedule->memory : &own;
	struct run run = {
		.schedule = schedule,
		.memory = memory,
		.order = order,
		.times = times,
		.waits_for = take_zeros(&memory->waits_for, tasks, sizeof(*run.waits_for)),
		.engines = memory_array(schedule->engine_count, sizeof(*run.engines)),
	};

	if (!schedule->memory)
		schedule_link(schedule, memory);
	run.first = memory->first.memory;
	run.next = memory->next.memory;
	if (order == SCHEDULE_AS_GIVEN)
		run.queue = room_take(&memory->queue, tasks, sizeof(*run.queue));
	for (size_t i = 0; i < schedule->edge_count; i++)
		run.waits_for[schedule->edges[i].to]++;
	index_engines(&run);
	run_all(&run);
	for (size_t i = 0; i < schedule->engine_count; i++)
		event_heap_free(&run.engines[i].releases);
	event_heap_free(&run.ready);
	vector_free(&run.joins);
	free(run.engines);
	schedule_memory_free(&own);
	return run.done == tasks;
}
