/*
 * Pitfall: one thread prepares a batch, sends it to the GPU, waits for it and prepares the next one:
 * the GPU is idle while the host works, and the host while the GPU does.
 * Fix: a second thread prepares the next batches, in buffers of their own, while this one feeds the
 * GPU.
 */
#include "samples/pipeline.h"

#include <condition_variable>
#include <mutex>
#include <thread>

/* A batch of 4 MiB takes the host 2 ms to prepare and an H100 3 ms to compute: 132 ns a round. */
enum { BATCH_BYTES = 4 << 20, BATCH_ROUNDS = 23000 };

static __noinline__ void prepare(uint32_t *words, size_t count, int batch)
{
	uint64_t state = (uint64_t)batch + 1;

	for (size_t i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		state ^= state >> 29;
		words[i] = (uint32_t)(state >> 32);
	}
}

/* Enqueues a batch from the host's memory. */
static void enqueue(const struct pipeline *p, int batch, const uint32_t *words)
{
	const struct slot *slot = &p->slots[batch % SLOT_COUNT];

	/* PITFALL: host-bound */
	CHECK(cudaMemcpyAsync(slot->in, words, p->chunk_bytes, cudaMemcpyHostToDevice,
			      slot->stream));
	mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in,
							     pipeline_elements(p), BATCH_ROUNDS);
	CHECK(cudaGetLastError());
}

static void run_broken(const struct pipeline *p, int batch_count)
{
	for (int i = 0; i < batch_count; i++) {
		/* PITFALL: host-work */
		prepare(pipeline_in(p, 0), pipeline_elements(p), i);
		enqueue(p, i, pipeline_in(p, 0));
		CHECK(cudaStreamSynchronize(p->slots[i % SLOT_COUNT].stream));
	}
}

/* How many batches are prepared, and how many the GPU has done: of these the buffers are free. */
struct progress {
	std::mutex mutex;
	std::condition_variable has_changed;
	int prepared = 0, done = 0;
};

static void prepare_all(const struct pipeline *p, int batch_count, struct progress *progress)
{
	for (int i = 0; i < batch_count; i++) {
		std::unique_lock<std::mutex> lock(progress->mutex);

		progress->has_changed.wait(lock, [=] { return i < progress->done + SLOT_COUNT; });
		lock.unlock();
		prepare(pipeline_in(p, i % SLOT_COUNT), pipeline_elements(p), i);
		lock.lock();
		progress->prepared++;
		progress->has_changed.notify_all();
	}
}

static void wait_for_batch(struct progress *progress, int batch)
{
	std::unique_lock<std::mutex> lock(progress->mutex);

	progress->has_changed.wait(lock, [=] { return progress->prepared > batch; });
}

/* The GPU has the next batch by then. */
static void finish_batch(const struct pipeline *p, struct progress *progress, int batch)
{
	CHECK(cudaStreamSynchronize(p->slots[batch % SLOT_COUNT].stream));

	std::lock_guard<std::mutex> lock(progress->mutex);

	progress->done++;
	progress->has_changed.notify_all();
}

static void run_fixed(const struct pipeline *p, int batch_count)
{
	struct progress progress;
	std::thread preparer(prepare_all, p, batch_count, &progress);

	for (int i = 0; i < batch_count; i++) {
		wait_for_batch(&progress, i);
		enqueue(p, i, pipeline_in(p, i % SLOT_COUNT));
		if (i > 0)
			finish_batch(p, &progress, i - 1);
	}
	finish_batch(p, &progress, batch_count - 1);
	preparer.join();
}

static void run(const struct pipeline *p, int batch_count)
{
	if (p->is_fixed)
		run_fixed(p, batch_count);
	else
		run_broken(p, batch_count);
	for (int i = 0; i < SLOT_COUNT; i++)
		CHECK(cudaMemcpyAsync(pipeline_out(p, i), p->slots[i].out, p->chunk_bytes,
				      cudaMemcpyDeviceToHost, p->slots[0].stream));
	CHECK(cudaStreamSynchronize(p->slots[0].stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "host_bound", 150, argc, argv);
	pipeline.chunk_bytes = BATCH_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
