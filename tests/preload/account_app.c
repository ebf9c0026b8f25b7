/*
 * The traced program of account_test.c and kill_test.c: `account_app THREADS,CALLS,REST_US`.
 *
 * Each thread makes that many calls of all kinds, or for ever with 0, and rests after each round.
 * After each round it writes at once, for it may be killed: `made THREAD INDEX CALLS OPERATIONS
 * TIME_NS`. All OPERATIONS are complete then. Those of thread INDEX are the kernels with a grid of
 * INDEX, the copies of COPY_BYTES + INDEX and the sets of SET_BYTES + INDEX bytes.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "account_app.h"
#include "fake_cuda.h"

enum { MOST_THREADS = 1000 };

struct worker {
	pthread_t thread;
	unsigned int index; /* from 1 */
	int calls, operations;
	cudaStream_t stream;
	cudaEvent_t event;
	void *device, *pinned;
};

static int wanted_calls, rest_us;

static void idle_kernel(void **args)
{
}

static void make_round(struct worker *worker)
{
	uint64_t duration_ns = 500;
	void *args[] = {&duration_ns};
	const dim3 grid = {worker->index, 1, 1}, block = {1, 1, 1};
	cudaStream_t stream = worker->stream;

	for (int i = 0; i < ROUND_CALLS / 10; i++) {
		__cudaLaunchKernel((cudaKernel_t)idle_kernel, grid, block, args, 0, stream);
		cudaMemcpyAsync(worker->device, worker->pinned, COPY_BYTES + worker->index,
				cudaMemcpyHostToDevice, stream);
		cudaMemsetAsync(worker->device, 0, SET_BYTES + worker->index, stream);
		cudaEventRecord(worker->event, stream);
		for (int k = 0; k < 5; k++)
			cudaStreamQuery(stream);
		/* The last call of the last ten is the synchronize. */
		if (i + 1 < ROUND_CALLS / 10)
			cudaEventQuery(worker->event);
	}
	cudaStreamSynchronize(stream);
	worker->calls += ROUND_CALLS;
	worker->operations += 3 * (ROUND_CALLS / 10);
}

static void tell(const struct worker *worker)
{
	char line[128];
	struct timespec now;
	int length;

	clock_gettime(CLOCK_REALTIME, &now);
	length = snprintf(line, sizeof(line), "made %d %u %d %d %lld\n", (int)gettid(),
			  worker->index, worker->calls, worker->operations,
			  (long long)now.tv_sec * 1000000000 + now.tv_nsec);
	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(2);
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;

	cudaMalloc(&worker->device, 4096);
	cudaMallocHost(&worker->pinned, 4096);
	cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking);
	cudaEventCreate(&worker->event);
	worker->calls = OPENING_CALLS;
	while (!wanted_calls || worker->calls < wanted_calls) {
		make_round(worker);
		if (!wanted_calls)
			tell(worker);
		if (rest_us)
			usleep((useconds_t)rest_us);
	}
	tell(worker);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct worker workers[MOST_THREADS];
	int threads;

	if (argc != 2 || sscanf(argv[1], "%d,%d,%d", &threads, &wanted_calls, &rest_us) != 3 ||
	    threads > MOST_THREADS)
		return 2;
	for (int i = 0; i < threads; i++) {
		workers[i].index = (unsigned int)i + 1;
		pthread_create(&workers[i].thread, NULL, worker_main, &workers[i]);
	}
	for (int i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	return 0;
}
