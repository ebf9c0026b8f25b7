/*
 * Pitfall: the host checks the first chunk of each row (one chunk a slot), and waits for it with
 * cudaDeviceSynchronize, which also waits for the other three: the device then stands still until
 * the host has enqueued the next row.
 * Fix: wait for the event behind the chunk that is read. The other slots go on meanwhile.
 */
#include "samples/pipeline.h"

/* Words of a chunk that the host checks: 0.3 ms. */
static const size_t checked_words = 200000;

static void enqueue(const struct pipeline *p, int i)
{
	const struct slot *slot = &p->slots[i % SLOT_COUNT];
	size_t bytes = p->chunk_bytes;

	CHECK(cudaMemcpyAsync(slot->in, pipeline_in(p, i), bytes, cudaMemcpyHostToDevice,
			      slot->stream));
	mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in,
							     pipeline_elements(p), p->rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(pipeline_out(p, i), slot->out, bytes, cudaMemcpyDeviceToHost,
			      slot->stream));
}

/* Row by row; the next row is enqueued when the first chunk of this one has been checked. */
static void run(struct pipeline *p, int chunk_count, cudaEvent_t first_is_done)
{
	size_t count = pipeline_elements(p);
	size_t checked_count = count < checked_words ? count : checked_words;

	for (int i = 0; i < chunk_count; i++) {
		enqueue(p, i);
		if (i % SLOT_COUNT == 0)
			CHECK(cudaEventRecord(first_is_done, p->slots[0].stream));
		if (i % SLOT_COUNT != SLOT_COUNT - 1)
			continue;
		if (p->is_fixed)
			CHECK(cudaEventSynchronize(first_is_done));
		else
			/* PITFALL: wide-sync */
			CHECK(cudaDeviceSynchronize());
		p->host_result +=
			pipeline_checksum(pipeline_out(p, i - SLOT_COUNT + 1), checked_count);
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	cudaEvent_t first_is_done;

	pipeline_parse(&pipeline, "wide_sync", 192, argc, argv);
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaEventCreateWithFlags(&first_is_done, cudaEventDisableTiming));
	run(&pipeline, 1, first_is_done); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count, first_is_done);
	pipeline_stop(&pipeline);
	CHECK(cudaEventDestroy(first_is_done));
	pipeline_close(&pipeline);
	return 0;
}
