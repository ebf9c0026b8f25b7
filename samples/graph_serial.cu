/*
 * Pitfall: a graph smooths the brightness and the colour of an image, which have nothing to do with
 * each other. Both are captured in one stream: the graph is a chain, and the colour waits for the
 * brightness.
 * Fix: the colour is captured in a second stream, behind an event of the first and before another.
 */
#include "samples/pipeline.h"

enum {
	PLANE_COUNT = 2,
	STAGE_COUNT = 4,
	BLOCK_COUNT = 32, /* of an H200's 132 multiprocessors */
	PLANE_ELEMENTS = BLOCK_COUNT * 1024,
	STAGE_ROUNDS = 12000, /* 0.2 ms */
	STEP_COUNT = 120,
	WARM_UPS = 2
};

struct filters {
	cudaStream_t streams[PLANE_COUNT];
	cudaEvent_t has_image, is_done;
	uint32_t *planes[PLANE_COUNT];
	cudaGraph_t graph;
	cudaGraphExec_t executable;
};

static void filter_plane(const struct filters *filters, int plane, cudaStream_t stream)
{
	uint32_t *data = filters->planes[plane];

	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		/* PITFALL: graph-serial */
		mix_elements<<<BLOCK_COUNT, 1024, 0, stream>>>(data, data, PLANE_ELEMENTS,
							       STAGE_ROUNDS);
		CHECK(cudaGetLastError());
	}
}

static void filter_beside_each_other(const struct filters *filters)
{
	CHECK(cudaEventRecord(filters->has_image, filters->streams[0]));
	CHECK(cudaStreamWaitEvent(filters->streams[1], filters->has_image, 0));
	filter_plane(filters, 0, filters->streams[0]);
	filter_plane(filters, 1, filters->streams[1]);
	CHECK(cudaEventRecord(filters->is_done, filters->streams[1]));
	CHECK(cudaStreamWaitEvent(filters->streams[0], filters->is_done, 0));
}

static void capture(struct filters *filters, bool is_fixed)
{
	CHECK(cudaStreamBeginCapture(filters->streams[0], cudaStreamCaptureModeThreadLocal));
	if (is_fixed)
		filter_beside_each_other(filters);
	else
		for (int plane = 0; plane < PLANE_COUNT; plane++)
			filter_plane(filters, plane, filters->streams[0]);
	CHECK(cudaStreamEndCapture(filters->streams[0], &filters->graph));
	CHECK(cudaGraphInstantiate(&filters->executable, filters->graph, 0));
}

static void copy_image(const struct pipeline *p, const struct filters *filters, bool is_result)
{
	for (int plane = 0; plane < PLANE_COUNT; plane++) {
		uint32_t *host = is_result ? p->host_out : p->host_in;

		host += plane * PLANE_ELEMENTS;
		CHECK(cudaMemcpyAsync(is_result ? host : filters->planes[plane],
				      is_result ? filters->planes[plane] : host,
				      PLANE_ELEMENTS * sizeof(uint32_t), cudaMemcpyDefault,
				      filters->streams[0]));
	}
}

static void smooth(const struct filters *filters, int step_count)
{
	for (int i = 0; i < step_count; i++)
		CHECK(cudaGraphLaunch(filters->executable, filters->streams[0]));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct filters filters = {};

	pipeline_parse(&pipeline, "graph_serial", STEP_COUNT, argc, argv);
	pipeline.chunk_bytes = PLANE_ELEMENTS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaEventCreateWithFlags(&filters.has_image, cudaEventDisableTiming));
	CHECK(cudaEventCreateWithFlags(&filters.is_done, cudaEventDisableTiming));
	for (int i = 0; i < PLANE_COUNT; i++) {
		CHECK(cudaMalloc(&filters.planes[i], PLANE_ELEMENTS * sizeof(uint32_t)));
		CHECK(cudaStreamCreateWithFlags(&filters.streams[i], cudaStreamNonBlocking));
	}
	capture(&filters, pipeline.is_fixed);
	copy_image(&pipeline, &filters, false);
	smooth(&filters, WARM_UPS); /* loads the module, brings the graph to the device */
	CHECK(cudaStreamSynchronize(filters.streams[0]));
	pipeline_start(&pipeline);
	smooth(&filters, pipeline.chunk_count);
	copy_image(&pipeline, &filters, true);
	CHECK(cudaStreamSynchronize(filters.streams[0]));
	pipeline_stop(&pipeline);
	CHECK(cudaGraphExecDestroy(filters.executable));
	CHECK(cudaGraphDestroy(filters.graph));
	for (int i = 0; i < PLANE_COUNT; i++) {
		CHECK(cudaStreamDestroy(filters.streams[i]));
		CHECK(cudaFree(filters.planes[i]));
	}
	CHECK(cudaEventDestroy(filters.is_done));
	CHECK(cudaEventDestroy(filters.has_image));
	pipeline_close(&pipeline);
	return 0;
}
