/*
 * Pitfall: a function that returns its result in memory of its own. malloc() gives new pages each
 * time, so that the copy to them waits for page faults besides being staged; free() gives them back.
 * Fix: one result buffer, pinned and kept.
 */
#include "samples/pipeline.h"

#include <stdio.h>
#include <stdlib.h>

/* malloc() asks the system for each block of more than 32 MiB. A round takes an H100 1.3 us. */
enum { RESULT_BYTES = 40 << 20, RESULT_ROUNDS = 1500 };

static uint32_t *new_result(size_t bytes)
{
	uint32_t *result = (uint32_t *)malloc(bytes);

	if (!result) {
		fprintf(stderr, "fresh_result: no memory for %zu bytes\n", bytes);
		exit(1);
	}
	return result;
}

/* Returns kept with the result, or new memory, which is the caller's. */
static uint32_t *solve(const struct pipeline *p, const uint32_t *problem, uint32_t *kept)
{
	const struct slot *slot = &p->slots[0];
	uint32_t *result = kept ? kept : new_result(p->chunk_bytes);

	CHECK(cudaMemcpyAsync(slot->in, problem, p->chunk_bytes, cudaMemcpyHostToDevice,
			      slot->stream));
	mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in,
							     pipeline_elements(p), RESULT_ROUNDS);
	CHECK(cudaGetLastError());
	/* PITFALL: pageable-copy */
	CHECK(cudaMemcpyAsync(result, slot->out, p->chunk_bytes, cudaMemcpyDeviceToHost,
			      slot->stream));
	CHECK(cudaStreamSynchronize(slot->stream));
	return result;
}

static uint64_t sum_of(const uint32_t *words, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += words[i];
	return sum;
}

/* Each result decides which problem is next. */
static void run(struct pipeline *p, uint32_t *kept, int problem_count)
{
	int problem = 0;

	for (int i = 0; i < problem_count; i++) {
		uint32_t *result = solve(p, pipeline_in(p, problem), kept);
		uint64_t sum = sum_of(result, pipeline_elements(p));

		p->host_result = p->host_result * 31 + sum;
		problem = (int)(p->host_result % SLOT_COUNT);
		if (result != kept)
			free(result);
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	uint32_t *kept = NULL;

	pipeline_parse(&pipeline, "fresh_result", 40, argc, argv);
	pipeline.chunk_bytes = RESULT_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	if (pipeline.is_fixed)
		CHECK(cudaMallocHost(&kept, pipeline.chunk_bytes));
	run(&pipeline, kept, 1); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, kept, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	CHECK(cudaFreeHost(kept));
	pipeline_close(&pipeline);
	return 0;
}
