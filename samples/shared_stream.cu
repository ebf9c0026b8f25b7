/*
 * Pitfall: eight threads launch kernels of one block without a stream. The legacy default stream is
 * one stream for all threads: their kernels, which would fit on the device all at once, run one
 * after the other.
 * Fix: the default stream of each thread (here by its name; nvcc --default-stream per-thread makes
 * the default stream that one).
 */
#include "samples/pipeline.h"

#include <thread>

enum { THREAD_COUNT = 8 };

/* A thread mixes its chunk in place again and again, and waits for the end. */
static void work(const struct pipeline *p, uint32_t *chunk, int kernel_count)
{
	cudaStream_t stream = p->is_fixed ? cudaStreamPerThread : cudaStreamLegacy;
	size_t count = pipeline_elements(p);

	for (int i = 0; i < kernel_count; i++) {
		/* PITFALL: serial-stream */
		mix_elements<<<1, p->block, 0, stream>>>(chunk, chunk, count, p->rounds);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaStreamSynchronize(stream));
}

static void run(const struct pipeline *p, uint32_t *const *chunks, int kernel_count)
{
	std::thread threads[THREAD_COUNT];

	for (int i = 0; i < THREAD_COUNT; i++)
		threads[i] = std::thread(work, p, chunks[i], kernel_count);
	for (std::thread &thread : threads)
		thread.join();
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	uint32_t *chunks[THREAD_COUNT];

	pipeline_parse(&pipeline, "shared_stream", 320, argc, argv);
	/* What one block mixes in some milliseconds. */
	pipeline.chunk_bytes /= 256;
	pipeline.host_rows = THREAD_COUNT / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	for (int i = 0; i < THREAD_COUNT; i++) {
		CHECK(cudaMalloc(&chunks[i], pipeline.chunk_bytes));
		CHECK(cudaMemcpy(chunks[i], pipeline_in(&pipeline, i), pipeline.chunk_bytes,
				 cudaMemcpyHostToDevice));
	}
	run(&pipeline, chunks, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, chunks, pipeline.chunk_count / THREAD_COUNT);
	for (int i = 0; i < THREAD_COUNT; i++)
		CHECK(cudaMemcpy(pipeline_out(&pipeline, i), chunks[i], pipeline.chunk_bytes,
				 cudaMemcpyDeviceToHost));
	pipeline_stop(&pipeline);
	for (uint32_t *chunk : chunks)
		CHECK(cudaFree(chunk));
	pipeline_close(&pipeline);
	return 0;
}
