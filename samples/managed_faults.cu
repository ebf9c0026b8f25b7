/*
 * Pitfall: a solver keeps its field in managed memory, and the host reads and sets a part of it in
 * each iteration. The pages come to the host by its page faults, and go back by those of the next
 * kernel, which stalls for them.
 * Fix: cudaMemPrefetchAsync to the host behind the kernel, and to the device before the next one.
 */
#include "samples/pipeline.h"

/* 64 MiB take an H100 2.1 us a round. The host uses a word of every 256 bytes of its part. */
enum { FIELD_WORDS = 1 << 24, FIELD_ROUNDS = 400, PART_WORDS = 1 << 20, STRIDE = 64 };

/* Brings the part to the host, or to the device. */
static void prefetch(const uint32_t *part, enum cudaMemLocationType type, cudaStream_t stream)
{
	struct cudaMemLocation location = {};

	location.type = type;
	CHECK(cudaMemPrefetchAsync(part, PART_WORDS * sizeof(*part), location, 0, stream));
}

/* What the host does with its part in an iteration: it takes the sum, and sets what comes in. */
static uint64_t exchange(uint32_t *part, uint32_t inflow)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < PART_WORDS; i += STRIDE) {
		sum = sum * 31 + part[i];
		part[i] = inflow + (uint32_t)i;
	}
	return sum;
}

static void run(struct pipeline *p, uint32_t *field, int iteration_count)
{
	dim3 grid(FIELD_WORDS / p->block.x);
	cudaStream_t stream = p->slots[0].stream;

	for (int i = 0; i < iteration_count; i++) {
		uint32_t *part = field + (size_t)(i % 4) * PART_WORDS;

		/* PITFALL: managed-fault */
		mix_elements<<<grid, p->block, 0, stream>>>(field, field, FIELD_WORDS,
							    FIELD_ROUNDS);
		CHECK(cudaGetLastError());
		if (p->is_fixed)
			prefetch(part, cudaMemLocationTypeHost, stream);
		CHECK(cudaStreamSynchronize(stream));
		p->host_result += exchange(part, (uint32_t)p->host_result);
		if (p->is_fixed)
			prefetch(part, cudaMemLocationTypeDevice, stream);
	}
	CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	uint32_t *field;

	pipeline_parse(&pipeline, "managed_faults", 15, argc, argv);
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMallocManaged(&field, FIELD_WORDS * sizeof(*field)));
	for (size_t i = 0; i < FIELD_WORDS; i++)
		field[i] = (uint32_t)i;
	run(&pipeline, field, 1); /* warms up: loads the module, brings the field to the device */
	pipeline_start(&pipeline);
	run(&pipeline, field, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	CHECK(cudaFree(field));
	pipeline_close(&pipeline);
	return 0;
}
