/*
 * Pitfall: two cameras' frames are decoded by a thread each, on a host that gives the program two
 * processors. A thread for each camera collects the results, and asks the event of the next frame
 * again and again: both have nothing to do, and take half of the processors from the decoders.
 * Fix: an event created with cudaEventBlockingSync, and cudaEventSynchronize(): the collectors sleep.
 */
#include "samples/pipeline.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

/* A frame of 2 MiB takes the host 1 ms to decode. Its kernel has few blocks and takes an H200 2.2
 * ms, beside those of other frames.
 */
enum {
	CAMERA_COUNT = 2,
	PROCESSOR_COUNT = 2,
	FRAME_BYTES = 2 << 20,
	RESULT_BYTES = 4 << 10,
	FILTER_BLOCKS = 16,
	FILTER_THREADS = 128,
	FILTER_ROUNDS = 1070,
	COMMAND_CHECKS = 100000 /* some 50 us between two queries */
};

/* A buffer goes from the decoder to the device and the collector, and back. */
struct frame_slot {
	cudaStream_t stream;
	cudaEvent_t is_filtered;
	uint32_t *host_frame, *host_result, *frame, *result;
};

struct camera {
	struct frame_slot slots[SLOT_COUNT];
	std::mutex mutex;
	std::condition_variable has_changed;
	int sent, collected; /* frames */
	std::atomic<int> command;
	uint64_t result;
};

static void decode(uint32_t *words, size_t count, int frame)
{
	uint64_t state = (uint64_t)frame + 1;

	for (size_t i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		state ^= state >> 29;
		words[i] = (uint32_t)(state >> 32);
	}
}

static void send_frame(const struct frame_slot *slot)
{
	CHECK(cudaMemcpyAsync(slot->frame, slot->host_frame, FRAME_BYTES, cudaMemcpyHostToDevice,
			      slot->stream));
	mix_elements<<<FILTER_BLOCKS, FILTER_THREADS, 0, slot->stream>>>(
		slot->result, slot->frame, FRAME_BYTES / sizeof(*slot->frame), FILTER_ROUNDS);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(slot->host_result, slot->result, RESULT_BYTES, cudaMemcpyDeviceToHost,
			      slot->stream));
	CHECK(cudaEventRecord(slot->is_filtered, slot->stream));
}

static void decode_frames(struct camera *camera, int frame_count)
{
	for (int i = 0; i < frame_count; i++) {
		const struct frame_slot *slot = &camera->slots[i % SLOT_COUNT];
		std::unique_lock<std::mutex> lock(camera->mutex);

		camera->has_changed.wait(lock, [=] { return i < camera->collected + SLOT_COUNT; });
		lock.unlock();
		decode(slot->host_frame, FRAME_BYTES / sizeof(*slot->host_frame), i);
		send_frame(slot);
		lock.lock();
		camera->sent++;
		camera->has_changed.notify_all();
	}
}

/* A command could have come meanwhile. */
static void look_for_command(const struct camera *camera)
{
	for (int i = 0; i < COMMAND_CHECKS; i++)
		if (camera->command.load(std::memory_order_relaxed))
			return;
}

static void wait_for_frame(const struct camera *camera, cudaEvent_t is_filtered, bool is_fixed)
{
	cudaError_t status = cudaErrorNotReady;

	if (is_fixed) {
		CHECK(cudaEventSynchronize(is_filtered));
		return;
	}
	while (status == cudaErrorNotReady) {
		look_for_command(camera);
		/* PITFALL: busy-poll */
		status = cudaEventQuery(is_filtered);
	}
	CHECK(status);
}

static void collect_frames(struct camera *camera, int frame_count, bool is_fixed)
{
	for (int i = 0; i < frame_count; i++) {
		const struct frame_slot *slot = &camera->slots[i % SLOT_COUNT];
		std::unique_lock<std::mutex> lock(camera->mutex);

		camera->has_changed.wait(lock, [=] { return camera->sent > i; });
		lock.unlock();
		wait_for_frame(camera, slot->is_filtered, is_fixed);
		camera->result = camera->result * 31 +
				 pipeline_checksum(slot->host_result,
						   RESULT_BYTES / sizeof(*slot->host_result));
		lock.lock();
		camera->collected++;
		camera->has_changed.notify_all();
	}
}

static void run(struct pipeline *p, struct camera *cameras, int frame_count)
{
	std::thread threads[2 * CAMERA_COUNT];

	p->host_result = 0;
	for (int i = 0; i < CAMERA_COUNT; i++) {
		cameras[i].sent = 0;
		cameras[i].collected = 0;
		cameras[i].result = (uint64_t)i;
		threads[2 * i] = std::thread(decode_frames, &cameras[i], frame_count);
		threads[2 * i + 1] =
			std::thread(collect_frames, &cameras[i], frame_count, p->is_fixed);
	}
	for (std::thread &thread : threads)
		thread.join();
	for (int i = 0; i < CAMERA_COUNT; i++)
		p->host_result = p->host_result * 31 + cameras[i].result;
}

static void open_camera(const struct pipeline *p, struct camera *camera, int index)
{
	camera->command = 0;
	for (int i = 0; i < SLOT_COUNT; i++) {
		struct frame_slot *slot = &camera->slots[i];

		slot->host_frame = pipeline_in(p, index * SLOT_COUNT + i);
		slot->host_result = pipeline_out(p, index * SLOT_COUNT + i);
		CHECK(cudaMalloc(&slot->frame, FRAME_BYTES));
		CHECK(cudaMalloc(&slot->result, FRAME_BYTES));
		CHECK(cudaStreamCreateWithFlags(&slot->stream, cudaStreamNonBlocking));
		CHECK(cudaEventCreateWithFlags(&slot->is_filtered,
					       cudaEventDisableTiming |
						       (p->is_fixed ? cudaEventBlockingSync : 0)));
	}
}

static void close_camera(const struct camera *camera)
{
	for (const struct frame_slot &slot : camera->slots) {
		CHECK(cudaEventDestroy(slot.is_filtered));
		CHECK(cudaStreamDestroy(slot.stream));
		CHECK(cudaFree(slot.result));
		CHECK(cudaFree(slot.frame));
	}
}

int main(int argc, char **argv)
{
	static struct camera cameras[CAMERA_COUNT];
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "busy_poll", 40, argc, argv);
	pipeline_take_processors(PROCESSOR_COUNT);
	pipeline.chunk_bytes = FRAME_BYTES;
	pipeline.host_rows = CAMERA_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	for (int i = 0; i < CAMERA_COUNT; i++)
		open_camera(&pipeline, &cameras[i], i);
	run(&pipeline, cameras, SLOT_COUNT); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, cameras, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	for (const struct camera &camera : cameras)
		close_camera(&camera);
	pipeline_close(&pipeline);
	return 0;
}
