/*
 * The traced program of full_rate_test.c and tests/bench/full_rate.py: `full_rate_app
 * THREADS,CALLS,SECONDS`.
 *
 * Each thread makes so many calls that do nothing (empty_cudart.c) as fast as it can; with CALLS 0 it
 * goes on for SECONDS. At its end each writes `made THREAD CALLS`.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cuda_runtime_api.h>

enum { MOST_THREADS = 1000, BETWEEN_CHECKS = 1000 };

static long long wanted_calls;
static atomic_bool is_over;

static void *worker_main(void *argument)
{
	const intptr_t index = (intptr_t)argument;
	long long calls = 0;
	char line[64];
	int length;

	while (wanted_calls ? calls < wanted_calls : !atomic_load(&is_over))
		for (int i = 0; i < BETWEEN_CHECKS; i += 2, calls += 2) {
			cudaStreamQuery((cudaStream_t)index);
			cudaEventRecord((cudaEvent_t)(intptr_t)i, (cudaStream_t)index);
		}
	length = snprintf(line, sizeof(line), "made %d %lld\n", (int)gettid(), calls);
	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(2);
	return NULL;
}

int main(int argc, char **argv)
{
	static pthread_t workers[MOST_THREADS];
	int threads, seconds;

	if (argc != 2 || sscanf(argv[1], "%d,%lld,%d", &threads, &wanted_calls, &seconds) != 3 ||
	    threads > MOST_THREADS)
		return 2;
	for (int i = 0; i < threads; i++)
		pthread_create(&workers[i], NULL, worker_main, (void *)(intptr_t)(i + 1));
	sleep((unsigned int)seconds);
	atomic_store(&is_over, true);
	for (int i = 0; i < threads; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
