/*
 * Pitfall: cudaMemcpy brings the result back. It goes through the legacy default stream, so it
 * comes after all that the blocking streams have to do, and the host waits until it is done.
 * Fix: cudaMemcpyAsync in the chunk's own stream.
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

		CHECK(cudaMemcpyAsync(slot->in, in, bytes, cudaMemcpyHostToDevice, stream));
		mix_elements<<<grid, block, 0, stream>>>(slot->out, slot->in, count, rounds);
		CHECK(cudaGetLastError());
		if (p->is_fixed)
			CHECK(cudaMemcpyAsync(out, slot->out, bytes, cudaMemcpyDeviceToHost,
					      stream));
		else
			/* PITFALL: blocking-copy */
			CHECK(cudaMemcpy(out, slot->out, bytes, cudaMemcpyDeviceToHost));
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "blocking_copy", 176, argc, argv);
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
