#include "replay/schedule/schedule_run.h"

#include "base/event_heap.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

/* What an engine is doing. */
struct engine {
	struct event_heap releases; /* of the tasks that run: when, and whose share */
	int64_t last_start_ns;
	task_index last; /* that started then */
	uint32_t room;
	/* With an order: its tasks are tasks_of_engine[next] .. tasks_of_engine[end - 1]. */
	size_t next, end;
};

/* Of a task with other edges to it than the schedule says; of one that is a join. */
#define IS_RENEWED (UINT32_C(1) << 31)
#define IS_JOIN	   (UINT32_C(1) << 30)
#define WAITS_FOR  (IS_JOIN - 1) /* the number of edges */

struct run {
	const struct schedule *schedule;
	const struct schedule_changes *changes; /* NULL: none */
	int64_t *ends_ns; /* of tasks that have not run: when they can, as far as is known */
	/* By task: edges to it whose task has not run; and IS_RENEWED, IS_JOIN. */
	uint32_t *waits_for;
	struct engine *engines;
	/* Without an order: by the time; joins, which take none, come before all others. The
	 * earliest of all is often the one that was added last: it need not go through the heap. */
	struct event_heap ready;
	struct event held;
	bool is_held;
	/* With one: a time follows from the order alone, so any turn is as good. */
	bool has_order;
	task_index *tasks_of_engine;
	/* The tasks that are ready and not in the heap: without an order joins, the last one first. */
	task_index *queue;
	size_t queued, done;
	struct schedule_trail *trail; /* NULL: not asked for */
};

/* When the task, ready at the given time, gets its share of the engine. *behind: the task that made
 * it wait. */
static int64_t engine_take(struct engine *engine, const struct schedule_work *work,
			   task_index index, int64_t ready_ns, task_index *behind)
{
	int64_t start_ns = max_ns(ready_ns, engine->last_start_ns), end_ns;

	*behind = start_ns > ready_ns ? engine->last : SCHEDULE_NO_TASK;

	while (engine->releases.count &&
	       (engine->room < work->share || engine->releases.events[0].time_ns <= start_ns)) {
		struct event release = event_heap_pop(&engine->releases);

		engine->room += release.share;
		if (release.time_ns <= start_ns)
			continue;
		start_ns = release.time_ns;
		*behind = release.index;
	}
	engine->room -= work->share;
	engine->last_start_ns = start_ns;
	engine->last = index;
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
	if (run->has_order || run->waits_for[index] & IS_JOIN)
		run->queue[run->queued++] = index;
	else
		add_ready(run, (struct event){run->ends_ns[index], index, 0});
}

static inline void follow_edge(struct run *run, int64_t end_ns, const struct schedule_edge *edge)
{
	run->ends_ns[edge->to] = max_ns(run->ends_ns[edge->to], end_ns + edge->lag_ns);
	if ((--run->waits_for[edge->to] & WAITS_FOR) == 0)
		make_ready(run, edge->to);
}

static void follow_edges(struct run *run, int64_t end_ns, uint32_t first)
{
	const struct schedule_edge *edges = run->schedule->edges;

	for (uint32_t i = first; i; i = edges[i - 1].next)
		follow_edge(run, end_ns, &edges[i - 1]);
}

/* With changes: those of the schedule to tasks that are not renewed, and the task's new ones. */
static void follow_changed(struct run *run, int64_t end_ns, task_index index)
{
	const struct schedule *schedule = run->schedule;
	const struct schedule_change *change = schedule_change_of(run->changes, index);
	const struct schedule_edge *edges = run->changes->edges.items;

	for (uint32_t i = schedule->tasks[index].first; i; i = schedule->edges[i - 1].next)
		if (!(run->waits_for[schedule->edges[i - 1].to] & IS_RENEWED))
			follow_edge(run, end_ns, &schedule->edges[i - 1]);
	for (uint32_t i = change ? change->first : 0; i; i = edges[i - 1].next)
		follow_edge(run, end_ns, &edges[i - 1]);
}

static void note_step(struct run *run, task_index task, task_index behind, int64_t start_ns)
{
	struct schedule_bound bound = {behind, 0};

	if (behind != SCHEDULE_NO_TASK)
		bound.lag_ns = start_ns - run->ends_ns[behind];
	run->trail->tasks[run->done] = task;
	run->trail->bounds[run->done] = bound;
}

static void run_task(struct run *run, task_index index)
{
	const struct schedule_work *work = schedule_work_of(run->schedule, run->changes, index);
	int64_t end_ns = run->ends_ns[index];
	task_index behind = SCHEDULE_NO_TASK;

	if (work && work->engine != SCHEDULE_NO_ENGINE)
		end_ns = engine_take(&run->engines[work->engine], work, index, end_ns, &behind);
	if (run->trail)
		note_step(run, index, behind, end_ns);
	if (work) {
		end_ns += work->duration_ns;
		run->ends_ns[index] = end_ns;
	}
	run->done++;
	if (run->changes)
		follow_changed(run, end_ns, index);
	else
		follow_edges(run, end_ns, run->schedule->tasks[index].first);
}

/* The engine's next tasks as far as they are ready. */
static void run_in_turn(struct run *run, struct engine *engine)
{
	while (engine->next < engine->end &&
	       !(run->waits_for[run->tasks_of_engine[engine->next]] & WAITS_FOR))
		run_task(run, run->tasks_of_engine[engine->next++]);
}

void schedule_trail_free(struct schedule_trail *trail)
{
	free(trail->tasks);
	free(trail->bounds);
	*trail = (struct schedule_trail){0};
}

void schedule_memory_free(struct schedule_memory *memory)
{
	room_free(&memory->waits_for);
	room_free(&memory->queue);
	room_free(&memory->tasks_of_engine);
}

static struct engine *engine_of(const struct run *run, task_index task)
{
	return &run->engines[schedule_work_of(run->schedule, run->changes, task)->engine];
}

static void divide_tasks(struct run *run, struct schedule_order order)
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

		if (schedule_has_engine(run->schedule, run->changes, task))
			run_in_turn(run, engine_of(run, task));
		else
			run_task(run, task);
	}
}

static void run_heap(struct run *run)
{
	while (run->queued || run->is_held || run->ready.count)
		run_task(run, run->queued ? run->queue[--run->queued] : take_ready(run));
}

static void set_up(struct run *run)
{
	const struct schedule *schedule = run->schedule;

	for (size_t i = 0; i < schedule->task_count; i++) {
		run->ends_ns[i] = schedule->tasks[i].earliest_ns;
		run->waits_for[i] = schedule->tasks[i].incoming |
				    (schedule->tasks[i].work == SCHEDULE_JOIN ? IS_JOIN : 0);
	}
	for (size_t i = 0; run->changes && i < run->changes->changes.count; i++) {
		const struct schedule_change *change = &run->changes->changes.items[i];

		if (!change->is_renewed)
			continue;
		run->ends_ns[change->task] = change->earliest_ns;
		run->waits_for[change->task] = change->incoming | IS_RENEWED |
					       (change->work == SCHEDULE_JOIN ? IS_JOIN : 0);
	}
}

static void run_all(struct run *run)
{
	set_up(run);
	for (size_t i = 0; i < run->schedule->task_count; i++)
		if (!(run->waits_for[i] & WAITS_FOR))
			make_ready(run, (task_index)i);
	if (run->has_order)
		run_queue(run);
	else
		run_heap(run);
}

bool schedule_run(const struct schedule *schedule, const struct schedule_changes *changes,
		  struct schedule_order order, struct schedule_memory *memory, int64_t *ends_ns,
		  struct schedule_trail *trail)
{
	size_t tasks = schedule->task_count;
	struct run run = {
		.schedule = schedule,
		.changes = changes,
		.has_order = order.given,
		.ends_ns = ends_ns,
		.trail = trail,
		.waits_for = room_take(&memory->waits_for, tasks, sizeof(*run.waits_for)),
		.queue = room_take(&memory->queue, tasks, sizeof(*run.queue)),
		.engines = memory_array(schedule->engine_count, sizeof(*run.engines)),
	};

	for (size_t i = 0; i < schedule->engine_count; i++)
		run.engines[i] =
			(struct engine){.last_start_ns = INT64_MIN, .room = SCHEDULE_WHOLE};
	if (order.given) {
		run.tasks_of_engine = room_take(&memory->tasks_of_engine, order.count,
						sizeof(*run.tasks_of_engine));
		divide_tasks(&run, order);
	}
	if (trail && !trail->tasks) {
		trail->tasks = memory_array(tasks, sizeof(*trail->tasks));
		trail->bounds = memory_array(tasks, sizeof(*trail->bounds));
	}
	run_all(&run);
	if (trail)
		trail->count = run.done;
	for (size_t i = 0; i < schedule->engine_count; i++)
		event_heap_free(&run.engines[i].releases);
	event_heap_free(&run.ready);
	free(run.engines);
	return run.done == tasks;
}
