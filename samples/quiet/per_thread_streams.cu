/*
 * Nothing to find: four threads use the default stream, which this file's compiler option
 * (--default-stream per-thread) makes a stream of each. A launch without a stream would follow the option of the
 * file that has the kernel, and name the legacy default stream. A thread makes its next chunk from the last
 * result, and so waits for it; what the other threads enqueued runs meanwhile.
 */
#include "samples/pipeline.h"

#include <thread>

enum { THREADS = SLOT_COUNT, CHUNK_BYTES = 256 << 10, CHUNK_ROUNDS = 100000 };

static void solve(const struct pipeline *p, int thread, int chunk_count)
{
	const struct slot *slot = &p->slots[thread];
	uint32_t *in = pipeline_in(p, thread), *out = pipeline_out(p, thread);
	size_t count = pipeline_elements(p);

	for (int i = 0; i < chunk_count; i++) {
		CHECK(cudaMemcpyAsync(slot->in, in, p->chunk_bytes, cudaMemcpyHostToDevice));
		mix_elements<<<p->grid, p->block, 0, cudaStreamPerThread>>>(slot->out, slot->in,
									    count, p->rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(out, slot->out, p->chunk_bytes, cudaMemcpyDeviceToHost));
		CHECK(cudaStreamSynchronize(cudaStreamPerThread));
		for (size_t j = 0; j < count; j++)
			in[j] = out[j] * 2654435761u;
	}
}

static void run(const struct pipeline *p, int chunk_count)
{
	std::thread threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		threads[i] = std::thread(solve, p, i, chunk_count / THREADS);
	for (std::thread &thread : threads)
		thread.join();
}

int main(void)
{
	struct pipeline pipeline;

	pipeline_init(&pipeline, "per_thread_streams", 320);
	pipeline.chunk_bytes = CHUNK_BYTES;
	pipeline.host_rows = 1;
	pipeline.rounds = CHUNK_ROUNDS;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, THREADS); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
