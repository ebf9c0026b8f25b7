/*
 * Pitfall: a loop that feeds the device measures each of its steps with a pair of events, and reads
 * the time in the step: it waits for the step's end, though it needs nothing of it but its time. The
 * next upload and the next kernels are enqueued only then.
 * Fix: the loop records the events, and the times are read after it.
 */
#include "samples/pipeline.h"

#include <stdio.h>

/* An H200 takes some 320 us to upload a batch, and as long for both kernels. */
enum { BATCH_BYTES = 16 << 20, BATCH_ROUNDS = 300, STEP_COUNT = 150 };

struct steps {
	cudaStream_t upload, compute;
	cudaEvent_t uploaded[SLOT_COUNT];
	cudaEvent_t *starts, *ends; /* of each step */
	float slowest_ms;
};

static void enqueue_step(const struct pipeline *p, const struct steps *steps, int i)
{
	const struct slot *slot = &p->slots[i % SLOT_COUNT];
	size_t count = pipeline_elements(p);

	if (i >= SLOT_COUNT) /* who reads the slot's memory must be done */
		CHECK(cudaStreamWaitEvent(steps->upload, steps->ends[i - SLOT_COUNT]));
	CHECK(cudaMemcpyAsync(slot->in, pipeline_in(p, i), p->chunk_bytes, cudaMemcpyHostToDevice,
			      steps->upload));
	CHECK(cudaEventRecord(steps->uploaded[i % SLOT_COUNT], steps->upload));
	CHECK(cudaStreamWaitEvent(steps->compute, steps->uploaded[i % SLOT_COUNT]));
	CHECK(cudaEventRecord(steps->starts[i], steps->compute));
	mix_elements<<<p->grid, p->block, 0, steps->compute>>>(slot->out, slot->in, count,
							       BATCH_ROUNDS);
	CHECK(cudaGetLastError());
	mix_elements<<<p->grid, p->block, 0, steps->compute>>>(slot->out, slot->out, count,
							       BATCH_ROUNDS);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(steps->ends[i], steps->compute));
}

static void read_time(struct steps *steps, int i)
{
	float ms;

	CHECK(cudaEventElapsedTime(&ms, steps->starts[i], steps->ends[i]));
	if (ms > steps->slowest_ms)
		steps->slowest_ms = ms;
}

static void run(const struct pipeline *p, struct steps *steps, int step_count)
{
	for (int i = 0; i < step_count; i++) {
		enqueue_step(p, steps, i);
		if (!p->is_fixed) {
			/* PITFALL: event-timing */
			CHECK(cudaEventSynchronize(steps->ends[i]));
			read_time(steps, i);
		}
	}
	for (int i = 0; i < SLOT_COUNT; i++)
		CHECK(cudaMemcpyAsync(pipeline_out(p, i), p->slots[i].out, p->chunk_bytes,
				      cudaMemcpyDeviceToHost, steps->compute));
	CHECK(cudaStreamSynchronize(steps->compute));
	if (p->is_fixed)
		for (int i = 0; i < step_count; i++)
			read_time(steps, i);
}

static void open_steps(struct steps *steps, int step_count)
{
	CHECK(cudaStreamCreateWithFlags(&steps->upload, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&steps->compute, cudaStreamNonBlocking));
	for (cudaEvent_t &event : steps->uploaded)
		CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	steps->starts = new cudaEvent_t[step_count];
	steps->ends = new cudaEvent_t[step_count];
	for (int i = 0; i < step_count; i++) {
		CHECK(cudaEventCreate(&steps->starts[i]));
		CHECK(cudaEventCreate(&steps->ends[i]));
	}
}

static void close_steps(const struct steps *steps, int step_count)
{
	for (int i = 0; i < step_count; i++) {
		CHECK(cudaEventDestroy(steps->starts[i]));
		CHECK(cudaEventDestroy(steps->ends[i]));
	}
	delete[] steps->starts;
	delete[] steps->ends;
	for (const cudaEvent_t &event : steps->uploaded)
		CHECK(cudaEventDestroy(event));
	CHECK(cudaStreamDestroy(steps->upload));
	CHECK(cudaStreamDestroy(steps->compute));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct steps steps = {};
	int step_count;

	pipeline_parse(&pipeline, "event_timing", STEP_COUNT, argc, argv);
	pipeline.chunk_bytes = BATCH_BYTES;
	pipeline.host_rows = 1;
	step_count = pipeline.chunk_count > SLOT_COUNT ? pipeline.chunk_count : SLOT_COUNT;
	pipeline_open(&pipeline, HOST_PINNED);
	open_steps(&steps, step_count);
	run(&pipeline, &steps, SLOT_COUNT); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, &steps, step_count);
	pipeline_stop(&pipeline);
	if (!(steps.slowest_ms > 0))
		fprintf(stderr, "event_timing: no step took any time\n");
	close_steps(&steps, step_count);
	pipeline_close(&pipeline);
	return 0;
}
