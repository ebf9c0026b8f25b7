/* A sample's weights, and how far its answers can be off. */
#include "cmocka_test.h"
#include "long_run.h"
#include "sample/sample.h"
#include "sample/slices.h"

#include <math.h>
#include <stdlib.h>

enum { ITERATIONS = 200000 };

static struct long_run *make_loop(size_t iterations)
{
	struct long_run *run = long_run_make(2 * iterations);
	int64_t now_ns = 0;

	for (size_t i = 0; i < iterations; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, 8000, 10000);
	return run;
}

/* Others only follow a slice. */
static size_t count_taken(const struct trace *sample)
{
	size_t count = 0;

	for (size_t i = 0; i < sample->window_count; i++)
		count += sample->windows[i].weight > 0;
	return count;
}

/* By window: what those that count answer, one after the other. Freed with free(). */
static int64_t *make_answers(const struct sample *sample, const int64_t *answers)
{
	const struct trace *trace = sample_trace(sample);
	int64_t *by_window = calloc(trace->window_count, sizeof(*by_window));

	assert_non_null(by_window);
	for (size_t i = 0; i < trace->window_count; i++)
		by_window[i] = trace->windows[i].weight > 0 ? *answers++ : 4711;
	return by_window;
}

static const struct slice *find_slice(const struct trace *whole, const struct slice *slices,
				      const struct trace *sample, size_t window)
{
	int64_t start_ns = sample->calls[sample->windows[window].counted_call].start_ns;

	while (whole->calls[slices->first].start_ns != start_ns)
		slices++;
	return slices;
}

/* What is known of all slices is what the taken ones weigh. */
static void check_weights(const struct long_run *run, bool by_both)
{
	struct sample *sample = sample_take(&run->trace);
	double length_ns = 0, idle_ns = 0, all_ns = 0, all_idle_ns = 0;
	const struct trace *trace;
	struct slice *slices;
	size_t count;

	assert_non_null(sample);
	trace = sample_trace(sample);
	slices = slices_cut(&run->trace, &count);
	assert_int_equal(sample_slices(sample), count);
	assert_int_equal(sample_taken(sample), count_taken(trace));
	for (size_t i = 0; i < count; i++) {
		all_ns += (double)slices[i].length_ns;
		all_idle_ns += (double)slices[i].idle_ns;
	}
	for (size_t i = 0; i < trace->window_count; i++) {
		const struct slice *slice = find_slice(&run->trace, slices, trace, i);
		double weight = trace->windows[i].weight;

		assert_true(weight >= 0 && weight < (double)count);
		length_ns += weight * (double)slice->length_ns;
		idle_ns += weight * (double)slice->idle_ns;
	}
	assert_true(fabs(length_ns - all_ns) < 1e-6 * all_ns);
	assert_true(!by_both || fabs(idle_ns - all_idle_ns) < 1e-6 * all_idle_ns);
	free(slices);
	sample_free(sample);
}

/* Kernels and the host's own work differ from slice to slice, each in its own way. */
TEST(test_weights)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	int64_t now_ns = 0;

	for (int64_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, 8000 + i / 2304 * 7919 % 500,
					    10000 + i / 2304 * 104729 % 700);
	check_weights(run, true);
	long_run_free(run);
}

TEST(test_weights_of_equal_slices)
{
	struct long_run *run = make_loop(ITERATIONS);

	check_weights(run, true);
	long_run_free(run);
}

/* One kernel begins when the one before ends: there is no idle time to weigh by. */
TEST(test_weights_without_idle_time)
{
	struct long_run *run = long_run_make(ITERATIONS);
	int64_t now_ns = 0;

	for (int64_t i = 0; i < ITERATIONS; i++) {
		int64_t length_ns = 8000 + i / 4000 * 7919 % 500;

		long_run_kernel(run, long_run_call(run, LONG_RUN_LAUNCH, 0, now_ns, now_ns + 1000),
				0, 0, now_ns + (i ? 1000 : 0), now_ns + length_ns + 1000);
		now_ns += length_ns;
	}
	check_weights(run, false);
	long_run_free(run);
}

TEST(test_error_of_what_goes_with_the_time)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	int64_t now_ns = 0, *by_window;
	const struct trace *trace;
	struct sample *sample;

	for (int64_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, 8000 + i / 2304 * 7919 % 500, 10000);
	sample = sample_take(&run->trace);
	assert_non_null(sample);
	trace = sample_trace(sample);
	by_window = calloc(trace->window_count, sizeof(*by_window));
	assert_non_null(by_window);
	for (size_t i = 0; i < trace->window_count; i++)
		by_window[i] = 3 * (trace->windows[i].end_ns - trace->windows[i].counted_ns);
	/* A millionth of the run. */
	assert_true(sample_error(sample, by_window) < 1e-6 * (double)now_ns);
	for (size_t i = 0; i < trace->window_count; i++)
		by_window[i] = 0;
	assert_true(sample_error(sample, by_window) == 0);
	free(by_window);
	sample_free(sample);
	long_run_free(run);
}

/* The first and the last slice are asked themselves. Of N equal ones between them five are: the variance of
 * 100 .. 500 is 25000, and Student's t of 4 is 2.78. */
static double textbook(const struct sample *sample)
{
	double all = (double)sample_slices(sample) - 2;

	return 2.78 * all * sqrt((1 - 5 / all) * 25000 / 5);
}

TEST(test_error_of_what_differs)
{
	const int64_t answers[7] = {7, 300, 100, 500, 200, 400, 9000};
	struct long_run *run = make_loop(ITERATIONS);
	struct sample *sample = sample_take(&run->trace);
	int64_t *by_window;

	assert_non_null(sample);
	assert_int_equal(sample_taken(sample), 7);
	by_window = make_answers(sample, answers);
	assert_true(fabs(sample_error(sample, by_window) / textbook(sample) - 1) < 1e-6);
	free(by_window);
	sample_free(sample);
	long_run_free(run);
}

/* Half the error, about, takes four times as many, and 1.3 times that to be sure: 26, and the two at the ends. For a
 * tenth it were more than there are. */
TEST(test_grow)
{
	const int64_t answers[7] = {0, 100, 200, 300, 400, 500, 0};
	int64_t *by_window, *more;
	struct long_run *run = make_loop(ITERATIONS);
	struct sample *sample = sample_take(&run->trace);
	const struct trace *trace;
	double sum_ns = 0;

	assert_non_null(sample);
	assert_true(sample_slices(sample) >= 60);
	by_window = make_answers(sample, answers);
	assert_true(sample_grow(sample, by_window, textbook(sample) / 1.99));
	assert_int_equal(sample_taken(sample), 28);
	trace = sample_trace(sample);
	assert_int_equal(count_taken(trace), 28);
	free(by_window);
	for (size_t i = 0; i < trace->window_count; i++)
		sum_ns += trace->windows[i].weight *
			  (double)(trace->windows[i].end_ns - trace->windows[i].counted_ns);
	assert_true(fabs(sum_ns - (20000.0 * ITERATIONS - 10000)) < 1000);
	more = calloc(trace->window_count, sizeof(*more));
	assert_non_null(more);
	for (size_t i = 0; i < trace->window_count; i++)
		more[i] = (int64_t)(i % 5) * 100;
	assert_false(sample_grow(sample, more, sample_error(sample, more) / 10));
	free(more);
	sample_free(sample);
	long_run_free(run);
}

TEST(test_none)
{
	struct long_run *run = make_loop(ITERATIONS / 16);
	struct trace_window windows[2] = {{.end_ns = 10}, {.start_ns = 20, .end_ns = 30}};
	struct trace_first_use use = {0};

	assert_null(sample_take(&run->trace));
	long_run_free(run);
	run = make_loop(ITERATIONS);
	run->trace.windows = windows;
	run->trace.window_count = 2;
	assert_null(sample_take(&run->trace));
	run->trace.window_count = 0;
	run->trace.first_uses = &use;
	run->trace.first_use_count = 1;
	assert_null(sample_take(&run->trace));
	long_run_free(run);
}

/* Times of a file can be anything: weighed they would not fit into an int64_t. */
TEST(test_too_long_a_time)
{
	struct long_run *run = long_run_make((size_t)2 * ITERATIONS);
	int64_t now_ns = 0, kernel_ns = INT64_MAX / 2 / ITERATIONS - 12000;

	for (int64_t i = 0; i < ITERATIONS; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, kernel_ns, 10000);
	assert_null(sample_take(&run->trace));
	long_run_free(run);
}

RUN_TESTS(NULL, NULL)
