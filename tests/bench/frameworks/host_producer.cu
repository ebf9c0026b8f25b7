/*
 * A thread decodes batches into a queue, the thread that launches takes them from there.
 *
 * Fault: the one producer takes three times as long for a batch as the GPU.
 * Fix: three producers.
 */
#include "tests/bench/frameworks/host_pair.h"

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

enum { STEPS = 40, MOST_QUEUED = 4, ROUNDS = 2500, DECODED_AGAIN = 80 };

struct batch_queue {
	std::mutex lock;
	std::condition_variable added, taken;
	std::queue<std::vector<uint32_t>> batches;
	int tickets = STEPS; /* batches that nobody has begun */
};

/* Each word depends on the one before. */
static std::vector<uint32_t> decode(uint32_t state)
{
	std::vector<uint32_t> words(BATCH_WORDS);

	for (int again = 0; again < DECODED_AGAIN; again++)
		for (uint32_t &word : words) {
			state = (state ^ word) * 1664525u + 1013904223u;
			word = state >> 3;
		}
	return words;
}

static void produce(struct batch_queue *queue)
{
	std::unique_lock<std::mutex> lock(queue->lock);

	while (queue->tickets > 0) {
		int ticket = queue->tickets--;

		lock.unlock();
		std::vector<uint32_t> words = decode((uint32_t)ticket);
		lock.lock();
		queue->taken.wait(lock, [queue] { return queue->batches.size() < MOST_QUEUED; });
		queue->batches.push(std::move(words));
		queue->added.notify_one();
	}
}

static std::vector<uint32_t> next_batch(struct batch_queue *queue)
{
	std::unique_lock<std::mutex> lock(queue->lock);

	queue->added.wait(lock, [queue] { return !queue->batches.empty(); });
	std::vector<uint32_t> words = std::move(queue->batches.front());
	queue->batches.pop();
	queue->taken.notify_one();
	return words;
}

static void loop(const struct gpu *gpu, bool is_fixed)
{
	struct batch_queue queue;
	std::vector<std::thread> producers;

	for (int i = 0; i < (is_fixed ? 3 : 1); i++)
		producers.emplace_back(produce, &queue);
	for (int step = 0; step < STEPS; step++) {
		int slot = step % SLOTS;
		std::vector<uint32_t> words = next_batch(&queue);

		CHECK(cudaEventSynchronize(gpu->done[slot]));
		memcpy(gpu->pinned[slot], words.data(), batch_bytes);
		CHECK(cudaMemcpyAsync(gpu->batch[slot], gpu->pinned[slot], batch_bytes,
				      cudaMemcpyHostToDevice, gpu->stream));
		work<<<CELLS / BLOCK_SIZE, BLOCK_SIZE, 0, gpu->stream>>>(gpu->cells,
									 gpu->batch[slot], ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(gpu->done[slot], gpu->stream));
	}
	for (std::thread &producer : producers)
		producer.join();
}
