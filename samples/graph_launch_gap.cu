/*
 * Pitfall: a server has a graph for each size of a batch, made when it starts. The first launch of
 * each brings the graph to the device, and the GPU waits for that.
 * Fix: cudaGraphUpload() brings the next graph there while the one before it runs.
 */
#include "samples/pipeline.h"

enum {
	SIZE_COUNT = 24,
	LAYER_COUNT = 100, /* nodes of a graph */
	BLOCK_COUNT = 8,
	BATCH_ELEMENTS = BLOCK_COUNT * 256, /* and more with each size */
	LAYER_ROUNDS = 400,
	PASS_COUNT = 2 /* in the second one all graphs are there */
};

struct server {
	cudaStream_t stream, uploads;
	cudaGraph_t graphs[SIZE_COUNT];
	cudaGraphExec_t executables[SIZE_COUNT];
	uint32_t *batch, *answer, *host_answer;
	uint64_t result;
};

static void capture(struct server *server, int size)
{
	const int elements = BATCH_ELEMENTS * (1 + size);

	CHECK(cudaStreamBeginCapture(server->stream, cudaStreamCaptureModeThreadLocal));
	for (int layer = 0; layer < LAYER_COUNT; layer++) {
		mix_elements<<<BLOCK_COUNT *(1 + size), 256, 0, server->stream>>>(
			server->answer, layer ? server->answer : server->batch, elements,
			LAYER_ROUNDS);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaStreamEndCapture(server->stream, &server->graphs[size]));
	CHECK(cudaGraphInstantiate(&server->executables[size], server->graphs[size], 0));
}

static void answer(struct server *server, const struct pipeline *p, int size, bool has_next)
{
	const size_t bytes = BATCH_ELEMENTS * (1 + (size_t)size) * sizeof(uint32_t);

	CHECK(cudaMemcpyAsync(server->batch, pipeline_in(p, size), bytes, cudaMemcpyHostToDevice,
			      server->stream));
	/* PITFALL: graph-launch-gap */
	CHECK(cudaGraphLaunch(server->executables[size], server->stream));
	CHECK(cudaMemcpyAsync(server->host_answer, server->answer, bytes, cudaMemcpyDeviceToHost,
			      server->stream));
	if (p->is_fixed && has_next)
		CHECK(cudaGraphUpload(server->executables[size + 1], server->uploads));
	CHECK(cudaStreamSynchronize(server->stream));
	server->result = server->result * 31 +
			 pipeline_checksum(server->host_answer, bytes / sizeof(uint32_t));
}

static void serve(struct server *server, const struct pipeline *p, int pass_count)
{
	for (int pass = 0; pass < pass_count; pass++)
		for (int size = 0; size < SIZE_COUNT; size++)
			answer(server, p, size, pass == 0 && size + 1 < SIZE_COUNT);
}

int main(int argc, char **argv)
{
	const size_t most_bytes = (size_t)SIZE_COUNT * BATCH_ELEMENTS * sizeof(uint32_t);
	struct pipeline pipeline;
	struct server server = {};

	pipeline_parse(&pipeline, "graph_launch_gap", PASS_COUNT, argc, argv);
	pipeline.chunk_bytes = most_bytes;
	pipeline.host_rows = SIZE_COUNT / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMalloc(&server.batch, most_bytes));
	CHECK(cudaMalloc(&server.answer, most_bytes));
	CHECK(cudaMallocHost(&server.host_answer, most_bytes));
	CHECK(cudaStreamCreateWithFlags(&server.stream, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&server.uploads, cudaStreamNonBlocking));
	for (int size = 0; size < SIZE_COUNT; size++)
		capture(&server, size);
	mix_elements<<<1, 256, 0, server.stream>>>(server.answer, server.batch, 256, 1);
	CHECK(cudaStreamSynchronize(server.stream)); /* the module is loaded */
	pipeline_start(&pipeline);
	serve(&server, &pipeline, pipeline.chunk_count);
	pipeline.host_result = server.result;
	pipeline_stop(&pipeline);
	for (int size = 0; size < SIZE_COUNT; size++) {
		CHECK(cudaGraphExecDestroy(server.executables[size]));
		CHECK(cudaGraphDestroy(server.graphs[size]));
	}
	CHECK(cudaStreamDestroy(server.uploads));
	CHECK(cudaStreamDestroy(server.stream));
	CHECK(cudaFreeHost(server.host_answer));
	CHECK(cudaFree(server.answer));
	CHECK(cudaFree(server.batch));
	pipeline_close(&pipeline);
	return 0;
}
