/*
 * Nothing to find: each step of a solver is timed with a pair of events, which are read after the
 * loop. Nothing waits for them inside.
 */
#include "samples/pipeline.h"

enum { STEPS = 200, STEP_ROUNDS = 24000 };

static void run(const struct pipeline *p, int steps, cudaEvent_t (*events)[2])
{
	cudaStream_t stream = p->slots[0].stream;
	uint32_t *now = p->slots[0].in, *next = p->slots[0].out;

	CHECK(cudaMemcpyAsync(now, p->host_in, p->chunk_bytes, cudaMemcpyHostToDevice, stream));
	for (int i = 0; i < steps; i++) {
		CHECK(cudaEventRecord(events[i][0], stream));
		mix_elements<<<p->grid, p->block, 0, stream>>>(next, now, pipeline_elements(p),
							       p->rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaEventRecord(events[i][1], stream));
		uint32_t *before = now;

		now = next;
		next = before;
	}
	CHECK(cudaMemcpyAsync(p->host_out, now, p->chunk_bytes, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
}

/* All steps, in milliseconds. */
static float read_times(int steps, cudaEvent_t (*events)[2])
{
	float sum = 0;

	for (int i = 0; i < steps; i++) {
		float time_ms;

		CHECK(cudaEventElapsedTime(&time_ms, events[i][0], events[i][1]));
		sum += time_ms;
	}
	return sum;
}

int main(void)
{
	static cudaEvent_t events[STEPS][2];
	struct pipeline pipeline;

	pipeline_init(&pipeline, "timed_after", 0);
	pipeline.chunk_bytes = 4 << 20;
	pipeline.host_rows = 1;
	pipeline.rounds = STEP_ROUNDS;
	pipeline_open(&pipeline, HOST_PINNED);
	for (auto &pair : events)
		for (cudaEvent_t &event : pair)
			CHECK(cudaEventCreate(&event));
	run(&pipeline, 1, events); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, STEPS, events);
	pipeline.host_result = read_times(STEPS, events) > 0;
	pipeline_stop(&pipeline);
	for (auto &pair : events)
		for (cudaEvent_t event : pair)
			CHECK(cudaEventDestroy(event));
	pipeline_close(&pipeline);
	return 0;
}
