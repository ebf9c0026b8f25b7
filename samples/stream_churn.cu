/*
 * Pitfall: a video filter opens a stream and an event for each tile of a frame, and destroys them
 * with the frame. These calls wait for nothing, but the frame's tiles wait until they are made.
 * Fix: the streams and events are opened once, and used for all frames.
 */
#include "samples/pipeline.h"

/* A tile of 32 KiB takes an H200 some 24 us, and the host reads the first one of each frame. */
enum {
	TILE_COUNT = 8,
	TILE_BYTES = 32 << 10,
	TILE_ROUNDS = 3000,
	BLOCK_SIZE = 128,
	FRAME_COUNT = 240
};

/* What a frame is filtered with. */
struct filter {
	cudaStream_t streams[TILE_COUNT];
	cudaEvent_t uploaded, filtered[TILE_COUNT];
};

/* Its memory and its first stream stay in both twins. */
struct video {
	cudaStream_t stream;
	uint32_t *frame_in, *frame_out, *host_in, *host_out;
	uint64_t result;
};

static void open_filter(struct filter *filter)
{
	for (int i = 0; i < TILE_COUNT; i++) {
		/* PITFALL: stream-churn */
		CHECK(cudaStreamCreateWithFlags(&filter->streams[i], cudaStreamNonBlocking));
		CHECK(cudaEventCreateWithFlags(&filter->filtered[i], cudaEventDisableTiming));
	}
	CHECK(cudaEventCreateWithFlags(&filter->uploaded, cudaEventDisableTiming));
}

static void close_filter(const struct filter *filter)
{
	CHECK(cudaEventDestroy(filter->uploaded));
	for (int i = 0; i < TILE_COUNT; i++) {
		CHECK(cudaEventDestroy(filter->filtered[i]));
		CHECK(cudaStreamDestroy(filter->streams[i]));
	}
}

/* Uploads the frame, filters its tiles side by side, and brings it back. */
static void filter_frame(const struct video *video, const struct filter *filter, int strength)
{
	size_t tile_count = TILE_BYTES / sizeof(uint32_t);

	CHECK(cudaMemcpyAsync(video->frame_in, video->host_in, TILE_COUNT * TILE_BYTES,
			      cudaMemcpyHostToDevice, video->stream));
	CHECK(cudaEventRecord(filter->uploaded, video->stream));
	for (int i = 0; i < TILE_COUNT; i++) {
		cudaStream_t stream = filter->streams[i];

		CHECK(cudaStreamWaitEvent(stream, filter->uploaded));
		mix_elements<<<tile_count / BLOCK_SIZE, BLOCK_SIZE, 0, stream>>>(
			video->frame_out + i * tile_count, video->frame_in + i * tile_count,
			tile_count, TILE_ROUNDS + strength);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(filter->filtered[i], stream));
		CHECK(cudaStreamWaitEvent(video->stream, filter->filtered[i]));
	}
	CHECK(cudaMemcpyAsync(video->host_out, video->frame_out, TILE_COUNT * TILE_BYTES,
			      cudaMemcpyDeviceToHost, video->stream));
	CHECK(cudaStreamSynchronize(video->stream));
}

/* Each frame decides how strongly the next one is filtered. */
static void filter_video(struct video *video, bool is_fixed, int frame_count)
{
	size_t tile_count = TILE_BYTES / sizeof(uint32_t);
	struct filter filter;

	if (is_fixed)
		open_filter(&filter);
	for (int i = 0; i < frame_count; i++) {
		if (!is_fixed)
			open_filter(&filter);
		filter_frame(video, &filter, (int)(video->result % 8));
		if (!is_fixed)
			close_filter(&filter);
		video->result = video->result * 31 + pipeline_checksum(video->host_out, tile_count);
	}
	if (is_fixed)
		close_filter(&filter);
}

static void open_video(const struct pipeline *p, struct video *video)
{
	CHECK(cudaStreamCreateWithFlags(&video->stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&video->frame_in, TILE_COUNT * TILE_BYTES));
	CHECK(cudaMalloc(&video->frame_out, TILE_COUNT * TILE_BYTES));
	video->host_in = p->host_in;
	video->host_out = p->host_out;
}

static void close_video(const struct video *video)
{
	CHECK(cudaFree(video->frame_out));
	CHECK(cudaFree(video->frame_in));
	CHECK(cudaStreamDestroy(video->stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct video video = {};

	pipeline_parse(&pipeline, "stream_churn", FRAME_COUNT, argc, argv);
	pipeline.chunk_bytes = TILE_BYTES;
	pipeline.host_rows = TILE_COUNT / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	open_video(&pipeline, &video);
	filter_video(&video, pipeline.is_fixed, 2); /* warms up: loads the module */
	pipeline_start(&pipeline);
	filter_video(&video, pipeline.is_fixed, pipeline.chunk_count);
	pipeline.host_result = video.result;
	pipeline_stop(&pipeline);
	close_video(&video);
	pipeline_close(&pipeline);
	return 0;
}
