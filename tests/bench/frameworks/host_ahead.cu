/*
 * Nothing to find: the host prepares the next batch while the GPU works for ten times as long, and
 * the first before the loop.
 */
#include "tests/bench/frameworks/host_pair.h"

#include <math.h>

enum { STEPS = 30, ROUNDS = 12000 };

static void prepare(uint32_t *words, int step)
{
	for (int i = 0; i < BATCH_WORDS; i++)
		words[i] = (uint32_t)(1e6 * cos(1e-3 * (i + step)));
}

static void loop(const struct gpu *gpu, bool is_fixed)
{
	(void)is_fixed;
	for (int step = 0; step < STEPS; step++) {
		int slot = step % SLOTS, next = (step + 1) % SLOTS;

		CHECK(cudaMemcpyAsync(gpu->batch[slot], gpu->pinned[slot], batch_bytes,
				      cudaMemcpyHostToDevice, gpu->stream));
		work<<<CELLS / BLOCK_SIZE, BLOCK_SIZE, 0, gpu->stream>>>(gpu->cells,
									 gpu->batch[slot], ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(gpu->done[slot], gpu->stream));
		CHECK(cudaEventSynchronize(gpu->done[next]));
		prepare(gpu->pinned[next], step + 1);
	}
}
