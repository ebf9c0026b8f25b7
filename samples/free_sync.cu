/*
 * Pitfall: a device buffer of its own for each chunk. cudaMalloc does not wait, but cudaFree waits
 * for all work of the device, in every stream: it ends the chunk before the next is enqueued.
 * Fix: allocate once before the loop, here a buffer for each slot, and free after it.
 */
#include "samples/pipeline.h"

/* Chunk by chunk: to the device, through the kernel, back. */
static void run(const struct pipeline *p, int chunk_count)
{
	size_t bytes = p->chunk_bytes, count = pipeline_elements(p);
	dim3 grid = p->grid, block = p->block;
	int rounds = p->rounds;

	for (int i = 0; i < chunk_count; i++) {
		const struct slot *slot = &p->slots[i % SLOT_COUNT];
		cudaStream_t stream = slot->stream;
		const uint32_t *in = pipeline_in(p, i);
		uint32_t *out = pipeline_out(p, i);
		uint32_t *result = slot->out;

		if (!p->is_fixed)
			CHECK(cudaMalloc(&result, bytes));
		CHECK(cudaMemcpyAsync(slot->in, in, bytes, cudaMemcpyHostToDevice, stream));
		mix_elements<<<grid, block, 0, stream>>>(result, slot->in, count, rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(out, result, bytes, cudaMemcpyDeviceToHost, stream));
		if (!p->is_fixed)
			/* PITFALL: free-sync */
			CHECK(cudaFree(result));
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "free_sync", 160, argc, argv);
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
