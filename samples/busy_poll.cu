/*
 * Pitfall: four threads launch small jobs, each into its own stream, and a fifth one collects the
 * results. It asks again and again whether a job is done: each query takes locks of the driver that
 * the launches of the other threads need, too.
 * Fix: wait for the job's event with cudaEventSynchronize. The events block (cudaEventBlockingSync),
 * so that the thread sleeps.
 */
#include "samples/pipeline.h"

#include <condition_variable>
#include <mutex>
#include <thread>

/* A job's kernels take some microseconds each, less than their launches. */
enum { WORKERS = 4, PLACES = 4, LAUNCHES = 24, WORDS = 4096, RESULT_WORDS = 1024, BLOCK = 256 };

/* A worker's stream, and the jobs that were launched and not collected yet. */
struct worker {
	cudaStream_t stream;
	uint32_t *words, *results; /* on the device; pinned, of each place */
	cudaEvent_t done[PLACES];
	int launched, collected; /* jobs, under the lock */
	std::mutex lock;
	std::condition_variable changed;
};

static void open_worker(struct worker *worker)
{
	CHECK(cudaStreamCreateWithFlags(&worker->stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&worker->words, WORDS * sizeof(uint32_t)));
	CHECK(cudaMemset(worker->words, 0, WORDS * sizeof(uint32_t)));
	CHECK(cudaMallocHost(&worker->results, PLACES * RESULT_WORDS * sizeof(uint32_t)));
	for (cudaEvent_t &event : worker->done)
		CHECK(cudaEventCreateWithFlags(&event,
					       cudaEventBlockingSync | cudaEventDisableTiming));
}

static void close_worker(struct worker *worker)
{
	for (cudaEvent_t event : worker->done)
		CHECK(cudaEventDestroy(event));
	CHECK(cudaFreeHost(worker->results));
	CHECK(cudaFree(worker->words));
	CHECK(cudaStreamDestroy(worker->stream));
}

static void launch_job(struct worker *worker, int place)
{
	uint32_t *words = worker->words, *result = worker->results + place * RESULT_WORDS;
	cudaStream_t stream = worker->stream;

	for (int i = 0; i < LAUNCHES; i++) {
		mix_elements<<<WORDS / BLOCK, BLOCK, 0, stream>>>(words, words, WORDS, 8 + i);
		CHECK(cudaGetLastError());
	}
	CHECK(cudaMemcpyAsync(result, words, RESULT_WORDS * sizeof(*result), cudaMemcpyDeviceToHost,
			      stream));
	CHECK(cudaEventRecord(worker->done[place], stream));
}

static void work(struct worker *worker, int job_count)
{
	for (int i = 0; i < job_count; i++) {
		std::unique_lock<std::mutex> guard(worker->lock);

		worker->changed.wait(guard, [&] { return i - worker->collected < PLACES; });
		guard.unlock();
		launch_job(worker, i % PLACES);
		guard.lock();
		worker->launched++;
		worker->changed.notify_all();
	}
}

static void wait_for_job(cudaEvent_t done, bool is_fixed)
{
	if (is_fixed) {
		CHECK(cudaEventSynchronize(done));
		return;
	}
	for (;;) {
		/* PITFALL: busy-poll */
		cudaError_t error = cudaEventQuery(done);

		if (error != cudaErrorNotReady) {
			CHECK(error);
			return;
		}
	}
}

static uint64_t collect_job(struct worker *worker, int i, bool is_fixed)
{
	const uint32_t *result = worker->results + i % PLACES * RESULT_WORDS;
	std::unique_lock<std::mutex> guard(worker->lock);
	uint64_t sum;

	worker->changed.wait(guard, [&] { return worker->launched > i; });
	guard.unlock();
	wait_for_job(worker->done[i % PLACES], is_fixed);
	sum = pipeline_checksum(result, RESULT_WORDS);
	guard.lock();
	worker->collected++;
	worker->changed.notify_all();
	return sum;
}

static uint64_t run(struct worker *workers, int job_count, bool is_fixed)
{
	std::thread threads[WORKERS];
	uint64_t sum = 0;

	for (int k = 0; k < WORKERS; k++) {
		workers[k].launched = workers[k].collected = 0;
		threads[k] = std::thread(work, &workers[k], job_count);
	}
	for (int i = 0; i < job_count; i++)
		for (int k = 0; k < WORKERS; k++)
			sum = sum * 31 + collect_job(&workers[k], i, is_fixed);
	for (std::thread &thread : threads)
		thread.join();
	return sum;
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	static struct worker workers[WORKERS];

	pipeline_parse(&pipeline, "busy_poll", 160, argc, argv);
	pipeline.chunk_bytes = WORDS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	for (struct worker &worker : workers)
		open_worker(&worker);
	run(workers, 4, true); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = run(workers, pipeline.chunk_count / WORKERS, pipeline.is_fixed);
	pipeline_stop(&pipeline);
	for (struct worker &worker : workers)
		close_worker(&worker);
	pipeline_close(&pipeline);
	return 0;
}
