/*
 * Pitfall: a pool of threads searches for better parameters all the time, on a host that gives the
 * program two processors. The pool has eight threads: the one that feeds the GPU seldom gets a
 * processor.
 * Fix: a pool that leaves a processor free.
 */
#include "samples/pipeline.h"

#include <atomic>
#include <thread>
#include <vector>

/* A batch of 2 MiB takes the host 1.2 ms to prepare and an H100 2 ms to compute: 66 ns a round. */
enum {
	PROCESSOR_COUNT = 2,
	SEARCHERS = 8,
	BATCH_BYTES = 2 << 20,
	BATCH_ROUNDS = 30000,
	TRIES_AT_ONCE = 1 << 16
};

static uint64_t next_state(uint64_t state)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state ^ state >> 29;
}

/* What it finds would be shown somewhere. */
static void search(const std::atomic<bool> *is_over, std::atomic<uint64_t> *best, uint64_t state)
{
	while (!*is_over) {
		uint64_t found = 0;

		for (int i = 0; i < TRIES_AT_ONCE; i++) {
			state = next_state(state);
			found = state > found ? state : found;
		}
		if (found > *best)
			*best = found;
	}
}

static __noinline__ void prepare(uint32_t *words, size_t count, int batch)
{
	uint64_t state = (uint64_t)batch + 1;

	for (size_t i = 0; i < count; i++) {
		state = next_state(state);
		words[i] = (uint32_t)(state >> 32);
	}
}

static void run(const struct pipeline *p, int batch_count)
{
	std::atomic<bool> is_over{false};
	std::atomic<uint64_t> best{0};
	std::vector<std::thread> searchers;

	for (int i = 0; i < (p->is_fixed ? PROCESSOR_COUNT - 1 : SEARCHERS); i++)
		searchers.emplace_back(search, &is_over, &best, i);
	for (int i = 0; i < batch_count; i++) {
		uint32_t *words = pipeline_in(p, i % SLOT_COUNT);

		pipeline_wait_for_slot(p, i);
		/* PITFALL: preempted */
		prepare(words, pipeline_elements(p), i);
		pipeline_enqueue(p, i, words);
	}
	pipeline_collect(p);
	is_over = true;
	for (std::thread &searcher : searchers)
		searcher.join();
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "preempted", 80, argc, argv);
	pipeline_take_processors(PROCESSOR_COUNT);
	pipeline.chunk_bytes = BATCH_BYTES;
	pipeline.rounds = BATCH_ROUNDS;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
