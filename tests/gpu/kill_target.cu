/*
 * The program that kill.py kills: rounds of one launch and one copy, waited for, one a millisecond.
 * After each it says on stdout, past every buffer: `made ROUNDS at NANOSECONDS` of CLOCK_REALTIME.
 * Never ends by itself within a minute.
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ROUNDS = 60000, BYTES = 4096 };

static __global__ void nothing(void)
{
}

static void check(cudaError_t error)
{
	if (!error)
		return;
	fprintf(stderr, "kill_target: %s\n", cudaGetErrorString(error));
	exit(1);
}

static void report(int rounds)
{
	struct timespec now;
	char line[80];
	int length;

	clock_gettime(CLOCK_REALTIME, &now);
	length = snprintf(line, sizeof(line), "made %d at %lld\n", rounds,
			  (long long)now.tv_sec * 1000000000 + now.tv_nsec);
	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		exit(1);
}

int main(void)
{
	void *device, *host;
	cudaStream_t stream;

	check(cudaStreamCreate(&stream));
	check(cudaMalloc(&device, BYTES));
	check(cudaMallocHost(&host, BYTES));
	for (int round = 1; round <= MAX_ROUNDS; round++) {
		nothing<<<1, 1, 0, stream>>>();
		check(cudaGetLastError());
		check(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream));
		check(cudaStreamSynchronize(stream));
		report(round);
		usleep(1000);
	}
	return 0;
}
