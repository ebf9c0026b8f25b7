/*
 * A sample for agent_test.py on the stand-in for the GPU: each step has a kernel and a copy of its result to the host.
 * Pitfall: the host's memory is pageable, so that each copy blocks the host behind the kernel. --fixed: it is pinned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

enum { STEPS = 60, SLOTS = 2, BYTES = 8 << 20, KERNEL_NS = 2000000 };

static void busy_kernel(void **args)
{
}

static void *allocate_result(int is_fixed)
{
	void *memory = NULL;

	if (is_fixed)
		cudaMallocHost(&memory, BYTES);
	else
		memory = malloc(BYTES);
	return memory;
}

int main(int argc, char **argv)
{
	const int is_fixed = argc > 1 && !strcmp(argv[1], "--fixed");
	void *result[SLOTS], *device[SLOTS];
	uint64_t duration_ns = KERNEL_NS;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};
	cudaStream_t stream[SLOTS];

	for (int i = 0; i < SLOTS; i++) {
		cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
		cudaMalloc(&device[i], BYTES);
		result[i] = allocate_result(is_fixed);
	}
	for (int i = 0; i < STEPS; i++) {
		const int slot = i % SLOTS;

		__cudaLaunchKernel((cudaKernel_t)busy_kernel, one, one, args, 0, stream[slot]);
		cudaMemcpyAsync(result[slot], device[slot], BYTES, cudaMemcpyDeviceToHost,
				stream[slot]);
	}
	cudaDeviceSynchronize();
	puts("done");
	return 0;
}
