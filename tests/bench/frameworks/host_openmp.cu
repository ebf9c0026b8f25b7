/*
 * The host evaluates a model for the points of each step before it sends them.
 *
 * Fault: the evaluation runs in one thread, though its points do not depend on each other.
 * Fix: OpenMP shares them among all cores.
 */
#include "tests/bench/frameworks/host_pair.h"

#include <math.h>

enum { STEPS = 30, ROUNDS = 3000, TERMS = 12 };

static uint32_t model(double x)
{
	double sum = 0;

	for (int term = 1; term <= TERMS; term++)
		sum += exp(-x * term) * cos(term * x);
	return (uint32_t)(sum * 1e6);
}

static void evaluate(uint32_t *words, int step, bool is_fixed)
{
#pragma omp parallel for if (is_fixed)
	for (int i = 0; i < BATCH_WORDS; i++)
		words[i] = model((double)(i + step) / BATCH_WORDS);
}

static void loop(const struct gpu *gpu, bool is_fixed)
{
	for (int step = 0; step < STEPS; step++) {
		int slot = step % SLOTS;

		CHECK(cudaEventSynchronize(gpu->done[slot]));
		evaluate(gpu->pinned[slot], step, is_fixed);
		CHECK(cudaMemcpyAsync(gpu->batch[slot], gpu->pinned[slot], batch_bytes,
				      cudaMemcpyHostToDevice, gpu->stream));
		work<<<CELLS / BLOCK_SIZE, BLOCK_SIZE, 0, gpu->stream>>>(gpu->cells,
									 gpu->batch[slot], ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(gpu->done[slot], gpu->stream));
	}
}
