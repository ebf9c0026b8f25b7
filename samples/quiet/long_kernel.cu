/*
 * Nothing to find: one kernel of most of a second, waited for once, with a copy of 1 MiB before and
 * after it. The copies take a ten-thousandth of the time.
 */
#include "samples/pipeline.h"

/* Of 262,144 elements, as many as an H100 runs at once: a round takes 34 ns. */
enum { ROUNDS = 20000000 };

static void run(const struct pipeline *p, int rounds)
{
	size_t bytes = p->chunk_bytes, count = pipeline_elements(p);
	const struct slot *slot = &p->slots[0];
	cudaStream_t stream = slot->stream;

	CHECK(cudaMemcpyAsync(slot->in, p->host_in, bytes, cudaMemcpyHostToDevice, stream));
	mix_elements<<<p->grid, p->block, 0, stream>>>(slot->out, slot->in, count, rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(p->host_out, slot->out, bytes, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "long_kernel", 1);
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, ROUNDS);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
