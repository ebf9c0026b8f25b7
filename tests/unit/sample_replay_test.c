/* Replays of slices of a run. Times are ns. */
#include "cmocka_test.h"
#include "long_run.h"
#include "base/memory.h"
#include "model/model.h"
#include "replay/retiming/retimed.h"
#include "replay/timeline.h"
#include "sample/sliced_trace.h"

#include <stdlib.h>

enum { ITERATIONS = 300, ITERATION = 20000 };

/* 100 iterations each, of which half the time is the host's own work between the wait and the launch. */
static const struct slice thirds[] = {
	{.run_up = 0, .first = 0, .end = 200},
	{.run_up = 150, .first = 200, .end = 400},
	{.run_up = 350, .first = 400, .end = 600},
};

struct replayed {
	struct long_run *run;
	struct sliced_trace sliced;
	struct model *model;
	struct timeline *timeline;
};

static struct replayed *replay_thirds(const double *weights)
{
	struct replayed *replayed = memory_array(1, sizeof(*replayed));
	int64_t now_ns = 0;

	replayed->run = long_run_make((size_t)2 * ITERATIONS);
	for (size_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(replayed->run, 0, 0, now_ns, 8000, 10000);
	replayed->sliced = sliced_trace_make(&replayed->run->trace, thirds, weights, 3);
	replayed->model = model_build(&replayed->sliced.trace);
	replayed->timeline = timeline_build(replayed->model);
	return replayed;
}

static void release(struct replayed *replayed)
{
	timeline_free(replayed->timeline);
	model_free(replayed->model);
	sliced_trace_free(&replayed->sliced);
	long_run_free(replayed->run);
	free(replayed);
}

static struct edits *drop_works(const struct model *model)
{
	struct edits *edits = edits_create(model);

	for (size_t i = 0; i < model->trace->call_count; i++)
		if (model->trace->calls[i].form->function->class == CLASS_LAUNCH)
			edits_drop_work(edits, model, &model->trace->calls[i]);
	return edits;
}

/* The run's end lacks the last iteration's work. Of slices in a row the first ends 1 before the next. */
TEST(test_replay_is_as_measured)
{
	static const double weights[][3] = {{0, 2.5, 0}, {1, 0, 1}, {1, 3, 1}, {0, 4, 2}};
	static const int64_t iterations[] = {250, 200, 500, 600};

	for (size_t i = 0; i < 4; i++) {
		struct replayed *replayed = replay_thirds(weights[i]);
		int64_t expected_ns = iterations[i] * ITERATION - (int64_t)(weights[i][2] * 10000);

		assert_in_range(timeline_measured_ns(replayed->timeline), expected_ns - 4,
				expected_ns);
		assert_int_equal(timeline_replay(replayed->timeline, NULL),
				 timeline_measured_ns(replayed->timeline));
		release(replayed);
	}
}

TEST(test_fix_saves_half)
{
	struct replayed *replayed = replay_thirds((const double[]){0, 2.5, 0});
	struct edits *edits = drop_works(replayed->model);
	struct timeline_times times;

	assert_int_equal(timeline_replay_times(replayed->timeline, edits, &times),
			 250 * ITERATION / 2);
	assert_int_equal(times.windows[0], 100 * ITERATION / 2);
	timeline_times_free(&times);
	edits_free(edits);
	release(replayed);
}

/* The run with the fix is a sample, too, as long as its replay. */
TEST(test_retimed)
{
	struct replayed *replayed = replay_thirds((const double[]){0, 2.5, 1});
	struct edits *edits = drop_works(replayed->model);
	int64_t fixed_ns = timeline_replay(replayed->timeline, edits);
	struct retimed *retimed = retimed_build(replayed->timeline, edits);
	const struct trace *trace;

	assert_non_null(retimed);
	trace = retimed_observed(retimed)->model->trace;
	assert_true(trace->is_sample);
	assert_int_equal(trace->window_count, 2);
	assert_int_equal(trace_recorded_ns(trace, INT64_MAX), fixed_ns);
	assert_true(fixed_ns <= 350 * ITERATION / 2);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *before = retimed_call(retimed, &trace->calls[i]);

		assert_true(
			trace_weight_of_call(trace, (uint32_t)i) ==
			trace_weight_of_call(&replayed->sliced.trace,
					     (uint32_t)(before - replayed->sliced.trace.calls)));
	}
	retimed_free(retimed);
	edits_free(edits);
	release(replayed);
}

/* A call of another thread comes when it came; the loop with the fix is past the slice's first call by
 * then. */
TEST(test_retimed_in_another_order)
{
	const struct slice ours[] = {{.run_up = 0, .first = 0, .end = 202},
				     {.run_up = 150, .first = 202, .end = 402},
				     {.run_up = 352, .first = 402, .end = 602}};
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS + 2);
	const uint32_t line = 99;
	struct sliced_trace sliced;
	const struct trace *trace = &sliced.trace, *fixed;
	struct model *model;
	struct timeline *timeline;
	struct edits *edits;
	struct retimed *retimed;
	int64_t now_ns = 0;

	run->call_forms[LONG_RUN_LAUNCH][line].thread_id = 7;
	for (size_t i = 0; i < ITERATIONS; i++) {
		int64_t begin_ns = now_ns;

		now_ns = long_run_iteration(run, 0, 0, begin_ns, 8000, 10000);
		if (i == 80 || i == 98)
			long_run_call(run, LONG_RUN_LAUNCH, line, begin_ns + 1500, begin_ns + 1600);
	}
	sliced = sliced_trace_make(&run->trace, ours, (const double[]){0, 2, 0}, 3);
	model = model_build(trace);
	timeline = timeline_build(model);
	edits = edits_create(model);
	for (size_t i = 0; i < trace->call_count; i++)
		if (trace->calls[i].form->function->class == CLASS_LAUNCH &&
		    !trace->calls[i].form->thread_id)
			edits_drop_work(edits, model, &trace->calls[i]);
	retimed = retimed_build(timeline, edits);
	assert_non_null(retimed);
	fixed = retimed_observed(retimed)->model->trace;
	assert_int_not_equal(fixed->windows[0].counted_call, trace->windows[0].counted_call);
	assert_ptr_equal(retimed_call(retimed, &fixed->calls[fixed->windows[0].counted_call]),
			 &trace->calls[trace->windows[0].counted_call]);
	assert_ptr_equal(retimed_call(retimed, &fixed->calls[fixed->windows[0].end_call]),
			 &trace->calls[trace->windows[0].end_call]);
	retimed_free(retimed);
	edits_free(edits);
	timeline_free(timeline);
	model_free(model);
	sliced_trace_free(&sliced);
	long_run_free(run);
}

RUN_TESTS(NULL, NULL)
