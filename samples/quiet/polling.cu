/*
 * Nothing to find: a bisection for the median of the mixed numbers 0, 1, ... It reads 4 bytes back
 * an iteration, and waits for them, because they decide what the next kernel is to count.
 */
#include "samples/pipeline.h"

/* About 17 ms a kernel on an H100; 32 iterations. */
enum { ELEMENTS = 1 << 24, ROUNDS = 8000, BLOCKS = 4096 };

static uint32_t find_median(const struct pipeline *p, int rounds)
{
	uint32_t low = 0, high = UINT32_MAX;
	uint32_t *device_count = p->slots[0].out;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, count;

		CHECK(cudaMemsetAsync(device_count, 0, sizeof(count)));
		mix_count<<<BLOCKS, p->block>>>(device_count, ELEMENTS, rounds, middle);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(&count, device_count, sizeof(count), cudaMemcpyDeviceToHost));
		if (count < ELEMENTS / 2)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "polling", 0);
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	find_median(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = find_median(&pipeline, ROUNDS);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
