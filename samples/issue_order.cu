/*
 * Pitfall: each step of a training loop first sends 192 MiB of embeddings that a step much later
 * needs, and then its own small batch, in a stream of its own. The engine takes copies in the order
 * in which they were issued: the batch comes behind the embeddings, and the kernels wait for it.
 * Fix: issue the batch first.
 */
#include "samples/pipeline.h"

enum {
	EMBEDDING_BYTES = 192 << 20, /* 3.6 ms at 55 GB/s: less than a step takes */
	BATCH_BYTES = 2 << 20,
	BATCH_ELEMENTS = BATCH_BYTES / sizeof(uint32_t),
	LAYER_COUNT = 4,
	LAYER_ROUNDS = 16000 /* 1 ms */
};

struct training {
	cudaStream_t steps, prefetch;
	uint32_t *embeddings, *host_embeddings, *batch;
};

static void send_embeddings(const struct training *training)
{
	CHECK(cudaMemcpyAsync(training->embeddings, training->host_embeddings, EMBEDDING_BYTES,
			      cudaMemcpyHostToDevice, training->prefetch));
}

static void run_step(const struct pipeline *p, const struct training *training, int step)
{
	if (!p->is_fixed)
		send_embeddings(training);
	/* PITFALL: issue-order */
	CHECK(cudaMemcpyAsync(training->batch, pipeline_in(p, step), BATCH_BYTES,
			      cudaMemcpyHostToDevice, training->steps));
	if (p->is_fixed)
		send_embeddings(training);
	for (int layer = 0; layer < LAYER_COUNT; layer++) {
		mix_elements<<<BATCH_ELEMENTS / 256, 256, 0, training->steps>>>(
			training->batch, training->batch, BATCH_ELEMENTS, LAYER_ROUNDS);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(pipeline_out(p, step), training->batch, BATCH_BYTES,
			      cudaMemcpyDeviceToHost, training->steps));
	CHECK(cudaStreamSynchronize(training->steps));
}

static void run(struct pipeline *p, const struct training *training, int step_count)
{
	for (int i = 0; i < step_count; i++) {
		run_step(p, training, i);
		/* The next batch depends on the loss. */
		p->host_result += pipeline_checksum(pipeline_out(p, i), BATCH_ELEMENTS / 64);
		*pipeline_in(p, i + 1) = (uint32_t)p->host_result;
	}
	CHECK(cudaStreamSynchronize(training->prefetch));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct training training = {};

	pipeline_parse(&pipeline, "issue_order", 30, argc, argv);
	pipeline.chunk_bytes = BATCH_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaStreamCreateWithFlags(&training.steps, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&training.prefetch, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&training.batch, BATCH_BYTES));
	CHECK(cudaMalloc(&training.embeddings, EMBEDDING_BYTES));
	CHECK(cudaMallocHost(&training.host_embeddings, EMBEDDING_BYTES));
	run(&pipeline, &training, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &training, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	CHECK(cudaFreeHost(training.host_embeddings));
	CHECK(cudaFree(training.embeddings));
	CHECK(cudaFree(training.batch));
	CHECK(cudaStreamDestroy(training.prefetch));
	CHECK(cudaStreamDestroy(training.steps));
	pipeline_close(&pipeline);
	return 0;
}
