/*
 * Pitfall: a thread decodes batches ahead of the thread that feeds the GPU, but takes twice as
 * long for each as the GPU does: the queue between the two is always empty.
 * Fix: four such threads.
 */
#include "samples/ahead.h"

/* A batch of 4 MiB takes the host 7 ms to decode and an H100 3 ms to compute: 132 ns a round. */
enum {
	BATCH_BYTES = 4 << 20,
	BATCH_ROUNDS = 23000,
	DECODE_PASSES = 3,
	DECODERS = 4,
	HOST_ROWS = 2
};

static void decode(uint32_t *words, size_t count, int batch)
{
	uint64_t state = (uint64_t)batch + 1;

	for (int pass = 0; pass < DECODE_PASSES; pass++) {
		for (size_t i = 0; i < count; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			state ^= state >> 29;
			words[i] = (uint32_t)(state >> 32);
		}
	}
}

static void run(const struct pipeline *p, int batch_count)
{
	struct ahead ahead;

	ahead_start(
		&ahead, p, p->is_fixed ? DECODERS : 1, batch_count,
		[=](uint32_t *words, int batch) { decode(words, pipeline_elements(p), batch); });
	for (int i = 0; i < batch_count; i++) {
		const uint32_t *words;

		if (i >= SLOT_COUNT) {
			pipeline_wait_for_slot(p, i);
			ahead_free(&ahead);
		}
		/* PITFALL: loader-empty */
		words = ahead_wait(&ahead, i);
		pipeline_enqueue(p, i, words);
	}
	pipeline_collect(p);
	ahead_stop(&ahead);
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;

	pipeline_parse(&pipeline, "loader_empty", 60, argc, argv);
	pipeline.chunk_bytes = BATCH_BYTES;
	pipeline.rounds = BATCH_ROUNDS;
	pipeline.host_rows = HOST_ROWS;
	pipeline_open(&pipeline, HOST_PINNED);
	run(&pipeline, SLOT_COUNT); /* warms up: loads the module, fills every slot */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
