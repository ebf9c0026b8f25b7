/*
 * Pitfall: the thread that feeds the GPU moves a scene in each step, with the scene's lock.
 * Another thread saves the scene again and again, and holds the lock while it packs it.
 * Fix: that thread holds the lock while it copies the scene, and packs the copy.
 */
#include "samples/pipeline.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string.h>
#include <thread>
#include <vector>

/* A scene of 1 MiB takes the host 0.2 ms to move and 20 ms to pack, and an H100 1 ms to draw: 33
 * ns a round. */
enum { SCENE_WORDS = 1 << 18, DRAW_ROUNDS = 30000, PACK_PASSES = 60, SAVE_PAUSE_MS = 1 };

struct scene {
	std::mutex mutex;
	std::vector<uint32_t> words = std::vector<uint32_t>(SCENE_WORDS);
	std::atomic<bool> is_over{false};
	std::atomic<uint64_t> saved{0};
};

static uint64_t pack(const uint32_t *words)
{
	uint64_t packed = 0;

	for (int pass = 0; pass < PACK_PASSES; pass++)
		packed = packed * 31 + pipeline_checksum(words, SCENE_WORDS);
	return packed;
}

static void save_again_and_again(struct scene *scene, bool is_fixed)
{
	while (!scene->is_over) {
		std::unique_lock<std::mutex> lock(scene->mutex);

		if (is_fixed) {
			std::vector<uint32_t> copy = scene->words;

			lock.unlock();
			scene->saved = pack(copy.data());
		} else {
			scene->saved = pack(scene->words.data());
			lock.unlock();
		}
		std::this_thread::sleep_for(std::chrono::milliseconds(SAVE_PAUSE_MS));
	}
}

static __noinline__ void move_scene(struct scene *scene, uint32_t *moved)
{
	std::lock_guard<std::mutex> lock(scene->mutex);

	for (int i = 0; i < SCENE_WORDS; i++)
		scene->words[i] += (uint32_t)i;
	memcpy(moved, scene->words.data(), SCENE_WORDS * sizeof(*moved));
}

static void run(const struct pipeline *p, int frame_count)
{
	struct scene scene;
	std::thread saver(save_again_and_again, &scene, p->is_fixed);

	for (int i = 0; i < frame_count; i++) {
		uint32_t *moved = pipeline_in(p, i % SLOT_COUNT);

		pipeline_wait_for_slot(p, i);
		/* PITFALL: lock-held */
		move_scene(&scene, moved);
		pipeline_enqueue(p, i, moved);
	}
	pipeline_collect(p);
	scene.is_over = true;
	saver.join();
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "lock_held", 100, argc, argv);
	pipeline.chunk_bytes = SCENE_WORDS * sizeof(uint32_t);
	pipeline.rounds = DRAW_ROUNDS;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
