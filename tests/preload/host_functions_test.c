/* The slots of host functions: used again outside of captures, kept inside, and never mixed up. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "cmocka_test.h"
#include "fake_cuda.h"
#include "cupti/host_functions.h"
#include "base/losses.h"
#include "recorder/recorder.h"

#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 1000 }; /* thirty times slower, for the threads contend */
#else
enum { ROUNDS = 100000 };
#endif
enum { THREADS = 8, HELD = 3 };

static _Atomic uint64_t recorded, lost;
static struct host_function_run last_run;

/* The recorder's part, and the losses'. */
void recorder_host_function(const struct host_function_run *run)
{
	if (atomic_fetch_add(&recorded, 1) == 0)
		last_run = *run;
}

void losses_count(enum loss loss, uint64_t count)
{
	assert_int_equal(loss, LOSS_HOST_FUNCTION);
	atomic_fetch_add(&lost, count);
}

static void add_one(void *counter)
{
	++*(int *)counter;
}

static struct host_function *wrap(cudaStream_t stream, int *counter, enum host_function_use use)
{
	const struct host_function wanted = {.function = (uint64_t)add_one,
					     .argument = (uint64_t)counter,
					     .stream = (uint64_t)stream,
					     .correlation = 1234};

	return host_function_wrap(&wanted, use, false);
}

static int set_up(void **state)
{
	atomic_store(&recorded, 0);
	return cudaFree(NULL);
}

TEST_WITH(test_a_function_runs_and_is_recorded, set_up, NULL)
{
	cudaStream_t stream;
	int runs = 0;

	cudaStreamCreate(&stream);
	host_function_run(wrap(stream, &runs, HOST_FUNCTION_ENQUEUED));
	assert_int_equal(runs, 1);
	assert_int_equal(recorded, 1);
	assert_int_equal(last_run.function, (uint64_t)add_one);
	assert_int_equal(last_run.stream, (uint64_t)stream);
	assert_int_equal(last_run.correlation, 1234);
	assert_null(host_function_wrap(&(struct host_function){0}, HOST_FUNCTION_ENQUEUED, false));
	cudaStreamDestroy(stream);
}

TEST_WITH(test_a_slot_is_used_again, set_up, NULL)
{
	struct host_function *first, *second;
	cudaStream_t stream;
	int runs = 0;

	cudaStreamCreate(&stream);
	first = wrap(stream, &runs, HOST_FUNCTION_ENQUEUED);
	second = wrap(stream, &runs, HOST_FUNCTION_ENQUEUED);
	assert_ptr_not_equal(first, second);
	host_function_run(first);
	assert_ptr_equal(wrap(stream, &runs, HOST_FUNCTION_ENQUEUED), first);
	host_function_take_back(second);
	assert_ptr_equal(wrap(stream, &runs, HOST_FUNCTION_ENQUEUED), second);
	host_function_take_back(first);
	host_function_take_back(second);
	cudaStreamDestroy(stream);
}

TEST_WITH(test_a_captured_one_is_kept, set_up, NULL)
{
	struct host_function *captured, *added, *per_thread;
	cudaStream_t stream;
	cudaGraph_t graph, second;
	int runs = 0;

	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	captured = wrap(stream, &runs, HOST_FUNCTION_ENQUEUED);
	cudaStreamEndCapture(stream, &graph);
	added = wrap(NULL, &runs, HOST_FUNCTION_IN_GRAPH);
	cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal);
	per_thread = host_function_wrap(
		&(struct host_function){.function = (uint64_t)add_one, .argument = (uint64_t)&runs},
		HOST_FUNCTION_ENQUEUED, true);
	cudaStreamEndCapture(cudaStreamPerThread, &second);
	assert_true(per_thread->is_kept);
	for (int i = 0; i < 3; i++) {
		host_function_run(captured);
		host_function_run(added);
		assert_ptr_not_equal(wrap(stream, &runs, HOST_FUNCTION_ENQUEUED), captured);
	}
	assert_int_equal(runs, 6);
	assert_int_equal(recorded, 6);
	cudaGraphDestroy(graph);
	cudaGraphDestroy(second);
	cudaStreamDestroy(stream);
}

/* Each thread takes some, then lets them run or takes them back: none may run for another. */
static void *use_slots(void *stream)
{
	struct host_function *held[HELD];
	int runs[HELD] = {0}, expected[HELD] = {0};

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < HELD; i++)
			held[i] = wrap(stream, &runs[i], HOST_FUNCTION_ENQUEUED);
		for (int i = 0; i < HELD; i++) {
			if ((round + i) % 3) {
				host_function_run(held[i]);
				expected[i]++;
			} else {
				host_function_take_back(held[i]);
			}
		}
	}
	for (int i = 0; i < HELD; i++)
		if (runs[i] != expected[i])
			return "a function ran for another one";
	return NULL;
}

TEST_WITH(test_threads_do_not_mix_them_up, set_up, NULL)
{
	pthread_t threads[THREADS];
	cudaStream_t stream;
	void *failure;

	cudaStreamCreate(&stream);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, use_slots, stream), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failure), 0);
		assert_null(failure);
	}
	cudaStreamDestroy(stream);
}

/* A million that are kept, then the program's own goes through. */
TEST_WITH(test_slots_run_out, set_up, NULL)
{
	int runs = 0, count = 0;

	while (wrap(NULL, &runs, HOST_FUNCTION_IN_GRAPH))
		assert_in_range(count++, 0, 1024 * 1024);
	assert_in_range(count, 1000 * 1000, 1024 * 1024);
	assert_int_equal(lost, 1);
}

RUN_TESTS(NULL, NULL)
