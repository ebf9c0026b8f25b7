/*
 * Threads that fill the host's buffers of the next batches, ahead of the thread that sends them: for
 * samples whose pitfall is that no thread does so, or too few.
 *
 *	ahead_start(&ahead, p, thread_count, batch_count, fill);
 *	for each batch, in order:
 *		words = ahead_wait(&ahead, batch);
 *		enqueue the copy of the words and what follows
 *	ahead_free(&ahead);	whenever one more batch is no longer needed, the oldest first
 *	ahead_stop(&ahead);
 *
 * host_in of the pipeline has the buffers: of the batches that are being filled, that wait to be sent
 * and that are on the device. Call all functions on the thread that sends.
 */
#ifndef STREAMTRACE_SAMPLES_AHEAD_H
#define STREAMTRACE_SAMPLES_AHEAD_H

#include "samples/pipeline.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct ahead {
	const struct pipeline *pipeline;
	std::mutex mutex;
	std::condition_variable has_changed;
	std::vector<std::thread> threads;
	int begun = 0, freed = 0; /* batches */
	std::vector<int> filled;  /* by buffer: its last batch, -1: none */
};

/* fill(words, batch) writes a batch into host memory; several threads call it at once. */
void ahead_start(struct ahead *ahead, const struct pipeline *p, int thread_count, int batch_count,
		 const std::function<void(uint32_t *words, int batch)> &fill);

/* Waits until the batch is in its buffer, which it returns. */
uint32_t *ahead_wait(struct ahead *ahead, int batch);

/* The oldest batch's buffer may be filled again. */
void ahead_free(struct ahead *ahead);

/* Waits for the threads, which end when all batches are filled. */
void ahead_stop(struct ahead *ahead);

#endif
