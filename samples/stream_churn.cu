/*
 * Pitfall: a video filter opens a stream and an event for each tile of a frame, and destroys them
 * with the frame. Two threads filter a video each. These calls do not wait for the device, but for
 * each other, and the frame waits for them.
 * Fix: each thread opens its streams and events once, and uses them for all its frames.
 */
#include "samples/pipeline.h"

#include <thread>

/* A tile of 32 KiB takes an H200 some 24 us. The host reads the first one of each frame. */
enum {
	THREAD_COUNT = 2,
	TILE_COUNT = 8,
	TILE_BYTES = 32 << 10,
	TILE_ROUNDS = 3000,
	BLOCK_SIZE = 128,
	FRAME_COUNT = 60,
	VIDEO_FRAMES = 4 /* that differ; then they come again */
};

/* What a frame is filtered with. */
struct filter {
	cudaStream_t streams[TILE_COUNT];
	cudaEvent_t uploaded, filtered[TILE_COUNT];
};

/* One thread's; its memory and its first stream stay in both twins. */
struct video {
	cudaStream_t stream;
	struct filter filter;
	uint32_t *frame_in, *frame_out, *host_in, *host_out;
	uint64_t result;
};

static void open_filter(struct filter *filter)
{
	for (int i = 0; i < TILE_COUNT; i++) {
		/* PITFALL: stream-churn */
		CHECK(cudaStreamCreateWithFlags(&filter->streams[i], cudaStreamNonBlocking));
		/* PITFALL: stream-churn */
		CHECK(cudaEventCreateWithFlags(&filter->filtered[i], cudaEventDisableTiming));
	}
	/* PITFALL: stream-churn */
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
static void filter_frame(const struct video *video, const struct filter *filter, int frame,
			 int strength)
{
	size_t tile_count = TILE_BYTES / sizeof(uint32_t);
	const uint32_t *host_in = video->host_in + frame % VIDEO_FRAMES * TILE_COUNT * tile_count;

	CHECK(cudaMemcpyAsync(video->frame_in, host_in, TILE_COUNT * TILE_BYTES,
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

	for (int i = 0; i < frame_count; i++) {
		if (!is_fixed)
			open_filter(&video->filter);
		filter_frame(video, &video->filter, i, (int)(video->result % 8));
		if (!is_fixed)
			close_filter(&video->filter);
		video->result = video->result * 31 + pipeline_checksum(video->host_out, tile_count);
	}
}

static void open_video(const struct pipeline *p, struct video *video, int i)
{
	size_t video_count = VIDEO_FRAMES * TILE_COUNT * TILE_BYTES / sizeof(uint32_t);

	*video = {};
	CHECK(cudaStreamCreateWithFlags(&video->stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&video->frame_in, TILE_COUNT * TILE_BYTES));
	CHECK(cudaMalloc(&video->frame_out, TILE_COUNT * TILE_BYTES));
	video->host_in = p->host_in + i * video_count;
	video->host_out = p->host_out + i * video_count;
	if (p->is_fixed)
		open_filter(&video->filter);
}

static void close_video(const struct pipeline *p, const struct video *video)
{
	if (p->is_fixed)
		close_filter(&video->filter);
	CHECK(cudaFree(video->frame_out));
	CHECK(cudaFree(video->frame_in));
	CHECK(cudaStreamDestroy(video->stream));
}

static void run(struct pipeline *p, struct video *videos, int frame_count)
{
	std::thread threads[THREAD_COUNT];

	for (int i = 0; i < THREAD_COUNT; i++)
		threads[i] = std::thread(filter_video, &videos[i], p->is_fixed, frame_count);
	for (int i = 0; i < THREAD_COUNT; i++) {
		threads[i].join();
		p->host_result = p->host_result * 31 + videos[i].result;
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct video videos[THREAD_COUNT];

	pipeline_parse(&pipeline, "stream_churn", FRAME_COUNT, argc, argv);
	pipeline.chunk_bytes = TILE_BYTES;
	pipeline.host_rows = THREAD_COUNT * VIDEO_FRAMES * TILE_COUNT / SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	for (int i = 0; i < THREAD_COUNT; i++)
		open_video(&pipeline, &videos[i], i);
	run(&pipeline, videos, 2); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, videos, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	for (const struct video &video : videos)
		close_video(&pipeline, &video);
	pipeline_close(&pipeline);
	return 0;
}
