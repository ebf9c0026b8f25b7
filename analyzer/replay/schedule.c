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
	/* With an order: its tasks are tasks_of_engine[next] .. tasks_of_engine[end - 1]. */
	size_t next, end;
};

struct run {
	const struct schedule *schedule;
	int64_t *ends_ns;    /* of tasks that have not run: when they can, as far as is known */
	uint32_t *waits_for; /* by task: edges to it whose task has not run */
	struct engine *engines;
	/* Without an order: by the time; joins, which take none, come before all others. The
	 * earliest of all is often the one that was added last: it need not go through the heap. */
	struct event_heap ready;
	struct event held;
	bool is_held;
	VECTOR(task_index) joins;
	/* With one: a time follows from the order alone, so any turn is as good. */
	bool has_order;
	task_index *tasks_of_engine, *queue;
	size_t queued, done;
};

void schedule_free(struct schedule *schedule)
{
	free(schedule->tasks);
	free(schedule->edges);
	free(schedule->works);
	*schedule = (struct schedule){0};
}

void schedule_clear(struct schedule *schedule)
{
	schedule->task_count = schedule->edge_count = schedule->work_count = 0;
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

/* When the task, which is ready at the time, gets its share of the engine. */
static int64_t engine_take(struct engine *engine, const struct schedule_work *work,
			   task_index index, int64_t ready_ns)
{
	int64_t start_ns = max_ns(ready_ns, engine->last_start_ns), end_ns;

	while (engine->releases.count &&
	       (engine->room < work->share || engine->releases.events[0].time_ns <= start_ns)) {
		struct event release = event_heap_pop(&engine->releases);

		engine->room += release.share;
		start_ns = max_ns(start_ns, release.time_ns);
	}
	engine->room -= work->share;
	engine->last_start_ns = start_ns;
	end_ns = start_ns + work->duration_ns;
	if (work->tail_ns)
		event_heap_push(&engine->releases, (struct event){end_ns - work->tail_ns, index,
								  work->share - work->tail_share});
	event_heap_push(&engine->releases,
			(struct event){end_ns + work->release_ns, index,
				       work->tail_ns ? work->tail_share : work->share});
	return start_ns;
}

static void add_ready(struct run *run, struct event event)
{
	struct event later = event;

	if (!run->is_held) {
		run->held = event;
		run->is_held = true;
		return;
	}
	if (event_is_before(event, run->held)) {
		later = run->held;
		run->held = event;
	}
	event_heap_push(&run->ready, later);
}

static task_index take_ready(struct run *run)
{
	if (run->is_held &&
	    (!run->ready.count || event_is_before(run->held, run->ready.events[0]))) {
		run->is_held = false;
		return run->held.index;
	}
	return event_heap_pop(&run->ready).index;
}

static void make_ready(struct run *run, task_index index)
{
	if (run->has_order)
		run->queue[run->queued++] = index;
	else if (run->schedule->tasks[index].work == SCHEDULE_JOIN)
		*vector_add(&run->joins) = index;
	else
		add_ready(run, (struct event){run->ends_ns[index], index, 0});
}

static void run_task(struct run *run, task_index index)
{
	const struct schedule *schedule = run->schedule;
	const struct schedule_task *task = &schedule->tasks[index];
	int64_t end_ns = run->ends_ns[index];

	if (task->work < SCHEDULE_POINT) {
		const struct schedule_work *work = &schedule->works[task->work];

		if (work->engine != SCHEDULE_NO_ENGINE)
			end_ns = engine_take(&run->engines[work->engine], work, index, end_ns);
		end_ns += work->duration_ns;
		run->ends_ns[index] = end_ns;
	}
	run->done++;
	for (uint32_t i = task->first; i;) {
		const struct schedule_edge *edge = &schedule->edges[i - 1];

		run->ends_ns[edge->to] = max_ns(run->ends_ns[edge->to], end_ns + edge->lag_ns);
		if (--run->waits_for[edge->to] == 0)
			make_ready(run, edge->to);
		i = edge->next;
	}
}

/* The engine's next tasks as far as they are ready. */
static void run_in_turn(struct run *run, struct engine *engine)
{
	while (engine->next < engine->end && !run->waits_for[run->tasks_of_engine[engine->next]])
		run_task(run, run->tasks_of_engine[engine->next++]);
}

void schedule_memory_free(struct schedule_memory *memory)
{
	room_free(&memory->waits_for);
	room_free(&memory->queue);
	room_free(&memory->tasks_of_engine);
}

static struct engine *engine_of(const struct run *run, task_index task)
{
	const struct schedule *schedule = run->schedule;

	return &run->engines[schedule->works[schedule->tasks[task].work].engine];
}

static void divide(struct run *run, struct schedule_order order)
{
	size_t first = 0;

	for (size_t i = 0; i < order.count; i++)
		engine_of(run, order.given[i])->end++;
	for (size_t i = 0; i < run->schedule->engine_count; i++) {
		struct engine *engine = &run->engines[i];
		size_t count = engine->end;

		engine->next = engine->end = first;
		first += count;
	}
	for (size_t i = 0; i < order.count; i++)
		run->tasks_of_engine[engine_of(run, order.given[i])->end++] = order.given[i];
}

static void run_queue(struct run *run)
{
	for (size_t i = 0; i < run->queued; i++) {
		task_index task = run->queue[i];

		if (schedule_has_engine(run->schedule, task))
			run_in_turn(run, engine_of(run, task));
		else
			run_task(run, task);
	}
}

static void run_heap(struct run *run)
{
	while (run->joins.count || run->is_held || run->ready.count)
		run_task(run,
			 run->joins.count ? run->joins.items[--run->joins.count] : take_ready(run));
}

static void run_all(struct run *run)
{
	const struct schedule *schedule = run->schedule;

	for (size_t i = 0; i < schedule->task_count; i++) {
		run->ends_ns[i] = schedule->tasks[i].earliest_ns;
		run->waits_for[i] = schedule->tasks[i].incoming;
	}
	for (size_t i = 0; i < schedule->task_count; i++)
		if (!schedule->tasks[i].incoming)
			make_ready(run, (task_index)i);
	if (run->has_order)
		run_queue(run);
	else
		run_heap(run);
}

bool schedule_run(const struct schedule *schedule, struct schedule_order order,
		  struct schedule_memory *memory, int64_t *ends_ns)
{
	size_t tasks = schedule->task_count;
	struct run run = {
		.schedule = schedule,
		.has_order = order.given,
		.ends_ns = ends_ns,
		.waits_for = room_take(&memory->waits_for, tasks, sizeof(*run.waits_for)),
		.engines = memory_array(schedule->engine_count, sizeof(*run.engines)),
	};

	for (size_t i = 0; i < schedule->engine_count; i++)
		run.engines[i] =
			(struct engine){.last_start_ns = INT64_MIN, .room = SCHEDULE_WHOLE};
	if (order.given) {
		run.queue = room_take(&memory->queue, tasks, sizeof(*run.queue));
		run.tasks_of_engine = room_take(&memory->tasks_of_engine, order.count,
						sizeof(*run.tasks_of_engine));
		divide(&run, order);
	}
	run_all(&run);
	for (size_t i = 0; i < schedule->engine_count; i++)
		event_heap_free(&run.engines[i].releases);
	event_heap_free(&run.ready);
	vector_free(&run.joins);
	free(run.engines);
	return run.done == tasks;
}
