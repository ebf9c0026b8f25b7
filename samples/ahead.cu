#include "samples/ahead.h"

static int buffer_of(const struct ahead *ahead, int batch)
{
	return batch % ahead->pipeline->host_chunk_count;
}

static void fill_batches(struct ahead *ahead, int batch_count,
			 std::function<void(uint32_t *words, int batch)> fill)
{
	std::unique_lock<std::mutex> lock(ahead->mutex);

	while (ahead->begun < batch_count) {
		int batch = ahead->begun++, buffer = buffer_of(ahead, batch);

		ahead->has_changed.wait(lock, [=] {
			return batch < ahead->freed + ahead->pipeline->host_chunk_count;
		});
		lock.unlock();
		fill(pipeline_in(ahead->pipeline, buffer), batch);
		lock.lock();
		ahead->filled[buffer] = batch;
		ahead->has_changed.notify_all();
	}
}

void ahead_start(struct ahead *ahead, const struct pipeline *p, int thread_count, int batch_count,
		 const std::function<void(uint32_t *words, int batch)> &fill)
{
	ahead->pipeline = p;
	ahead->filled.assign(p->host_chunk_count, -1);
	for (int i = 0; i < thread_count; i++)
		ahead->threads.emplace_back(fill_batches, ahead, batch_count, fill);
}

uint32_t *ahead_wait(struct ahead *ahead, int batch)
{
	int buffer = buffer_of(ahead, batch);
	std::unique_lock<std::mutex> lock(ahead->mutex);

	ahead->has_changed.wait(lock, [=] { return ahead->filled[buffer] == batch; });
	return pipeline_in(ahead->pipeline, buffer);
}

void ahead_free(struct ahead *ahead)
{
	std::lock_guard<std::mutex> lock(ahead->mutex);

	ahead->freed++;
	ahead->has_changed.notify_all();
}

void ahead_stop(struct ahead *ahead)
{
	for (std::thread &thread : ahead->threads)
		thread.join();
}
