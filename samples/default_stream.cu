/*
 * Pitfall: a launch without its stream goes to the legacy default stream, which waits for all
 * blocking streams and stalls them all until the kernel is done: no copy runs beside a kernel.
 * Fix: launch the kernel in the chunk's own stream.
 */
#include "samples/pipeline.h"

/* Chunk by chunk: to the device, through the kernel, back. Only the end is waited for. */
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
		if (p->is_fixed)
			mix_elements<<<grid, block, 0, stream>>>(slot->out, slot->in, count,
								 rounds);
		else
			/* PITFALL: default-stream */
			mix_elements<<<grid, block>>>(slot->out, slot->in, count, rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(out, slot->out, bytes, cudaMemcpyDeviceToHost, stream));
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "default_stream", 224, argc, argv);
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
