/*
 * The thread that launches notes each step's latency in a history; another thread sorts the history
 * again and again to show percentiles.
 *
 * Fault: the other thread has the history's lock while it sorts.
 * Fix: it copies the history with the lock, and sorts without.
 */
#include "tests/bench/frameworks/host_pair.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

enum { STEPS = 40, ROUNDS = 2500, KEPT = 400000 };

struct history {
	std::mutex lock;
	std::vector<float> latencies = std::vector<float>(KEPT);
	size_t count = 0;
	std::atomic<bool> is_over{false};
};

static void note_latency(struct history *history, float latency)
{
	std::lock_guard<std::mutex> noting(history->lock);

	history->latencies[history->count++ % KEPT] = latency;
}

static float percentile(std::vector<float> sorted)
{
	std::sort(sorted.begin(), sorted.end());
	return sorted[KEPT * 99 / 100];
}

static void show_percentiles(struct history *history, bool is_fixed)
{
	volatile float shown = 0;

	while (!history->is_over) {
		if (is_fixed) {
			std::unique_lock<std::mutex> copying(history->lock);
			std::vector<float> copy = history->latencies;

			copying.unlock();
			shown = percentile(std::move(copy));
		} else {
			std::lock_guard<std::mutex> showing(history->lock);

			shown = percentile(history->latencies);
		}
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
	}
	(void)shown;
}

static void loop(const struct gpu *gpu, bool is_fixed)
{
	struct history history;
	int64_t before_ns = pair_now_ns();

	for (size_t i = 0; i < KEPT; i++)
		history.latencies[i] = (float)(i * 2654435761u % 1000003);
	std::thread shower(show_percentiles, &history, is_fixed);
	for (int step = 0; step < STEPS; step++) {
		int slot = step % SLOTS;
		int64_t now_ns = pair_now_ns();

		note_latency(&history, (float)(now_ns - before_ns));
		before_ns = now_ns;
		CHECK(cudaEventSynchronize(gpu->done[slot]));
		CHECK(cudaMemcpyAsync(gpu->batch[slot], gpu->pinned[slot], batch_bytes,
				      cudaMemcpyHostToDevice, gpu->stream));
		work<<<CELLS / BLOCK_SIZE, BLOCK_SIZE, 0, gpu->stream>>>(gpu->cells,
									 gpu->batch[slot], ROUNDS);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(gpu->done[slot], gpu->stream));
	}
	history.is_over = true;
	shower.join();
}
