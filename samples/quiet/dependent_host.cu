/*
 * Nothing to find: the host makes each chunk from what came back of the one before, in some
 * milliseconds; the device needs a tenth of one. No two of these steps can overlap: the GPU is idle,
 * and no thread of the host could prepare a chunk earlier.
 */
#include "samples/pipeline.h"

/* Steps of the host's own arithmetic per word: about 4 ms a chunk of 1 MiB. */
enum { HOST_STEPS = 8 };

static void make_chunk(uint32_t *words, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++) {
		for (int step = 0; step < HOST_STEPS; step++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			seed ^= seed >> 29;
		}
		words[i] = (uint32_t)(seed >> 32);
	}
}

static void run(struct pipeline *p, int chunk_count)
{
	size_t bytes = p->chunk_bytes, count = pipeline_elements(p);
	const struct slot *slot = &p->slots[0];

	for (int i = 0; i < chunk_count; i++) {
		uint32_t *in = pipeline_in(p, i), *out = pipeline_out(p, i);

		make_chunk(in, count, p->host_result);
		CHECK(cudaMemcpyAsync(slot->in, in, bytes, cudaMemcpyHostToDevice, slot->stream));
		mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in, count,
								     p->rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(out, slot->out, bytes, cudaMemcpyDeviceToHost, slot->stream));
		CHECK(cudaStreamSynchronize(slot->stream));
		p->host_result = pipeline_checksum(out, count);
	}
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "dependent_host", 120);
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
