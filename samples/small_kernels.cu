/*
 * Pitfall: kernels of one block in eight streams would fit on the device all at once, but between
 * them the loop launches a tiny kernel without a stream. It lands in the legacy default stream,
 * waits for all of them, and all that come later wait for it: they run one after the other.
 * Fix: give the tiny kernel a stream, too.
 */
#include "samples/pipeline.h"

enum { STREAM_COUNT = 8, MARK_COUNT = 32 };

/* The streams, the memory that each stream's kernels mix in place, and that of the tiny kernel. */
struct work {
	cudaStream_t streams[STREAM_COUNT], mark_stream;
	uint32_t *chunks[STREAM_COUNT], *marks;
};

static void open(const struct pipeline *p, struct work *work)
{
	for (int i = 0; i < STREAM_COUNT; i++) {
		CHECK(cudaStreamCreate(&work->streams[i]));
		CHECK(cudaMalloc(&work->chunks[i], p->chunk_bytes));
		CHECK(cudaMemcpy(work->chunks[i], pipeline_in(p, i), p->chunk_bytes,
				 cudaMemcpyHostToDevice));
	}
	CHECK(cudaStreamCreate(&work->mark_stream));
	CHECK(cudaMalloc(&work->marks, MARK_COUNT * sizeof(*work->marks)));
	CHECK(cudaMemset(work->marks, 0, MARK_COUNT * sizeof(*work->marks)));
}

/* Each chunk is mixed by one block, stream by stream. Only the end is waited for. */
static void run(const struct pipeline *p, const struct work *work, int chunk_count)
{
	size_t count = pipeline_elements(p);

	for (int i = 0; i < chunk_count; i++) {
		uint32_t *chunk = work->chunks[i % STREAM_COUNT], *marks = work->marks;
		cudaStream_t stream = work->streams[i % STREAM_COUNT];

		mix_elements<<<1, p->block, 0, stream>>>(chunk, chunk, count, p->rounds);
		CHECK(cudaGetLastError());
		if (p->is_fixed)
			mix_elements<<<1, MARK_COUNT, 0, work->mark_stream>>>(marks, marks,
									      MARK_COUNT, 1);
		else
			/* PITFALL: default-stream */
			mix_elements<<<1, MARK_COUNT>>>(marks, marks, MARK_COUNT, 1);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaDeviceSynchronize());
}

static void read_results(const struct pipeline *p, const struct work *work)
{
	for (int i = 0; i < STREAM_COUNT; i++)
		CHECK(cudaMemcpy(pipeline_out(p, i), work->chunks[i], p->chunk_bytes,
				 cudaMemcpyDeviceToHost));
}

static void close(const struct work *work)
{
	CHECK(cudaFree(work->marks));
	CHECK(cudaStreamDestroy(work->mark_stream));
	for (int i = 0; i < STREAM_COUNT; i++) {
		CHECK(cudaFree(work->chunks[i]));
		CHECK(cudaStreamDestroy(work->streams[i]));
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct work work;

	pipeline_parse(&pipeline, "small_kernels", 320, argc, argv);
	/* What one block mixes in some milliseconds. */
	pipeline.chunk_bytes /= 256;
	pipeline.host_rows = STREAM_COUNT / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	open(&pipeline, &work);
	run(&pipeline, &work, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &work, pipeline.chunk_count);
	read_results(&pipeline, &work);
	pipeline_stop(&pipeline);
	close(&work);
	pipeline_close(&pipeline);
	return 0;
}
