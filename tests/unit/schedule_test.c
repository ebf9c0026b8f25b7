/* Schedules whose times are known by arithmetic, and what must hold for any. */
#include "replay/schedule/schedule_run.h"
#include "cmocka_test.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define ON(number)   .engine = (number), .share = SCHEDULE_WHOLE
#define HOST	     .engine = SCHEDULE_NO_ENGINE

struct task {
	int64_t earliest_ns, duration_ns, release_ns, tail_ns;
	uint32_t engine, share, tail_share;
};

struct edge {
	task_index from, to;
	int64_t lag_ns;
};

struct program {
	const struct task *tasks;
	const struct edge *edges;
	size_t task_count, edge_count;
};

enum order { FIRST_READY, AS_GIVEN };

static struct schedule make_schedule(const struct program *program)
{
	struct schedule schedule = {.engine_count = 2};

	schedule_add_joins(&schedule, program->task_count);
	for (task_index i = 0; i < program->task_count; i++) {
		const struct task *task = &program->tasks[i];

		schedule.tasks[i].earliest_ns = task->earliest_ns;
		schedule_set_work(&schedule, i,
				  (struct schedule_work){task->duration_ns, task->release_ns,
							 task->tail_ns, task->engine, task->share,
							 task->tail_share});
	}
	for (size_t i = 0; i < program->edge_count; i++)
		schedule_add_edge(&schedule, program->edges[i].from, program->edges[i].to,
				  program->edges[i].lag_ns);
	return schedule;
}

/* In the order of the tasks' indexes, if it is given. */
static bool run(const struct program *program, enum order order, int64_t *ends_ns)
{
	struct schedule schedule = make_schedule(program);
	struct schedule_memory memory = {0};
	task_index *given = memory_array(program->task_count, sizeof(*given));
	struct schedule_order as_given = {given, 0};
	bool is_done;

	for (task_index i = 0; i < program->task_count; i++)
		if (schedule_has_engine(&schedule, NULL, i))
			given[as_given.count++] = i;
	is_done = schedule_run(&schedule, NULL,
			       order == AS_GIVEN ? as_given : (struct schedule_order){0}, &memory,
			       ends_ns, NULL);
	free(given);
	schedule_memory_free(&memory);
	schedule_free(&schedule);
	return is_done;
}

static void assert_starts(const struct program *program, enum order order, const int64_t *starts)
{
	int64_t *ends_ns = memory_array(program->task_count, sizeof(*ends_ns));

	assert_true(run(program, order, ends_ns));
	for (size_t i = 0; i < program->task_count; i++)
		assert_int_equal(ends_ns[i], starts[i] + program->tasks[i].duration_ns);
	free(ends_ns);
}

static void assert_both(const struct program *program, const int64_t *starts)
{
	assert_starts(program, FIRST_READY, starts);
	assert_starts(program, AS_GIVEN, starts);
}

/* The host enqueues three operations, 1 ns each, works for 10 and waits for the last. */
TEST(test_a_chain)
{
	const struct task tasks[] = {
		{HOST, .duration_ns = 1},    {HOST, .duration_ns = 1},	 {HOST, .duration_ns = 1},
		{ON(0), .duration_ns = 100}, {ON(1), .duration_ns = 50}, {ON(0), .duration_ns = 7},
		{HOST, .duration_ns = 0},
	};
	const struct edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 6, 10}, {0, 3, 5}, {1, 4, 5},
				     {2, 5, 5}, {3, 4, 2}, {4, 5, 2},  {5, 6, 3}};
	const struct program program = {tasks, edges, COUNT(tasks), COUNT(edges)};

	assert_both(&program, (int64_t[]){0, 1, 2, 6, 108, 160, 170});
}

/* Two that fill the engine take turns, with a change-over of 2 ns. */
TEST(test_an_engine_is_taken_in_turn)
{
	const struct task tasks[] = {{ON(0), .earliest_ns = 10, .duration_ns = 30, .release_ns = 2},
				     {ON(0), .earliest_ns = 0, .duration_ns = 30, .release_ns = 2}};
	const struct program program = {tasks, NULL, 2, 0};

	assert_starts(&program, AS_GIVEN, (int64_t[]){10, 42});
	assert_starts(&program, FIRST_READY, (int64_t[]){32, 0});
}

/* Two halves fit beside each other, the third waits for the first of them to end; a small one
 * behind it does not overtake. */
TEST(test_shares)
{
	const struct task tasks[] = {{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 40},
				     {.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 25},
				     {.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 10},
				     {.engine = 0, .share = 1, .duration_ns = 10}};
	const struct program program = {tasks, NULL, 4, 0};

	assert_both(&program, (int64_t[]){0, 0, 25, 35});
}

/* What is left of the first needs no share for its last 5 ns. */
TEST(test_an_early_release)
{
	const struct task tasks[] = {{ON(0), .duration_ns = 20, .release_ns = -5},
				     {ON(0), .duration_ns = 20}};
	const struct program program = {tasks, NULL, 2, 0};

	assert_both(&program, (int64_t[]){0, 15});
}

/* The first gives back half of the engine 10 ns before its end: room for the second, not for the
 * third. */
TEST(test_a_last_wave)
{
	const struct task tasks[] = {
		{ON(0), .duration_ns = 30, .tail_ns = 10, .tail_share = SCHEDULE_WHOLE / 2},
		{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 5},
		{ON(0), .duration_ns = 5}};
	const struct program program = {tasks, NULL, 3, 0};

	assert_both(&program, (int64_t[]){0, 20, 30});
}

TEST(test_a_circle)
{
	const struct task tasks[] = {{HOST}, {HOST}, {HOST}};
	const struct edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}};
	const struct program program = {tasks, edges, 3, 3};
	int64_t ends_ns[3];

	assert_false(run(&program, FIRST_READY, ends_ns));
}

TEST(test_nothing)
{
	const struct program program = {0};

	assert_true(run(&program, FIRST_READY, NULL));
}

/* A random program of tasks with edges forward only. */
#define MOST_TASKS 60
#define MOST_EDGES 150

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * limit) >> 32);
}

static struct program random_program(uint32_t *seed, struct task *tasks, struct edge *edges)
{
	size_t count = 2 + random_below(seed, MOST_TASKS - 2),
	       edge_count = random_below(seed, MOST_EDGES);

	for (size_t i = 0; i < count; i++)
		tasks[i] = (struct task){.earliest_ns = random_below(seed, 20),
					 .duration_ns = random_below(seed, 50),
					 .release_ns = random_below(seed, 5),
					 .engine = random_below(seed, 4) ? random_below(seed, 2)
									 : SCHEDULE_NO_ENGINE,
					 .share = 1 + random_below(seed, SCHEDULE_WHOLE)};
	for (size_t i = 0; i < count; i++) {
		tasks[i].tail_ns = random_below(seed, (uint32_t)tasks[i].duration_ns + 1);
		tasks[i].tail_share = random_below(seed, tasks[i].share + 1);
	}
	for (size_t i = 0; i < edge_count; i++) {
		edges[i].to = 1 + random_below(seed, (uint32_t)count - 1);
		edges[i].from = random_below(seed, edges[i].to);
		edges[i].lag_ns = random_below(seed, 10);
	}
	return (struct program){tasks, edges, count, edge_count};
}

static uint32_t share_at(const struct task *task, int64_t end_ns, int64_t time_ns)
{
	if (end_ns - task->duration_ns > time_ns || end_ns + task->release_ns <= time_ns)
		return 0;
	return task->tail_ns && end_ns - task->tail_ns <= time_ns ? task->tail_share : task->share;
}

/* No edge is broken, and no engine is given away beyond its whole at any start. */
static void assert_valid(const struct program *program, const int64_t *ends_ns)
{
	for (size_t i = 0; i < program->edge_count; i++) {
		const struct edge *edge = &program->edges[i];

		assert_true(ends_ns[edge->to] - program->tasks[edge->to].duration_ns >=
			    ends_ns[edge->from] + edge->lag_ns);
	}
	for (size_t i = 0; i < program->task_count; i++) {
		const struct task *task = &program->tasks[i];
		int64_t start_ns = ends_ns[i] - task->duration_ns;
		uint64_t used = 0;

		assert_true(start_ns >= task->earliest_ns);
		for (size_t k = 0; k < program->task_count; k++)
			if (program->tasks[k].engine == task->engine)
				used += share_at(&program->tasks[k], ends_ns[k], start_ns);
		if (task->engine != SCHEDULE_NO_ENGINE)
			assert_true(used <= SCHEDULE_WHOLE);
	}
}

TEST(test_random_schedules_are_valid)
{
	struct task tasks[MOST_TASKS];
	struct edge edges[MOST_EDGES];
	int64_t ends_ns[MOST_TASKS];
	uint32_t seed = 1;

	for (int i = 0; i < 3000; i++) {
		struct program program = random_program(&seed, tasks, edges);

		/* As given: a later task of an engine can be needed by an earlier one only through
		 * edges backwards, of which there are none. */
		for (int order = FIRST_READY; order <= AS_GIVEN; order++) {
			assert_true(run(&program, (enum order)order, ends_ns));
			assert_valid(&program, ends_ns);
		}
	}
}

/* The memory of one schedule is the next one's. */
TEST(test_a_schedule_after_another)
{
	struct task tasks[MOST_TASKS];
	struct edge edges[MOST_EDGES];
	int64_t ends_ns[MOST_TASKS], again_ns[MOST_TASKS];
	struct schedule_memory memory = {0};
	uint32_t seed = 3;

	for (int i = 0; i < 100; i++) {
		struct program program = random_program(&seed, tasks, edges);
		struct schedule schedule = make_schedule(&program);

		assert_true(run(&program, FIRST_READY, ends_ns));
		for (int k = 0; k < 2; k++) {
			assert_true(schedule_run(&schedule, NULL, (struct schedule_order){0},
						 &memory, again_ns, NULL));
			assert_memory_equal(ends_ns, again_ns,
					    program.task_count * sizeof(*ends_ns));
		}
		schedule_free(&schedule);
	}
	schedule_memory_free(&memory);
}

TEST(test_less_never_takes_longer)
{
	struct task tasks[MOST_TASKS];
	struct edge edges[MOST_EDGES];
	int64_t before_ns[MOST_TASKS], after_ns[MOST_TASKS];
	uint32_t seed = 2;

	for (int i = 0; i < 3000; i++) {
		struct program program = random_program(&seed, tasks, edges);

		assert_true(run(&program, AS_GIVEN, before_ns));
		if (program.edge_count && random_below(&seed, 2)) {
			size_t edge = random_below(&seed, (uint32_t)program.edge_count);

			program.edge_count--;
			edges[edge] = edges[program.edge_count];
		} else {
			size_t task = random_below(&seed, (uint32_t)program.task_count);

			tasks[task].duration_ns /= 2;
		}
		assert_true(run(&program, AS_GIVEN, after_ns));
		for (size_t k = 0; k < program.task_count; k++)
			assert_true(after_ns[k] <= before_ns[k]);
	}
}

RUN_TESTS(NULL, NULL)
