/*
 * Each step's readings are entered in an image of 48 MB, whose rows are then summed for the GPU.
 *
 * Fault: each step has an image of its own, whose pages the kernel gives and takes again.
 * Fix: one image, which is cleared.
 */
#include "tests/bench/frameworks/host_pair.h"

#include <algorithm>
#include <vector>

enum { STEPS = 15, ROUNDS = 8000, PIXELS = 12 << 20, READINGS = 20000 };

static void enter_readings(std::vector<float> &image, int step)
{
	for (uint32_t i = 0; i < READINGS; i++)
		image[(i * 2654435761u + (uint32_t)step) % PIXELS] += 1;
}

static void sum_rows(uint32_t *sums, const std::vector<float> &image)
{
	for (int i = 0; i < BATCH_WORDS; i++)
		sums[i] = (uint32_t)(image[(size_t)i * 16] + image[(size_t)i * 16 + 8]);
}

static void fill_batch(uint32_t *sums, int step)
{
	std::vector<float> image(PIXELS);

	enter_readings(image, step);
	sum_rows(sums, image);
}

static void fill_batch_again(uint32_t *sums, int step)
{
	static std::vector<float> image(PIXELS);

	std::fill(image.begin(), image.end(), 0.0f);
	enter_readings(image, step);
	sum_rows(sums, image);
}

static void loop(const struct gpu *gpu, bool is_fixed)
{
	for (int step = 0; step < STEPS; step++) {
		int slot = step % SLOTS;

		CHECK(cudaEventSynchronize(gpu->done[slot]));
		if (is_fixed)
			fill_batch_again(gpu->pinned[slot], step);
		else
			fill_batch(gpu->pinned[slot], step);
		CHECK(cudaMemcpyAsync(gpu->batch[slot], gpu->pinned[slot], batch_bytes,
				      cudaMemcpyHostToDevice, gpu->stream));
		work<<<CELLS / BLOCK_SIZE, BLOCK_SIZE, 0, gpu->stream>>>(gpu->cells,
									 gpu->batch[slot], ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(gpu->done[slot], gpu->stream));
	}
}
