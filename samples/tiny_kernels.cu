/*
 * Pitfall: a cycle of 30 kernels of a microsecond or two each, launched one by one. A launch takes
 * longer than its kernel: the GPU waits for the host between any two of them.
 * Fix: capture the cycle in a CUDA graph once, and launch that.
 */
#include "samples/pipeline.h"

/* From level to level half as many elements, and up again. */
enum { LEVELS = 15, ELEMENTS = 1 << (LEVELS - 1), BLOCK = 256 };

static void launch_cycle(const struct slot *slot)
{
	for (int k = 0; k < 2 * LEVELS; k++) {
		int level = k < LEVELS ? k : 2 * LEVELS - 1 - k, count = ELEMENTS >> level;
		dim3 grid((count + BLOCK - 1) / BLOCK), block(BLOCK);

		/* PITFALL: tiny-kernels */
		mix_elements<<<grid, block, 0, slot->stream>>>(slot->in, slot->in, count, 1);
		CHECK(cudaGetLastError());
	}
}

static cudaGraphExec_t capture_cycle(const struct slot *slot)
{
	cudaGraph_t graph;
	cudaGraphExec_t cycle;

	CHECK(cudaStreamBeginCapture(slot->stream, cudaStreamCaptureModeGlobal));
	launch_cycle(slot);
	CHECK(cudaStreamEndCapture(slot->stream, &graph));
	CHECK(cudaGraphInstantiate(&cycle, graph, 0));
	CHECK(cudaGraphDestroy(graph));
	return cycle;
}

/* cycle: NULL in the broken twin. */
static void run(const struct pipeline *p, cudaGraphExec_t cycle, int cycle_count)
{
	const struct slot *slot = &p->slots[0];

	for (int i = 0; i < cycle_count; i++) {
		if (cycle)
			CHECK(cudaGraphLaunch(cycle, slot->stream));
		else
			launch_cycle(slot);
	}
	CHECK(cudaMemcpyAsync(pipeline_out(p, 0), slot->in, p->chunk_bytes, cudaMemcpyDeviceToHost,
			      slot->stream));
	CHECK(cudaStreamSynchronize(slot->stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	cudaGraphExec_t cycle = NULL;

	pipeline_parse(&pipeline, "tiny_kernels", 45, argc, argv);
	pipeline.chunk_bytes = ELEMENTS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMemcpy(pipeline.slots[0].in, pipeline_in(&pipeline, 0), pipeline.chunk_bytes,
			 cudaMemcpyHostToDevice));
	if (pipeline.is_fixed)
		cycle = capture_cycle(&pipeline.slots[0]);
	run(&pipeline, cycle, 1); /* warms up: loads the module, uploads the graph */
	pipeline_start(&pipeline);
	run(&pipeline, cycle, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	if (cycle)
		CHECK(cudaGraphExecDestroy(cycle));
	pipeline_close(&pipeline);
	return 0;
}
