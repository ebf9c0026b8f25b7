/*
 * Pitfall: a solver's thread launches hundreds of small kernels behind each large one. Another thread
 * waits for the large one's result, and asks for its event again and again: each query takes the lock
 * of the stream that the launches need, too. The small kernels come too late to keep the GPU busy.
 * Fix: wait with cudaEventSynchronize. The event blocks (cudaEventBlockingSync): the thread sleeps.
 */
#include "samples/pipeline.h"

#include <condition_variable>
#include <mutex>
#include <thread>

/* On an H200 0.5 ms for the large kernel, and as much for all small ones, which is less than it takes
 * to launch them. A result is the large kernel's; there are so many that are not read yet. */
enum { PLACES = 3, SMALL = 120, WORDS = 1 << 14, RESULT_WORDS = 1024, BLOCK = 256, ROUNDS = 60000 };

struct solver {
	cudaStream_t stream;
	uint32_t *words, *results; /* on the device; pinned, of each place */
	cudaEvent_t done[PLACES];
	int begun, read; /* steps, under the lock */
	std::mutex lock;
	std::condition_variable changed;
};

static void open_solver(struct solver *solver)
{
	CHECK(cudaStreamCreateWithFlags(&solver->stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&solver->words, WORDS * sizeof(uint32_t)));
	CHECK(cudaMemset(solver->words, 0, WORDS * sizeof(uint32_t)));
	CHECK(cudaMallocHost(&solver->results, PLACES * RESULT_WORDS * sizeof(uint32_t)));
	for (cudaEvent_t &event : solver->done)
		CHECK(cudaEventCreateWithFlags(&event,
					       cudaEventBlockingSync | cudaEventDisableTiming));
}

static void close_solver(struct solver *solver)
{
	for (cudaEvent_t event : solver->done)
		CHECK(cudaEventDestroy(event));
	CHECK(cudaFreeHost(solver->results));
	CHECK(cudaFree(solver->words));
	CHECK(cudaStreamDestroy(solver->stream));
}

static void mix(const struct solver *solver, int rounds)
{
	mix_elements<<<WORDS / BLOCK, BLOCK, 0, solver->stream>>>(solver->words, solver->words,
								  WORDS, rounds);
	CHECK(cudaGetLastError());
}

/* The large kernel, whose result is handed over, and the small ones. */
static void launch_step(struct solver *solver, int i)
{
	uint32_t *result = solver->results + i % PLACES * RESULT_WORDS;

	mix(solver, ROUNDS);
	CHECK(cudaMemcpyAsync(result, solver->words, RESULT_WORDS * sizeof(*result),
			      cudaMemcpyDeviceToHost, solver->stream));
	CHECK(cudaEventRecord(solver->done[i % PLACES], solver->stream));
	solver->lock.lock();
	solver->begun++;
	solver->changed.notify_all();
	solver->lock.unlock();
	for (int k = 0; k < SMALL; k++)
		mix(solver, 16 + k % 8);
}

static void solve(struct solver *solver, int step_count)
{
	for (int i = 0; i < step_count; i++) {
		std::unique_lock<std::mutex> guard(solver->lock);

		solver->changed.wait(guard, [&] { return i - solver->read < PLACES; });
		guard.unlock();
		launch_step(solver, i);
	}
}

static void wait_for_result(cudaEvent_t done, bool is_fixed)
{
	cudaError_t error;

	if (is_fixed) {
		CHECK(cudaEventSynchronize(done));
		return;
	}
	do {
		/* PITFALL: busy-poll */
		error = cudaEventQuery(done);
	} while (error == cudaErrorNotReady);
	CHECK(error);
}

static uint64_t read_result(struct solver *solver, int i, bool is_fixed)
{
	const uint32_t *result = solver->results + i % PLACES * RESULT_WORDS;
	std::unique_lock<std::mutex> guard(solver->lock);
	uint64_t sum;

	solver->changed.wait(guard, [&] { return solver->begun > i; });
	guard.unlock();
	wait_for_result(solver->done[i % PLACES], is_fixed);
	sum = pipeline_checksum(result, RESULT_WORDS);
	guard.lock();
	solver->read++;
	solver->changed.notify_all();
	return sum;
}

static uint64_t run(struct solver *solver, int step_count, bool is_fixed)
{
	std::thread thread;
	uint64_t sum = 0;

	solver->begun = solver->read = 0;
	thread = std::thread(solve, solver, step_count);
	for (int i = 0; i < step_count; i++)
		sum = sum * 31 + read_result(solver, i, is_fixed);
	thread.join();
	CHECK(cudaStreamSynchronize(solver->stream));
	return sum;
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	static struct solver solver;

	pipeline_parse(&pipeline, "busy_poll", 30, argc, argv);
	pipeline.chunk_bytes = WORDS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_solver(&solver);
	run(&solver, 2, true); /* warms up: loads the module */
	pipeline_start(&pipeline);
	pipeline.host_result = run(&solver, pipeline.chunk_count, pipeline.is_fixed);
	pipeline_stop(&pipeline);
	close_solver(&solver);
	pipeline_close(&pipeline);
	return 0;
}
