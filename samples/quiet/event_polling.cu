/*
 * Nothing to find: between two looks at an event the host makes a part of the next chunk, so that it
 * neither waits nor reacts late. When a chunk is done it sends the next one, which is ready.
 */
#include "samples/pipeline.h"

/* A chunk of 4 MiB takes the host 2 ms in 64 parts, and an H100 3 ms: 132 ns a round. */
enum { CHUNK_BYTES = 4 << 20, CHUNK_ROUNDS = 23000, PARTS = 64 };

static void make_part(uint32_t *words, size_t count, int chunk, int part)
{
	size_t from = count / PARTS * part, end = count / PARTS * (part + 1);
	uint64_t state = (uint64_t)chunk * PARTS + part + 1;

	for (size_t i = from; i < end; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		state ^= state >> 29;
		words[i] = (uint32_t)(state >> 32);
	}
}

static void enqueue(const struct pipeline *p, int chunk, cudaEvent_t is_done)
{
	const struct slot *slot = &p->slots[chunk % SLOT_COUNT];

	CHECK(cudaMemcpyAsync(slot->in, pipeline_in(p, chunk), p->chunk_bytes,
			      cudaMemcpyHostToDevice, slot->stream));
	mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in,
							     pipeline_elements(p), p->rounds);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(pipeline_out(p, chunk), slot->out, p->chunk_bytes,
			      cudaMemcpyDeviceToHost, slot->stream));
	CHECK(cudaEventRecord(is_done, slot->stream));
}

static bool is_pending(cudaEvent_t event)
{
	cudaError_t error = cudaEventQuery(event);

	if (error != cudaErrorNotReady)
		CHECK(error);
	return error == cudaErrorNotReady;
}

/* Two chunks are under way, so that the GPU has work while the host looks. */
static void run(const struct pipeline *p, int chunk_count, const cudaEvent_t *is_done)
{
	for (int i = 0; i < chunk_count; i++) {
		for (int part = 0; part < PARTS; part++) {
			make_part(pipeline_in(p, i), pipeline_elements(p), i, part);
			if (i >= 2)
				is_pending(is_done[(i - 2) % SLOT_COUNT]);
		}
		if (i >= 2)
			CHECK(cudaEventSynchronize(is_done[(i - 2) % SLOT_COUNT]));
		enqueue(p, i, is_done[i % SLOT_COUNT]);
	}
	CHECK(cudaDeviceSynchronize());
}

int main(void)
{
	struct pipeline pipeline;
	cudaEvent_t is_done[SLOT_COUNT];

	pipeline_init(&pipeline, "event_polling", 100);
	pipeline.chunk_bytes = CHUNK_BYTES;
	pipeline.host_rows = 1;
	pipeline.rounds = CHUNK_ROUNDS;
	pipeline_open(&pipeline, HOST_PINNED);
	for (cudaEvent_t &event : is_done)
		CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	run(&pipeline, 1, is_done); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count, is_done);
	pipeline_stop(&pipeline);
	for (cudaEvent_t event : is_done)
		CHECK(cudaEventDestroy(event));
	pipeline_close(&pipeline);
	return 0;
}
