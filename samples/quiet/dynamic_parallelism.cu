/*
 * Nothing to find: kernels that launch kernels. A tree of intervals is refined on the device, level
 * by level, without the host: it launches each tree once, and reads the sums at the end. CUPTI records no
 * kernel that a kernel launched, so that the device seems to be idle.
 */
#include "samples/pipeline.h"

/* 4^5 leaves a tree; 13 us an H100 for a thread's rounds. */
enum { LEVELS = 5, FAN = 4, TREES = 100, LEAF_ROUNDS = 2000 };

__device__ static uint32_t mix_word(uint32_t word, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		word = word * 1664525 + 1013904223;
		word ^= word >> 15;
	}
	return word;
}

__global__ void refine(uint32_t *sum, uint32_t first, uint32_t length, int level, int rounds)
{
	uint32_t part = length / FAN, own = first + part * threadIdx.x;

	if (level == LEVELS)
		atomicAdd(sum, mix_word(own, rounds));
	else
		refine<<<1, FAN, 0, cudaStreamFireAndForget>>>(sum, own, part, level + 1, rounds);
}

static void run(const struct pipeline *p, int trees, int rounds)
{
	uint32_t *sums = p->slots[0].out;
	cudaStream_t stream = p->slots[0].stream;

	CHECK(cudaMemsetAsync(sums, 0, trees * sizeof(*sums), stream));
	for (int i = 0; i < trees; i++) {
		refine<<<1, FAN, 0, stream>>>(sums + i, UINT32_MAX / trees * i, UINT32_MAX / trees,
					      0, rounds);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(p->host_out, sums, trees * sizeof(*sums), cudaMemcpyDeviceToHost,
			      stream));
	CHECK(cudaStreamSynchronize(stream));
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "dynamic_parallelism", 0);
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 16384));
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, TREES, LEAF_ROUNDS);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
