/* Schedules whose times are known by arithmetic, and what must hold for any. */
#include "replay/schedule.h"
#include "cmocka_test.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define ON(number)   .engine = (number), .share = SCHEDULE_WHOLE
#define HOST	     .engine = SCHEDULE_NO_ENGINE

static void assert_starts(const struct schedule *schedule, enum schedule_order order,
			  const int64_t *starts)
{
	struct schedule_time *times = memory_array(schedule->task_count, sizeof(*times));

	assert_true(schedule_run(schedule, order, times));
	for (size_t i = 0; i < schedule->task_count; i++) {
		assert_int_equal(times[i].start_ns, starts[i]);
		assert_int_equal(times[i].end_ns, starts[i] + schedule->tasks[i].duration_ns);
	}
	free(times);
}

static void assert_both(const struct schedule *schedule, const int64_t *starts)
{
	assert_starts(schedule, SCHEDULE_FIRST_READY, starts);
	assert_starts(schedule, SCHEDULE_AS_GIVEN, starts);
}

/* The host enqueues three operations, 1 ns each, works for 10 and waits for the last. */
static void test_a_chain(void **state)
{
	const struct schedule_task tasks[] = {
		{HOST, .duration_ns = 1},    {HOST, .duration_ns = 1},	 {HOST, .duration_ns = 1},
		{ON(0), .duration_ns = 100}, {ON(1), .duration_ns = 50}, {ON(0), .duration_ns = 7},
		{HOST, .duration_ns = 0},
	};
	const struct schedule_edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 6, 10},
					      {0, 3, 5}, {1, 4, 5}, {2, 5, 5},
					      {3, 4, 2}, {4, 5, 2}, {5, 6, 3}};
	const struct schedule schedule = {tasks, edges, COUNT(tasks), COUNT(edges), 2, NULL, NULL};

	assert_both(&schedule, (int64_t[]){0, 1, 2, 6, 108, 160, 170});
}

/* Two that fill the engine take turns, with a change-over of 2 ns. */
static void test_an_engine_is_taken_in_turn(void **state)
{
	const struct schedule_task tasks[] = {
		{ON(0), .earliest_ns = 10, .duration_ns = 30, .release_ns = 2},
		{ON(0), .earliest_ns = 0, .duration_ns = 30, .release_ns = 2}};
	const struct schedule schedule = {tasks, NULL, 2, 0, 1, NULL, NULL};

	assert_starts(&schedule, SCHEDULE_AS_GIVEN, (int64_t[]){10, 42});
	assert_starts(&schedule, SCHEDULE_FIRST_READY, (int64_t[]){32, 0});
}

/* Two halves fit beside each other, the third waits for the first of them to end; a small one
 * behind it does not overtake. */
static void test_shares(void **state)
{
	const struct schedule_task tasks[] = {
		{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 40},
		{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 25},
		{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 10},
		{.engine = 0, .share = 1, .duration_ns = 10}};
	const struct schedule schedule = {tasks, NULL, 4, 0, 1, NULL, NULL};

	assert_both(&schedule, (int64_t[]){0, 0, 25, 35});
}

/* What is left of the first needs no share for its last 5 ns. */
static void test_an_early_release(void **state)
{
	const struct schedule_task tasks[] = {{ON(0), .duration_ns = 20, .release_ns = -5},
					      {ON(0), .duration_ns = 20}};
	const struct schedule schedule = {tasks, NULL, 2, 0, 1, NULL, NULL};

	assert_both(&schedule, (int64_t[]){0, 15});
}

/* The first gives back half of the engine 10 ns before its end: room for the second, not for the
 * third. */
static void test_a_last_wave(void **state)
{
	const struct schedule_task tasks[] = {
		{ON(0), .duration_ns = 30, .tail_ns = 10, .tail_share = SCHEDULE_WHOLE / 2},
		{.engine = 0, .share = SCHEDULE_WHOLE / 2, .duration_ns = 5},
		{ON(0), .duration_ns = 5}};
	const struct schedule schedule = {tasks, NULL, 3, 0, 1, NULL, NULL};

	assert_both(&schedule, (int64_t[]){0, 20, 30});
}

static void test_a_circle(void **state)
{
	const struct schedule_task tasks[] = {{HOST}, {HOST}, {HOST}};
	const struct schedule_edge edges[] = {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}};
	const struct schedule schedule = {tasks, edges, 3, 3, 0, NULL, NULL};
	struct schedule_time times[3];

	assert_false(schedule_run(&schedule, SCHEDULE_FIRST_READY, times));
}

static void test_nothing(void **state)
{
	const struct schedule schedule = {0};

	assert_true(schedule_run(&schedule, SCHEDULE_FIRST_READY, NULL));
}

/* A random program of tasks with edges forward only. */
#define MOST_TASKS 60
#define MOST_EDGES 150

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * limit) >> 32);
}

static struct schedule random_schedule(uint32_t *seed, struct schedule_task *tasks,
				       struct schedule_edge *edges)
{
	size_t count = 2 + random_below(seed, MOST_TASKS - 2),
	       edge_count = random_below(seed, MOST_EDGES);

	for (size_t i = 0; i < count; i++)
		tasks[i] = (struct schedule_task){.earliest_ns = random_below(seed, 20),
						  .duration_ns = random_below(seed, 50),
						  .release_ns = random_below(seed, 5),
						  .engine = random_below(seed, 4)
								    ? random_below(seed, 2)
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
	return (struct schedule){tasks, edges, count, edge_count, 2, NULL, NULL};
}

/* No edge is broken, and no engine is given away beyond its whole at any start. */
static void assert_valid(const struct schedule *schedule, const struct schedule_time *times)
{
	for (size_t i = 0; i < schedule->edge_count; i++)
		assert_true(times[schedule->edges[i].to].start_ns >=
			    times[schedule->edges[i].from].end_ns + schedule->edges[i].lag_ns);
	for (size_t i = 0; i < schedule->task_count; i++) {
		uint64_t used = 0;

		assert_true(times[i].start_ns >= schedule->tasks[i].earliest_ns);
		for (size_t k = 0; k < schedule->task_count; k++)
			if (schedule->tasks[k].engine == schedule->tasks[i].engine &&
			    times[k].start_ns <= times[i].start_ns &&
			    times[k].end_ns + schedule->tasks[k].release_ns > times[i].start_ns)
				used += schedule->tasks[k].tail_ns &&
							times[k].end_ns - schedule->tasks[k]
										  .tail_ns <=
								times[i].start_ns
						? schedule->tasks[k].tail_share
						: schedule->tasks[k].share;
		if (schedule->tasks[i].engine != SCHEDULE_NO_ENGINE)
			assert_true(used <= SCHEDULE_WHOLE);
	}
}

static void test_random_schedules_are_valid(void **state)
{
	struct schedule_task tasks[MOST_TASKS];
	struct schedule_edge edges[MOST_EDGES];
	struct schedule_time times[MOST_TASKS], again[MOST_TASKS];
	uint32_t seed = 1;

	for (int i = 0; i < 3000; i++) {
		struct schedule schedule = random_schedule(&seed, tasks, edges);

		for (int order = SCHEDULE_FIRST_READY; order <= SCHEDULE_AS_GIVEN; order++) {
			memset(times, 0, sizeof(times));
			memset(again, 0, sizeof(again));
			/* As given: a later task of an engine can be needed by an earlier one only
			 * through edges backwards, of which there are none. */
			assert_true(schedule_run(&schedule, (enum schedule_order)order, times));
			assert_valid(&schedule, times);
			assert_true(schedule_run(&schedule, (enum schedule_order)order, again));
			assert_memory_equal(times, again, sizeof(times));
		}
	}
}

static void test_less_never_takes_longer(void **state)
{
	struct schedule_task tasks[MOST_TASKS];
	struct schedule_edge edges[MOST_EDGES];
	struct schedule_time before[MOST_TASKS], after[MOST_TASKS];
	uint32_t seed = 2;

	for (int i = 0; i < 3000; i++) {
		struct schedule schedule = random_schedule(&seed, tasks, edges);

		assert_true(schedule_run(&schedule, SCHEDULE_AS_GIVEN, before));
		if (schedule.edge_count && random_below(&seed, 2)) {
			size_t edge = random_below(&seed, (uint32_t)schedule.edge_count);

			schedule.edge_count--;
			edges[edge] = edges[schedule.edge_count];
		} else {
			size_t task = random_below(&seed, (uint32_t)schedule.task_count);

			tasks[task].duration_ns /= 2;
		}
		assert_true(schedule_run(&schedule, SCHEDULE_AS_GIVEN, after));
		for (size_t k = 0; k < schedule.task_count; k++)
			assert_true(after[k].end_ns <= before[k].end_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_chain),
		cmocka_unit_test(test_an_engine_is_taken_in_turn),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_an_early_release),
		cmocka_unit_test(test_a_last_wave),
		cmocka_unit_test(test_a_circle),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_random_schedules_are_valid),
		cmocka_unit_test(test_less_never_takes_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
