/* Which trials have turns, and their times as those of runs. */
#include "trial/trial_turns.h"

#include "cmocka_test.h"

#define SECOND INT64_C(1000000000)

static struct trial_turns choose(struct trial_place *places, size_t count,
				 enum function_class class)
{
	const struct trace_function function = {.class = class};
	const struct trace_call_form form = {.function = &function};
	struct trace_call call = {.form = &form};
	struct trace_operation operations[] = {{.start_ns = 0, .end_ns = SECOND},
					       {.start_ns = 1, .end_ns = SECOND / 2}};
	const struct trace trace = {
		.calls = &call, .call_count = 1, .operations = operations, .operation_count = 2};
	const struct trial_plan plan = {.places = {places, count, count}};

	return trial_turns_choose(&plan, &trace);
}

TEST(test_the_site_that_comes_all_the_time)
{
	struct trial_place places[] = {
		{.fix = TRIAL_HELD_FREE, .calls = 100, .last_ns = SECOND},
		{.fix = TRIAL_DROPPED_WAIT, .calls = 1201, .last_ns = 9 * SECOND / 10},
		{.fix = TRIAL_PINNED_RING, .calls = 9000, .last_ns = SECOND / 2},
	};
	const struct trial_turns turns = choose(places, 3, CLASS_COPY);

	assert_int_equal(turns.place, 1);
	assert_int_equal(turns.warm, 10);
	assert_int_equal(turns.calls, 40);
	assert_int_equal(turns.of_run, 1201);
	assert_int_equal(turns.count, 0);
	places[1].last_ns = 7 * SECOND / 10; /* of a second */
	assert_int_equal(choose(places, 3, CLASS_COPY).calls, 0);
}

TEST(test_runs_instead)
{
	struct trial_place place = {
		.fix = TRIAL_HELD_FREE, .calls = 24 * 37 + 1, .last_ns = SECOND};
	const struct trial_place fine = place;

	assert_int_equal(choose(&place, 1, CLASS_FREE).calls, 30);
	assert_int_equal(choose(&place, 0, CLASS_FREE).calls, 0);
	assert_int_equal(choose(&place, 1, CLASS_GRAPH_CAPTURE).calls, 0);
	place.fix = TRIAL_PREFETCH;
	assert_int_equal(choose(&place, 1, CLASS_LAUNCH).calls, 30);
	place.fix = TRIAL_PINNED_SOURCE; /* which stays registered */
	assert_int_equal(choose(&place, 1, CLASS_FREE).calls, 0);
	place = fine;
	place.calls = 24 * 37; /* the last turn would not end */
	assert_int_equal(choose(&place, 1, CLASS_FREE).calls, 0);
	place = fine;
	place.first_ns = SECOND / 4;
	assert_int_equal(choose(&place, 1, CLASS_FREE).calls, 0);
}

TEST(test_a_turn_as_a_run)
{
	static struct trial_page page = {.turns = {[5] = {.ns = 300, .set_up_ns = 30}}};
	const struct trial_time untouched = {.start_ns = 7, .wall_ns = 70};
	const struct trial_time fixed = {
		.is_fixed = true, .start_ns = 8, .wall_ns = 60, .set_up_ns = 5};
	struct trial_turns turns = {.calls = 30, .of_run = 600, .count = 5};
	struct trial_time time = trial_turns_time(&turns, &page, &untouched, &fixed);

	assert_true(time.is_fixed);
	assert_int_equal(time.ns, 6000);
	assert_int_equal(time.late_set_up_ns, 600);
	assert_int_equal(time.start_ns, 8);
	assert_int_equal(time.set_up_ns, 5);
	assert_int_equal(time.wall_ns, 60);
	turns.count = 7;
	page.turns[7] = (struct trial_turn){.ns = 450};
	time = trial_turns_time(&turns, &page, &untouched, &fixed);
	assert_false(time.is_fixed);
	assert_int_equal(time.ns, 9000);
	assert_int_equal(time.start_ns, 7);
	assert_int_equal(time.wall_ns, 70);
}

RUN_TESTS(NULL, NULL)
