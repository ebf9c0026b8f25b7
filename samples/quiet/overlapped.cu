/*
 * Nothing to find: copies in, kernels and copies out have a stream each, joined by events, and
 * SLOT_COUNT pairs of buffers. Every operation waits only for the data or the buffer that it needs;
 * the kernels keep the device busy from the first to the last.
 */
#include "samples/pipeline.h"

struct slot_events {
	cudaEvent_t is_in, is_mixed, is_out;
};

static void upload(const struct pipeline *p, int i, const struct slot_events *events)
{
	cudaStream_t stream = p->slots[0].stream;
	const struct slot *slot = &p->slots[i % SLOT_COUNT];

	CHECK(cudaStreamWaitEvent(stream, events->is_mixed)); /* the chunk before has left in */
	CHECK(cudaMemcpyAsync(slot->in, pipeline_in(p, i), p->chunk_bytes, cudaMemcpyHostToDevice,
			      stream));
	CHECK(cudaEventRecord(events->is_in, stream));
}

static void compute(const struct pipeline *p, int i, const struct slot_events *events)
{
	cudaStream_t stream = p->slots[1].stream;
	const struct slot *slot = &p->slots[i % SLOT_COUNT];

	CHECK(cudaStreamWaitEvent(stream, events->is_in));
	CHECK(cudaStreamWaitEvent(stream, events->is_out)); /* the chunk before has left out */
	mix_elements<<<p->grid, p->block, 0, stream>>>(slot->out, slot->in, pipeline_elements(p),
						       p->rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(events->is_mixed, stream));
}

static void download(const struct pipeline *p, int i, const struct slot_events *events)
{
	cudaStream_t stream = p->slots[2].stream;
	const struct slot *slot = &p->slots[i % SLOT_COUNT];

	CHECK(cudaStreamWaitEvent(stream, events->is_mixed));
	CHECK(cudaMemcpyAsync(pipeline_out(p, i), slot->out, p->chunk_bytes, cudaMemcpyDeviceToHost,
			      stream));
	CHECK(cudaEventRecord(events->is_out, stream));
}

static void run(const struct pipeline *p, int chunk_count, const struct slot_events *events)
{
	for (int i = 0; i < chunk_count; i++) {
		upload(p, i, &events[i % SLOT_COUNT]);
		compute(p, i, &events[i % SLOT_COUNT]);
		download(p, i, &events[i % SLOT_COUNT]);
	}
	CHECK(cudaDeviceSynchronize());
}

int main(void)
{
	struct pipeline pipeline;
	struct slot_events events[SLOT_COUNT];

	pipeline_init(&pipeline, "overlapped", 176);
	pipeline_open(&pipeline, HOST_PINNED);
	for (struct slot_events &event : events) {
		CHECK(cudaEventCreateWithFlags(&event.is_in, cudaEventDisableTiming));
		CHECK(cudaEventCreateWithFlags(&event.is_mixed, cudaEventDisableTiming));
		CHECK(cudaEventCreateWithFlags(&event.is_out, cudaEventDisableTiming));
	}
	run(&pipeline, 1, events); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count, events);
	pipeline_stop(&pipeline);
	for (const struct slot_events &event : events) {
		CHECK(cudaEventDestroy(event.is_in));
		CHECK(cudaEventDestroy(event.is_mixed));
		CHECK(cudaEventDestroy(event.is_out));
	}
	pipeline_close(&pipeline);
	return 0;
}
