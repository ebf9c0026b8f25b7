/*
 * Nothing to find: a benchmark. It waits for each kernel, because it reads a clock before and after:
 * without the wait it would measure something else.
 */
#include "samples/pipeline.h"

#include <algorithm>
#include <chrono>

enum { REPEATS = 300 };

/* The median time of a kernel, in seconds. */
static double measure(const struct pipeline *p, int repeats)
{
	static double times[REPEATS];

	for (int i = 0; i < repeats; i++) {
		auto start = std::chrono::steady_clock::now();

		mix_elements<<<p->grid, p->block>>>(p->slots[0].out, p->slots[0].in,
						    pipeline_elements(p), p->rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		times[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
				   .count();
	}
	std::sort(times, times + repeats);
	return times[repeats / 2];
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "benchmark", 0);
	pipeline.chunk_bytes = 4 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMemcpy(pipeline.slots[0].in, pipeline.host_in, pipeline.chunk_bytes,
			 cudaMemcpyHostToDevice));
	measure(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = measure(&pipeline, REPEATS) > 0;
	CHECK(cudaMemcpy(pipeline.host_out, pipeline.slots[0].out, pipeline.chunk_bytes,
			 cudaMemcpyDeviceToHost));
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
