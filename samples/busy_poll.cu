/*
 * Pitfall: for each problem a thread launches hundreds of kernels of some microseconds into a stream. The
 * main thread waits for it and for the stream: it asks again and again whether the stream is done. Each
 * query takes the stream's lock, which the launches need, too: they come too late to keep the GPU busy.
 * Fix: join the thread, and then wait with cudaStreamSynchronize.
 */
#include "samples/pipeline.h"

#include <atomic>
#include <thread>

/* On an H200 8 us for a kernel, and 4 us for its launch. */
enum { WORDS = 1 << 14, BLOCK = 128, ROUNDS = 800 };

/* Launches for a problem: less than the driver takes ahead. */
enum { STEPS = 900, WARM_UP = 200 };

struct solver {
	cudaStream_t stream;
	uint32_t *words;
	std::atomic<bool> is_done;
};

/* The part of the words that a step changes depends on the step. */
static void solve(struct solver *solver, int step_count)
{
	uint32_t state = 1;

	for (int i = 0; i < step_count; i++) {
		state = state * 1664525u + 1013904223u;

		int blocks = WORDS / BLOCK / 2 + state / 65536 % (WORDS / BLOCK / 2);

		mix_elements<<<blocks, BLOCK, 0, solver->stream>>>(solver->words, solver->words,
								   blocks * BLOCK, ROUNDS);
		CHECK(cudaGetLastError());
	}
	solver->is_done = true;
}

static void wait_until_done(struct solver *solver)
{
	cudaError_t error = cudaErrorNotReady;

	while (!solver->is_done || error == cudaErrorNotReady)
		/* PITFALL: busy-poll */
		error = cudaStreamQuery(solver->stream);
	CHECK(error);
}

static void run(struct solver *solver, int step_count, bool is_fixed)
{
	std::thread thread;

	solver->is_done = false;
	thread = std::thread(solve, solver, step_count);
	if (!is_fixed)
		wait_until_done(solver);
	thread.join();
	CHECK(cudaStreamSynchronize(solver->stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	static struct solver solver;

	pipeline_parse(&pipeline, "busy_poll", 4, argc, argv);
	pipeline.chunk_bytes = WORDS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	solver.stream = pipeline.slots[0].stream;
	solver.words = pipeline.slots[0].in;
	CHECK(cudaMemcpy(solver.words, pipeline_in(&pipeline, 0), pipeline.chunk_bytes,
			 cudaMemcpyHostToDevice));
	run(&solver, WARM_UP, true); /* loads the module */
	pipeline_start(&pipeline);
	for (int i = 0; i < pipeline.chunk_count; i++) {
		run(&solver, STEPS, pipeline.is_fixed);
		CHECK(cudaMemcpy(pipeline_out(&pipeline, 0), solver.words, pipeline.chunk_bytes,
				 cudaMemcpyDeviceToHost));
		pipeline.host_result += pipeline_checksum(pipeline_out(&pipeline, 0), WORDS);
	}
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
