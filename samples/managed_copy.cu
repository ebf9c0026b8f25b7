/*
 * Pitfall: frames are decoded into managed memory, and copied to the device from there. Such a copy
 * is slow, and its call returns only when it is done: the host decodes nothing meanwhile.
 * Fix: decode into pinned memory.
 */
#include "samples/pipeline.h"

/* A frame of 1920 x 1080 pixels; its filter takes an H100 0.26 us a round. */
enum { FRAME_WORDS = 1920 * 1080, FRAME_ROUNDS = 4000, BUFFERS = 3 };

struct video {
	uint32_t *frames[BUFFERS];     /* on the host: written in turn */
	cudaEvent_t sent[BUFFERS];     /* behind the copy of each */
	uint32_t *device_frame, *sums; /* on the device */
};

/* Stands for a decoder: each block of four pixels follows from the one before it. */
static void decode(uint32_t *frame, uint32_t number)
{
	uint32_t pixel = number;

	for (size_t i = 0; i < FRAME_WORDS; i += 4) {
		pixel = pixel * 1664525 + 1013904223;
		for (size_t k = 0; k < 4; k++)
			frame[i + k] = (pixel >> 4 * k) ^ (pixel >> 15);
	}
}

static void open_video(struct video *video, const struct pipeline *p)
{
	size_t bytes = FRAME_WORDS * sizeof(uint32_t);

	for (int i = 0; i < BUFFERS; i++) {
		if (p->is_fixed)
			CHECK(cudaMallocHost(&video->frames[i], bytes));
		else
			CHECK(cudaMallocManaged(&video->frames[i], bytes));
		CHECK(cudaEventCreateWithFlags(&video->sent[i], cudaEventDisableTiming));
	}
	video->device_frame = p->slots[0].in;
	video->sums = p->slots[0].out;
	CHECK(cudaMemset(video->sums, 0, p->chunk_bytes));
}

static void close_video(const struct video *video, const struct pipeline *p)
{
	for (int i = 0; i < BUFFERS; i++) {
		CHECK(cudaEventDestroy(video->sent[i]));
		CHECK(p->is_fixed ? cudaFreeHost(video->frames[i]) : cudaFree(video->frames[i]));
	}
}

static __global__ void add_frame(uint32_t *sums, const uint32_t *frame, size_t count)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < count)
		sums[i] += frame[i];
}

static void run(struct pipeline *p, const struct video *video, int frame_count)
{
	cudaStream_t stream = p->slots[0].stream;
	dim3 grid((FRAME_WORDS + p->block.x - 1) / p->block.x);
	size_t bytes = FRAME_WORDS * sizeof(uint32_t);

	for (int i = 0; i < frame_count; i++) {
		uint32_t *frame = video->frames[i % BUFFERS];

		CHECK(cudaEventSynchronize(video->sent[i % BUFFERS]));
		decode(frame, (uint32_t)i);
		/* PITFALL: managed-copy */
		CHECK(cudaMemcpyAsync(video->device_frame, frame, bytes, cudaMemcpyHostToDevice,
				      stream));
		CHECK(cudaEventRecord(video->sent[i % BUFFERS], stream));
		mix_elements<<<grid, p->block, 0, stream>>>(
			video->device_frame, video->device_frame, FRAME_WORDS, FRAME_ROUNDS);
		CHECK(cudaGetLastError());
		add_frame<<<grid, p->block, 0, stream>>>(video->sums, video->device_frame,
							 FRAME_WORDS);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(pipeline_out(p, 0), video->sums, bytes, cudaMemcpyDeviceToHost,
			      stream));
	CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct video video;

	pipeline_parse(&pipeline, "managed_copy", 80, argc, argv);
	pipeline.chunk_bytes = FRAME_WORDS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_video(&video, &pipeline);
	run(&pipeline, &video, 1); /* warms up: loads the module */
	CHECK(cudaMemset(video.sums, 0, pipeline.chunk_bytes));
	pipeline_start(&pipeline);
	run(&pipeline, &video, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close_video(&video, &pipeline);
	pipeline_close(&pipeline);
	return 0;
}
