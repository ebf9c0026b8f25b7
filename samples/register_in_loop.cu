/*
 * Pitfall: messages arrive in four buffers of 4 MiB, which are ordinary memory. For each message its
 * buffer is pinned, copied and unpinned again. Nothing waits in these calls, for nothing is pending;
 * they take long by themselves.
 * Fix: the buffers are pinned once, before the first message.
 */
#include "samples/pipeline.h"

enum { MESSAGE_BYTES = 4 << 20, MESSAGE_ROUNDS = 400, MESSAGE_COUNT = 160, RESULT_PART = 64 };

static void pin(uint32_t *buffer, size_t bytes)
{
	/* PITFALL: alloc-in-loop */
	CHECK(cudaHostRegister(buffer, bytes, cudaHostRegisterDefault));
}

static void unpin(uint32_t *buffer)
{
	CHECK(cudaHostUnregister(buffer));
}

static void handle_message(const struct pipeline *p, uint32_t *message, uint32_t *result)
{
	const struct slot *slot = &p->slots[0];
	size_t count = pipeline_elements(p);

	if (!p->is_fixed)
		pin(message, p->chunk_bytes);
	CHECK(cudaMemcpyAsync(slot->in, message, p->chunk_bytes, cudaMemcpyHostToDevice,
			      slot->stream));
	mix_elements<<<p->grid, p->block, 0, slot->stream>>>(slot->out, slot->in, count,
							     MESSAGE_ROUNDS);
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpyAsync(result, slot->out, p->chunk_bytes / RESULT_PART,
			      cudaMemcpyDeviceToHost, slot->stream));
	CHECK(cudaStreamSynchronize(slot->stream));
	if (!p->is_fixed)
		unpin(message);
}

/* Each result is the head of the next message. */
static void run(struct pipeline *p, uint32_t *result, int message_count)
{
	size_t result_count = pipeline_elements(p) / RESULT_PART;

	for (int i = 0; i < message_count; i++) {
		handle_message(p, pipeline_in(p, i), result);
		p->host_result = p->host_result * 31 + pipeline_checksum(result, result_count);
		pipeline_in(p, i + 1)[0] = (uint32_t)p->host_result;
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	uint32_t *result;

	pipeline_parse(&pipeline, "register_in_loop", MESSAGE_COUNT, argc, argv);
	pipeline.chunk_bytes = MESSAGE_BYTES;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PAGEABLE);
	CHECK(cudaMallocHost(&result, MESSAGE_BYTES / RESULT_PART));
	if (pipeline.is_fixed)
		for (int i = 0; i < SLOT_COUNT; i++)
			pin(pipeline_in(&pipeline, i), pipeline.chunk_bytes);
	run(&pipeline, result, SLOT_COUNT); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, result, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	if (pipeline.is_fixed)
		for (int i = 0; i < SLOT_COUNT; i++)
			unpin(pipeline_in(&pipeline, i));
	CHECK(cudaFreeHost(result));
	pipeline_close(&pipeline);
	return 0;
}
