/*
 * Pitfall: the first phase of an out-of-core sort: each tile of keys comes in, becomes sorted runs in
 * place, and goes out again, in three streams that events put in order. All tiles use one device
 * buffer: the copy of a tile waits until the tile before it is back on the host.
 * Fix: two device buffers in turn.
 */
#include "samples/pipeline.h"

enum {
	TILE_BYTES = 16 << 20,
	TILE_ELEMENTS = TILE_BYTES / sizeof(uint32_t),
	ROUNDS = 1200, /* of hashing: an H200 takes 0.7 ms for a tile, and each copy 0.3 ms */
	RUN_LENGTH = 1024,
	MOST_BUFFERS = 2
};

struct buffer {
	uint32_t *keys;
	cudaEvent_t is_filled, is_sorted, is_drained;
};

struct sorter {
	cudaStream_t in, compute, out;
	struct buffer buffers[MOST_BUFFERS];
	int buffer_count;
};

/* Sorts RUN_LENGTH keys with each block: a bitonic network, two keys a thread. */
__global__ void sort_runs(uint32_t *keys)
{
	__shared__ uint32_t run[RUN_LENGTH];
	uint32_t *own = keys + (size_t)blockIdx.x * RUN_LENGTH;

	run[threadIdx.x] = own[threadIdx.x];
	run[threadIdx.x + RUN_LENGTH / 2] = own[threadIdx.x + RUN_LENGTH / 2];
	for (unsigned size = 2; size <= RUN_LENGTH; size *= 2)
		for (unsigned step = size / 2; step; step /= 2) {
			unsigned i = 2 * threadIdx.x - (threadIdx.x & (step - 1));
			bool descends = i & size;
			uint32_t a, b;

			__syncthreads();
			a = run[i];
			b = run[i + step];
			run[i] = (a > b) == descends ? a : b;
			run[i + step] = (a > b) == descends ? b : a;
		}
	__syncthreads();
	own[threadIdx.x] = run[threadIdx.x];
	own[threadIdx.x + RUN_LENGTH / 2] = run[threadIdx.x + RUN_LENGTH / 2];
}

static void open(struct sorter *sorter, bool is_fixed)
{
	sorter->buffer_count = is_fixed ? MOST_BUFFERS : 1;
	CHECK(cudaStreamCreateWithFlags(&sorter->in, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&sorter->compute, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&sorter->out, cudaStreamNonBlocking));
	for (int i = 0; i < sorter->buffer_count; i++) {
		struct buffer *buffer = &sorter->buffers[i];

		CHECK(cudaMalloc(&buffer->keys, TILE_BYTES));
		CHECK(cudaEventCreateWithFlags(&buffer->is_filled, cudaEventDisableTiming));
		CHECK(cudaEventCreateWithFlags(&buffer->is_sorted, cudaEventDisableTiming));
		CHECK(cudaEventCreateWithFlags(&buffer->is_drained, cudaEventDisableTiming));
	}
}

static void sort_tile(const struct sorter *sorter, const struct buffer *buffer, uint32_t *out,
		      const uint32_t *in)
{
	CHECK(cudaStreamWaitEvent(sorter->in, buffer->is_drained, 0));
	/* PITFALL: single-buffer */
	CHECK(cudaMemcpyAsync(buffer->keys, in, TILE_BYTES, cudaMemcpyHostToDevice, sorter->in));
	CHECK(cudaEventRecord(buffer->is_filled, sorter->in));

	CHECK(cudaStreamWaitEvent(sorter->compute, buffer->is_filled, 0));
	mix_elements<<<TILE_ELEMENTS / 256, 256, 0, sorter->compute>>>(buffer->keys, buffer->keys,
								       TILE_ELEMENTS, ROUNDS);
	CHECK(cudaGetLastError());
	sort_runs<<<TILE_ELEMENTS / RUN_LENGTH, RUN_LENGTH / 2, 0, sorter->compute>>>(buffer->keys);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(buffer->is_sorted, sorter->compute));

	CHECK(cudaStreamWaitEvent(sorter->out, buffer->is_sorted, 0));
	CHECK(cudaMemcpyAsync(out, buffer->keys, TILE_BYTES, cudaMemcpyDeviceToHost, sorter->out));
	CHECK(cudaEventRecord(buffer->is_drained, sorter->out));
}

static void run(const struct pipeline *p, const struct sorter *sorter, int tile_count)
{
	for (int i = 0; i < tile_count; i++)
		sort_tile(sorter, &sorter->buffers[i % sorter->buffer_count], pipeline_out(p, i),
			  pipeline_in(p, i));
	CHECK(cudaStreamSynchronize(sorter->out));
}

static void close(const struct sorter *sorter)
{
	for (int i = 0; i < sorter->buffer_count; i++) {
		CHECK(cudaEventDestroy(sorter->buffers[i].is_drained));
		CHECK(cudaEventDestroy(sorter->buffers[i].is_sorted));
		CHECK(cudaEventDestroy(sorter->buffers[i].is_filled));
		CHECK(cudaFree(sorter->buffers[i].keys));
	}
	CHECK(cudaStreamDestroy(sorter->out));
	CHECK(cudaStreamDestroy(sorter->compute));
	CHECK(cudaStreamDestroy(sorter->in));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct sorter sorter = {};

	pipeline_parse(&pipeline, "single_buffer", 70, argc, argv);
	pipeline.chunk_bytes = TILE_BYTES;
	pipeline_open(&pipeline, HOST_PINNED);
	open(&sorter, pipeline.is_fixed);
	run(&pipeline, &sorter, MOST_BUFFERS); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &sorter, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close(&sorter);
	pipeline_close(&pipeline);
	return 0;
}
