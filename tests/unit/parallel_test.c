#include "cmocka_test.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#define JOBS 1000

struct squares {
	uint64_t items[JOBS]; /* each job writes its own */
	atomic_int runs[JOBS];
	atomic_size_t inner;
};

static void square(void *context, size_t index)
{
	struct squares *squares = context;

	squares->items[index] = index * index;
	atomic_fetch_add(&squares->runs[index], 1);
}

static void check_squares(size_t workers, size_t count)
{
	struct squares *squares = memory_array(1, sizeof(*squares));
	size_t i;

	parallel_limit(workers);
	parallel_run(count, square, squares);
	for (i = 0; i < JOBS; i++) {
		assert_int_equal(squares->runs[i], i < count);
		assert_int_equal(squares->items[i], i < count ? i * i : 0);
	}
	parallel_limit(0);
	free(squares);
}

TEST(test_each_job_runs_once)
{
	static const size_t workers[] = {0, 1, 2, 7, 1000};
	static const size_t counts[] = {0, 1, 2, JOBS};

	for (size_t i = 0; i < sizeof(workers) / sizeof(*workers); i++)
		for (size_t j = 0; j < sizeof(counts) / sizeof(*counts); j++)
			check_squares(workers[i], counts[j]);
}

/* Jobs that wait for each other end only when as many threads run them. */
static void wait_for_others(void *context, size_t index)
{
	(void)index;
	pthread_barrier_wait(context);
}

TEST(test_jobs_run_at_the_same_time)
{
	pthread_barrier_t barrier;

	parallel_limit(3);
	assert_int_equal(parallel_workers(), 3);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 3), 0);
	parallel_run(3, wait_for_others, &barrier);
	pthread_barrier_destroy(&barrier);
	parallel_limit(0);
	assert_true(parallel_workers() >= 1);
}

static void count_inner(void *context, size_t index)
{
	struct squares *squares = ((void **)context)[0];
	const pthread_t *outer = ((void **)context)[1];

	assert_true(pthread_equal(*outer, pthread_self()));
	atomic_fetch_add(&squares->inner, index);
}

/* As many threads as may run have a job of the outer run, from before the inner runs to behind them. */
static void run_inner(void *context, size_t index)
{
	struct squares *squares = ((void **)context)[0];
	pthread_t self = pthread_self();
	void *both[] = {squares, &self};

	wait_for_others(((void **)context)[1], index);
	assert_int_equal(parallel_workers(), 1);
	parallel_run(5, count_inner, both);
	assert_int_equal(parallel_workers(), 1);
	wait_for_others(((void **)context)[1], index);
}

TEST(test_a_job_runs_its_own_jobs_itself)
{
	struct squares *squares = memory_array(1, sizeof(*squares));
	pthread_barrier_t barrier;
	void *both[] = {squares, &barrier};

	parallel_limit(4);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 4), 0);
	parallel_run(4, run_inner, both);
	assert_int_equal(squares->inner, 4 * (0 + 1 + 2 + 3 + 4));
	assert_int_equal(parallel_workers(), 4);
	pthread_barrier_destroy(&barrier);
	parallel_limit(0);
	free(squares);
}

/* The second job gets the thread that the first one does not need. */
static void run_pair(void *context, size_t index)
{
	if (index)
		parallel_run(2, wait_for_others, context);
}

TEST(test_a_job_gets_threads_that_are_left)
{
	pthread_barrier_t barrier;

	parallel_limit(3);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
	parallel_run(2, run_pair, &barrier);
	pthread_barrier_destroy(&barrier);
	parallel_limit(0);
}

/* What parallel.c calls (--wrap): so many threads can still be made. */
static int threads_left = INT_MAX;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument)
{
	if (threads_left == 0)
		return EAGAIN;
	threads_left--;
	return __real_pthread_create(thread, attributes, start, argument);
}

TEST(test_without_threads)
{
	for (int left = 0; left < 3; left++) {
		threads_left = left;
		check_squares(8, JOBS);
		assert_int_equal(threads_left, 0);
	}
	threads_left = INT_MAX;
}

static atomic_bool is_masked[3];
static pthread_t caller;

static void look_at_mask(void *context, size_t index)
{
	sigset_t mask;

	pthread_barrier_wait(context);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	is_masked[index] = sigismember(&mask, SIGINT) == !pthread_equal(caller, pthread_self());
}

TEST(test_signals_are_the_callers)
{
	pthread_barrier_t barrier;

	caller = pthread_self();
	parallel_limit(3);
	assert_int_equal(pthread_barrier_init(&barrier, NULL, 3), 0);
	parallel_run(3, look_at_mask, &barrier);
	pthread_barrier_destroy(&barrier);
	parallel_limit(0);
	for (size_t i = 0; i < 3; i++)
		assert_true(is_masked[i]);
}

RUN_TESTS(NULL, NULL)
