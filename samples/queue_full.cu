/*
 * Pitfall: a solver's 4,500 short sweeps are launched before the copies of the next grid, which go
 * to another stream. About a thousand launches can be pending: from then on each launch waits for
 * one to be done, and the copies are issued when the sweeps are nearly over.
 * Fix: issue the copies first.
 */
#include "samples/pipeline.h"

enum {
	SWEEP_COUNT = 4500,
	SWEEP_ELEMENTS = 4096,
	SWEEP_ROUNDS = 4000, /* 30 us: more than a launch takes */
	PART_BYTES = 128 << 20,
	PART_COUNT = 48 /* 115 ms at 55 GB/s */
};

struct solver {
	cudaStream_t sweeps, copies;
	uint32_t *grid, *parts, *host_part;
};

static void launch_sweeps(const struct solver *solver)
{
	for (int i = 0; i < SWEEP_COUNT; i++) {
		/* PITFALL: queue-full */
		mix_elements<<<SWEEP_ELEMENTS / 256, 256, 0, solver->sweeps>>>(
			solver->grid, solver->grid, SWEEP_ELEMENTS, SWEEP_ROUNDS);
		CHECK(cudaGetLastError());
	}
}

static void send_parts(const struct solver *solver)
{
	size_t elements = PART_BYTES / sizeof(*solver->parts);

	for (int i = 0; i < PART_COUNT; i++)
		CHECK(cudaMemcpyAsync(solver->parts + i * elements, solver->host_part, PART_BYTES,
				      cudaMemcpyHostToDevice, solver->copies));
}

static void run(const struct pipeline *p, const struct solver *solver)
{
	if (p->is_fixed)
		send_parts(solver);
	launch_sweeps(solver);
	if (!p->is_fixed)
		send_parts(solver);
	CHECK(cudaMemcpyAsync(p->host_out, solver->grid, p->host_bytes, cudaMemcpyDeviceToHost,
			      solver->sweeps));
	CHECK(cudaStreamSynchronize(solver->sweeps));
	CHECK(cudaStreamSynchronize(solver->copies));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct solver solver = {};

	pipeline_parse(&pipeline, "queue_full", 1, argc, argv);
	pipeline.chunk_bytes = SWEEP_ELEMENTS * sizeof(uint32_t) / SLOT_COUNT;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaStreamCreateWithFlags(&solver.sweeps, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&solver.copies, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&solver.grid, pipeline.host_bytes));
	CHECK(cudaMalloc(&solver.parts, (size_t)PART_COUNT * PART_BYTES));
	CHECK(cudaMallocHost(&solver.host_part, PART_BYTES));
	/* Warms up, and is waited for: its stream does not wait for the copy's. */
	mix_elements<<<1, 1, 0, solver.sweeps>>>(solver.grid, solver.grid, 1, 1);
	CHECK(cudaStreamSynchronize(solver.sweeps));
	CHECK(cudaMemcpy(solver.grid, pipeline.host_in, pipeline.host_bytes,
			 cudaMemcpyHostToDevice));
	CHECK(cudaDeviceSynchronize());
	pipeline_start(&pipeline);
	for (int i = 0; i < pipeline.chunk_count; i++)
		run(&pipeline, &solver);
	pipeline_stop(&pipeline);
	CHECK(cudaFreeHost(solver.host_part));
	CHECK(cudaFree(solver.parts));
	CHECK(cudaFree(solver.grid));
	CHECK(cudaStreamDestroy(solver.copies));
	CHECK(cudaStreamDestroy(solver.sweeps));
	pipeline_close(&pipeline);
	return 0;
}
