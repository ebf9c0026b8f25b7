/*
 * What the programs host_*.cu share: the GPU's side, and main(). Each has a loop() whose GPU waits
 * for the host, and with --fixed its repaired twin. host_score.py builds and runs them.
 */
#ifndef STREAMTRACE_BENCH_HOST_PAIR_H
#define STREAMTRACE_BENCH_HOST_PAIR_H

#include "tests/bench/pairs/pair.h"

enum { BATCH_WORDS = 1 << 16, CELLS = 1 << 23, BLOCK_SIZE = 256, SLOTS = 2, WARM_UPS = 2 };

static const size_t batch_bytes = BATCH_WORDS * sizeof(uint32_t);

/* Two batches can be under way: `done` of a slot is recorded behind the work that uses its memory. */
struct gpu {
	cudaStream_t stream;
	uint32_t *cells;
	uint32_t *batch[SLOTS], *pinned[SLOTS];
	cudaEvent_t done[SLOTS];
};

/* About 1 us a round on an H100. Launch it with CELLS / BLOCK_SIZE blocks. */
static __global__ void work(uint32_t *cells, const uint32_t *batch, int rounds)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	uint32_t value = cells[i] + batch[i % BATCH_WORDS];

	for (int round = 0; round < rounds; round++)
		value = (value ^ value >> 13) * 1664525u + 1013904223u;
	cells[i] = value;
}

/* A program's own: one run of what is measured. It need not wait for the GPU at its end. */
static void loop(const struct gpu *gpu, bool is_fixed);

static void open_gpu(struct gpu *gpu)
{
	CHECK(cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&gpu->cells, CELLS * sizeof(uint32_t)));
	CHECK(cudaMemset(gpu->cells, 0, CELLS * sizeof(uint32_t)));
	for (int slot = 0; slot < SLOTS; slot++) {
		CHECK(cudaMalloc(&gpu->batch[slot], batch_bytes));
		CHECK(cudaMallocHost(&gpu->pinned[slot], batch_bytes));
		memset(gpu->pinned[slot], 0, batch_bytes);
		CHECK(cudaEventCreateWithFlags(&gpu->done[slot], cudaEventDisableTiming));
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	bool is_fixed = pair_parse(argc, argv, PAIR_FIXED) == PAIR_FIXED;
	struct gpu gpu;
	int64_t start_ns;

	open_gpu(&gpu);
	for (int run = 0; run < WARM_UPS; run++)
		loop(&gpu, is_fixed);
	CHECK(cudaStreamSynchronize(gpu.stream));
	CHECK(cudaProfilerStart());
	start_ns = pair_now_ns();
	loop(&gpu, is_fixed);
	CHECK(cudaStreamSynchronize(gpu.stream));
	printf("time %.6f s\n", (double)(pair_now_ns() - start_ns) / 1e9);
	CHECK(cudaProfilerStop());
	return 0;
}

#endif
