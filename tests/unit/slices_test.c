/* Where a run is cut. Times are ns. */
#include "cmocka_test.h"
#include "long_run.h"
#include "sample/slices.h"

#include <stdlib.h>

#define ITERATION 20000 /* 1000 + 8000 + 1000 + 10000: long_run_iteration() */
#define BUSY	  8000

static struct long_run *make_loop(size_t iterations)
{
	struct long_run *run = long_run_make(2 * iterations);
	int64_t now_ns = 5000;

	for (size_t i = 0; i < iterations; i++)
		now_ns = long_run_iteration(run, 0, 0, now_ns, BUSY, ITERATION - BUSY - 2000);
	return run;
}

/* One behind the other, from the first call to the last. */
static void check_cover(const struct trace *trace, const struct slice *slices, size_t count)
{
	assert_int_equal(slices[0].first, 0);
	assert_int_equal(slices[0].run_up, 0);
	for (size_t i = 0; i < count; i++) {
		assert_true(slices[i].end > slices[i].first);
		assert_int_equal(slices[i].end,
				 i + 1 < count ? slices[i + 1].first : trace->call_count);
		if (i > 0) {
			assert_true(slices[i].run_up < slices[i].first);
			assert_true(slices[i].run_up > slices[i - 1].first);
		}
	}
}

TEST(test_every_call_is_in_one)
{
	struct long_run *run = make_loop(50000);
	size_t count;
	struct slice *slices = slices_cut(&run->trace, &count);

	assert_true(count > 12);
	check_cover(&run->trace, slices, count);
	free(slices);
	long_run_free(run);
}

/* The device is busy for 8000 of every 20000; the run ends 10000 before that of the last iteration. */
TEST(test_idle)
{
	struct long_run *run = make_loop(50000);
	size_t count;
	struct slice *slices = slices_cut(&run->trace, &count);

	for (size_t i = 0; i < count; i++) {
		int64_t iterations = (slices[i].end - slices[i].first) / 2;
		int64_t not_there_ns = i + 1 < count ? 0 : ITERATION - BUSY - 2000;

		assert_int_equal(slices[i].first % 2, 0);
		assert_int_equal(slices[i].length_ns, iterations * ITERATION - not_there_ns);
		assert_int_equal(slices[i].idle_ns, iterations * (ITERATION - BUSY) - not_there_ns);
	}
	free(slices);
	long_run_free(run);
}

/* 2,000 calls alone are a short run. */
TEST(test_launches_of_graphs)
{
	enum { LAUNCHES = 1000, NODES = 200 };
	struct long_run *run = long_run_make((size_t)LAUNCHES * NODES);
	struct slice *slices;
	size_t count;

	for (int64_t i = 0; i < LAUNCHES; i++) {
		int64_t at_ns = i * NODES * 10;
		uint32_t call = long_run_call(run, LONG_RUN_LAUNCH, 0, at_ns, at_ns + 1);

		for (int64_t k = 0; k < NODES - 1; k++)
			long_run_kernel(run, call, 0, 0, at_ns + k * 10, at_ns + k * 10 + 9);
		long_run_call(run, LONG_RUN_SYNC, 1, at_ns + 1, at_ns + NODES * 10 - 1);
	}
	slices = slices_cut(&run->trace, &count);
	assert_true(count > 12);
	check_cover(&run->trace, slices, count);
	free(slices);
	long_run_free(run);
}

/* The lines that captured a graph do not make its loop's iterations longer: a slice has some 8 of these. */
TEST(test_calls_made_once)
{
	enum { CAPTURED = 120, STEPS = 1000, LAUNCHES = 8, NODES = 50, CALLS = LAUNCHES + 1 };
	struct long_run *run = long_run_make((size_t)STEPS * LAUNCHES * NODES);
	struct slice *slices;
	int64_t now_ns = 0;
	size_t count;

	for (size_t i = 0; i < CAPTURED; i++, now_ns += 10)
		long_run_call(run, LONG_RUN_LAUNCH, 2, now_ns, now_ns + 9);
	for (size_t i = 0; i < (size_t)STEPS * LAUNCHES; i++, now_ns += NODES * 10) {
		uint32_t call = long_run_call(run, LONG_RUN_LAUNCH, 0, now_ns, now_ns + 1);

		for (int64_t k = 0; k < NODES - 1; k++)
			long_run_kernel(run, call, 0, 0, now_ns + k * 10, now_ns + k * 10 + 9);
		if (i % LAUNCHES == LAUNCHES - 1)
			long_run_call(run, LONG_RUN_SYNC, 1, now_ns + 1, now_ns + NODES * 10 - 1);
	}
	slices = slices_cut(&run->trace, &count);
	check_cover(&run->trace, slices, count);
	assert_true(count > run->trace.call_count / (20 * CALLS));
	free(slices);
	long_run_free(run);
}

/* Of five launches and a wait only the first finds the device idle: there the loop is cut. */
TEST(test_cut_where_the_device_has_nothing_left)
{
	enum { LAUNCHES = 5, CALLS = LAUNCHES + 1, ITERATIONS = 10000 };
	struct long_run *run = long_run_make(CALLS * ITERATIONS);
	struct slice *slices;
	size_t count;

	for (int64_t i = 0; i < ITERATIONS; i++) {
		int64_t begin_ns = i * 100000;

		for (int64_t k = 0; k < LAUNCHES; k++) {
			int64_t at_ns = begin_ns + k * 1000;

			long_run_kernel(run,
					long_run_call(run, LONG_RUN_LAUNCH, (uint32_t)k, at_ns,
						      at_ns + 1000),
					0, 0, begin_ns + 1000 + k * 10000,
					begin_ns + 11000 + k * 10000);
		}
		long_run_call(run, LONG_RUN_SYNC, LAUNCHES, begin_ns + LAUNCHES * 1000,
			      begin_ns + 1000 + LAUNCHES * 10000);
	}
	slices = slices_cut(&run->trace, &count);
	assert_true(count > 10);
	check_cover(&run->trace, slices, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(slices[i].first % CALLS, 0);
		assert_int_equal(slices[i].run_up % CALLS, 0);
	}
	free(slices);
	long_run_free(run);
}

/* A loop of 3000 lines, of which each is called once an iteration: 8 of them are 24000 calls. */
TEST(test_a_slice_of_a_long_loop)
{
	enum { LINES = 3000, ITERATIONS = 60 };
	struct long_run *run = long_run_make((size_t)LINES * ITERATIONS);
	int64_t now_ns = 0;
	struct slice *slices;
	size_t count;

	for (uint32_t i = 0; i < ITERATIONS; i++)
		for (uint32_t line = 0; line < LINES; line += 2)
			now_ns = long_run_iteration(run, line, 0, now_ns, BUSY, 1000);
	slices = slices_cut(&run->trace, &count);
	assert_true(count > 2);
	check_cover(&run->trace, slices, count);
	for (size_t i = 0; i < count; i++)
		assert_true(slices[i].end - slices[i].first >= 8 * LINES - 2);
	free(slices);
	long_run_free(run);
}

/* An operation over all of the run: at no call but the last is the device done. */
TEST(test_one_operation_over_all)
{
	struct long_run *run = long_run_make(40000), *loop = make_loop(15000);
	const struct trace_call *last = &loop->trace.calls[loop->trace.call_count - 1];
	int64_t sum_ns = 0, idle_ns = 0;
	struct slice *slices;
	size_t count;

	long_run_kernel(run, long_run_call(run, LONG_RUN_LAUNCH, 9, 0, 1000), 1, 1, 1000,
			last->end_ns);
	for (size_t i = 0; i < loop->trace.call_count; i++)
		long_run_call(run, LONG_RUN_SYNC, 1, loop->trace.calls[i].start_ns,
			      loop->trace.calls[i].end_ns);
	slices = slices_cut(&run->trace, &count);
	check_cover(&run->trace, slices, count);
	for (size_t i = 0; i < count; i++) {
		sum_ns += slices[i].length_ns;
		idle_ns += slices[i].idle_ns;
	}
	assert_int_equal(sum_ns, last->end_ns);
	assert_int_equal(idle_ns, 1000);
	free(slices);
	long_run_free(loop);
	long_run_free(run);
}

TEST(test_nothing)
{
	struct long_run *run = long_run_make(1);
	size_t count;
	struct slice *slices = slices_cut(&run->trace, &count);

	assert_int_equal(count, 0);
	free(slices);
	long_run_free(run);
}

RUN_TESTS(NULL, NULL)
