/*
 * Pitfall: a search sorts batches of different sizes, with scratch memory from cudaMallocAsync(). The
 * pool's release threshold is 0, as CUDA sets it: each synchronization gives the memory back to the
 * device, and the next batch's allocation maps it again.
 * Fix: a release threshold that lets the pool keep its memory. One line, before the loop.
 */
#include "samples/pipeline.h"

/* Scratch memory from 64 to 512 MiB. The host reads the smallest words of a batch. */
enum { BATCH_COUNT = 100, KEY_BYTES = 16 << 20, RESULT_BYTES = 16 << 10, SCRATCH_MIB = 64 };

/* Spreads keys over the scratch memory, each to the bucket of its value. */
__global__ static void spread(uint32_t *buckets, size_t bucket_count, const uint32_t *keys,
			      size_t count)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < count)
		atomicAdd(&buckets[(keys[i] * 2654435761u) % bucket_count], keys[i]);
}

/* What fell into buckets that share their low bits. */
__global__ static void gather(uint32_t *result, const uint32_t *buckets, size_t bucket_count)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	size_t result_count = RESULT_BYTES / sizeof(*result);
	uint32_t sum = 0;

	for (size_t k = i; k < bucket_count; k += gridDim.x * (size_t)blockDim.x)
		sum += buckets[k];
	atomicAdd(&result[i % result_count], sum);
}

/* In slot 0's stream: keys in slot->in; the result is in slot->out. */
static void sort_batch(const struct pipeline *p, int batch, uint32_t *host_result)
{
	const struct slot *slot = &p->slots[0];
	size_t scratch_bytes = (size_t)SCRATCH_MIB << 20 << batch % 4;
	size_t bucket_count = scratch_bytes / sizeof(uint32_t), count = pipeline_elements(p);
	uint32_t *buckets;

	/* PITFALL: alloc-in-loop */
	CHECK(cudaMallocAsync(&buckets, scratch_bytes, slot->stream));
	CHECK(cudaMemsetAsync(buckets, 0, scratch_bytes, slot->stream));
	CHECK(cudaMemsetAsync(slot->out, 0, RESULT_BYTES, slot->stream));
	spread<<<p->grid, p->block, 0, slot->stream>>>(buckets, bucket_count, slot->in, count);
	CHECK(cudaGetLastError());
	gather<<<1024, 256, 0, slot->stream>>>(slot->out, buckets, bucket_count);
	CHECK(cudaGetLastError());
	CHECK(cudaFreeAsync(buckets, slot->stream));
	CHECK(cudaMemcpyAsync(host_result, slot->out, RESULT_BYTES, cudaMemcpyDeviceToHost,
			      slot->stream));
	CHECK(cudaStreamSynchronize(slot->stream));
}

/* Each result decides the size of the next batch's scratch memory. */
static void run(struct pipeline *p, int batch_count)
{
	uint32_t *host_result = pipeline_out(p, 0);
	int batch = 0;

	for (int i = 0; i < batch_count; i++) {
		sort_batch(p, batch, host_result);
		p->host_result = p->host_result * 31 +
				 pipeline_checksum(host_result, RESULT_BYTES / sizeof(uint32_t));
		batch = (int)(p->host_result % 4);
	}
}

static void keep_memory(void)
{
	uint64_t bytes = UINT64_MAX;
	cudaMemPool_t pool;

	CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
	CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "pool_trim", BATCH_COUNT, argc, argv);
	pipeline.chunk_bytes = KEY_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMemcpy(pipeline.slots[0].in, pipeline_in(&pipeline, 0), KEY_BYTES,
			 cudaMemcpyHostToDevice));
	if (pipeline.is_fixed)
		keep_memory();
	for (int i = 0; i < 4; i++) /* warms up: loads the module, makes the pool */
		sort_batch(&pipeline, i, pipeline_out(&pipeline, 0));
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
