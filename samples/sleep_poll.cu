/*
 * Pitfall: each step's result decides about the next step. The host asks every 20 ms whether it is
 * there.
 * Fix: cudaEventSynchronize(), which returns when the result is there.
 */
#include "samples/pipeline.h"

#include <chrono>
#include <thread>

/* A step on 4 MiB takes an H100 8 ms: 132 ns a round. Its result is the first 4 KiB. */
enum { STATE_BYTES = 4 << 20, STEP_ROUNDS = 60000, RESULT_BYTES = 4 << 10, SLEEP_MS = 20 };

static __noinline__ void wait_for_result(cudaEvent_t is_there, bool is_fixed)
{
	if (is_fixed) {
		CHECK(cudaEventSynchronize(is_there));
		return;
	}
	while (cudaEventQuery(is_there) == cudaErrorNotReady)
		/* PITFALL: host-wait-in-loop */
		std::this_thread::sleep_for(std::chrono::milliseconds(SLEEP_MS));
	cudaGetLastError(); /* "not ready" is one, and would be that of the next launch */
}

static void run(struct pipeline *p, cudaEvent_t is_there, int step_count)
{
	const struct slot *slot = &p->slots[0];
	uint32_t *result = pipeline_out(p, 0);

	p->host_result = 0;
	for (int i = 0; i < step_count; i++) {
		int rounds = STEP_ROUNDS + (int)(p->host_result % 8);

		mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->out,
								     pipeline_elements(p), rounds);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(result, slot->out, RESULT_BYTES, cudaMemcpyDeviceToHost,
				      slot->stream));
		CHECK(cudaEventRecord(is_there, slot->stream));
		wait_for_result(is_there, p->is_fixed);
		p->host_result = p->host_result * 31 +
				 pipeline_checksum(result, RESULT_BYTES / sizeof(*result));
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	cudaEvent_t is_there;

	pipeline_parse(&pipeline, "sleep_poll", 25, argc, argv);
	pipeline.chunk_bytes = STATE_BYTES;
	pipeline.rounds = STEP_ROUNDS;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaEventCreateWithFlags(&is_there, cudaEventDisableTiming));
	pipeline_enqueue(&pipeline, 0, pipeline_in(&pipeline, 0));
	run(&pipeline, is_there, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, is_there, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	CHECK(cudaEventDestroy(is_there));
	pipeline_close(&pipeline);
	return 0;
}
