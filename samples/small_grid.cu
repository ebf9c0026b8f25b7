/*
 * Pitfall: 8 sensors' signals are filtered in each frame, each by three kernels of four blocks, all
 * in one stream: a kernel uses four of an H200's 132 multiprocessors, and the next signal's waits.
 * Fix: a stream for each signal, joined by events at the end of the frame.
 */
#include "samples/pipeline.h"

enum {
	SIGNAL_COUNT = 8,
	STAGE_COUNT = 3,
	BLOCK_COUNT = 4,
	SIGNAL_ELEMENTS = BLOCK_COUNT * 1024,
	STAGE_ROUNDS = 12000, /* 0.1 ms */
	FRAME_ELEMENTS = SIGNAL_COUNT * SIGNAL_ELEMENTS,
	FRAME_COUNT = 20 /* that differ; then they come again */
};

struct filters {
	cudaStream_t frames, signals[SIGNAL_COUNT];
	cudaEvent_t has_frame, is_done[SIGNAL_COUNT];
	uint32_t *frame, *signal_data[SIGNAL_COUNT];
};

static void filter_signal(const struct pipeline *p, const struct filters *filters, int signal,
			  cudaStream_t stream)
{
	const uint32_t *in = filters->frame + signal * SIGNAL_ELEMENTS;
	uint32_t *data = filters->signal_data[signal];

	for (int stage = 0; stage < STAGE_COUNT; stage++) {
		/* PITFALL: small-grid */
		mix_elements<<<BLOCK_COUNT, 1024, 0, stream>>>(data, stage ? data : in,
							       SIGNAL_ELEMENTS, STAGE_ROUNDS);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(p->host_out + signal * SIGNAL_ELEMENTS, data,
			      SIGNAL_ELEMENTS * sizeof(*data), cudaMemcpyDeviceToHost, stream));
}

static void filter_beside_each_other(const struct pipeline *p, const struct filters *filters)
{
	CHECK(cudaEventRecord(filters->has_frame, filters->frames));
	for (int i = 0; i < SIGNAL_COUNT; i++) {
		CHECK(cudaStreamWaitEvent(filters->signals[i], filters->has_frame, 0));
		filter_signal(p, filters, i, filters->signals[i]);
		CHECK(cudaEventRecord(filters->is_done[i], filters->signals[i]));
		CHECK(cudaStreamWaitEvent(filters->frames, filters->is_done[i], 0));
	}
}

static void run(const struct pipeline *p, const struct filters *filters, int frame_count)
{
	for (int frame = 0; frame < frame_count; frame++) { /* PITFALL: serial-stream */
		CHECK(cudaMemcpyAsync(filters->frame,
				      p->host_in + frame % FRAME_COUNT * FRAME_ELEMENTS,
				      FRAME_ELEMENTS * sizeof(uint32_t), cudaMemcpyHostToDevice,
				      filters->frames));
		if (p->is_fixed)
			filter_beside_each_other(p, filters);
		else
			for (int i = 0; i < SIGNAL_COUNT; i++)
				filter_signal(p, filters, i, filters->frames);
	}
	CHECK(cudaStreamSynchronize(filters->frames));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct filters filters = {};

	pipeline_parse(&pipeline, "small_grid", FRAME_COUNT, argc, argv);
	pipeline.chunk_bytes = FRAME_ELEMENTS * sizeof(uint32_t) / SLOT_COUNT;
	pipeline.host_rows = FRAME_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMalloc(&filters.frame, FRAME_ELEMENTS * sizeof(uint32_t)));
	CHECK(cudaStreamCreateWithFlags(&filters.frames, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&filters.has_frame, cudaEventDisableTiming));
	for (int i = 0; i < SIGNAL_COUNT; i++) {
		CHECK(cudaMalloc(&filters.signal_data[i], SIGNAL_ELEMENTS * sizeof(uint32_t)));
		CHECK(cudaStreamCreateWithFlags(&filters.signals[i], cudaStreamNonBlocking));
		CHECK(cudaEventCreateWithFlags(&filters.is_done[i], cudaEventDisableTiming));
	}
	run(&pipeline, &filters, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &filters, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	for (int i = 0; i < SIGNAL_COUNT; i++) {
		CHECK(cudaEventDestroy(filters.is_done[i]));
		CHECK(cudaStreamDestroy(filters.signals[i]));
		CHECK(cudaFree(filters.signal_data[i]));
	}
	CHECK(cudaEventDestroy(filters.has_frame));
	CHECK(cudaStreamDestroy(filters.frames));
	CHECK(cudaFree(filters.frame));
	pipeline_close(&pipeline);
	return 0;
}
