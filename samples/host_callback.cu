/*
 * Pitfall: the host checks the chunks of slot 0 in a host function, which stalls their stream: the
 * slot's next chunk does not start before the check is done, and the other slots run out of work.
 * Fix: the host does the same after the chunk's event, on a thread of its own (here the main one,
 * which has enqueued the next chunks before), while the stream goes on.
 */
#include "samples/pipeline.h"

/* The host memory has room for two chunks a slot: one is checked while one is written. */
enum { ROWS = 2, CHECK_LAG = ROWS * SLOT_COUNT - 1 };

/* What a check needs: one a row of the host memory. */
struct check {
	struct pipeline *pipeline;
	const uint32_t *chunk;
	cudaEvent_t is_written;
};

/* Three eighths of a chunk: about 8 ms, while four chunks keep the device busy for 11.6 ms. */
static void CUDART_CB check_chunk(void *data)
{
	const struct check *check = (const struct check *)data;
	size_t count = pipeline_elements(check->pipeline) / 8 * 3;

	check->pipeline->host_result += pipeline_checksum(check->chunk, count);
}

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

/* The check of chunk `i`, of slot 0: enqueued behind it, or by its event made known to the host. */
static void enqueue_check(const struct pipeline *p, struct check *check)
{
	cudaStream_t stream = p->slots[0].stream;

	if (p->is_fixed)
		CHECK(cudaEventRecord(check->is_written, stream));
	else
		/* PITFALL: host-callback */
		CHECK(cudaLaunchHostFunc(stream, check_chunk, check));
}

/* Chunk by chunk; the fixed twin checks a chunk just before its host memory is needed again. */
static void run(const struct pipeline *p, int chunk_count, struct check *checks)
{
	for (int i = 0; i < chunk_count + CHECK_LAG; i++) {
		int checked = i - CHECK_LAG;

		if (i < chunk_count)
			enqueue(p, i);
		if (i < chunk_count && i % SLOT_COUNT == 0)
			enqueue_check(p, &checks[i / SLOT_COUNT % ROWS]);
		if (p->is_fixed && checked >= 0 && checked % SLOT_COUNT == 0) {
			struct check *check = &checks[checked / SLOT_COUNT % ROWS];

			CHECK(cudaEventSynchronize(check->is_written));
			check_chunk(check);
		}
	}
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct check checks[ROWS];

	pipeline_parse(&pipeline, "host_callback", 192, argc, argv);
	pipeline.host_rows = ROWS;
	pipeline_open(&pipeline, HOST_PINNED);
	for (int row = 0; row < ROWS; row++) {
		checks[row].pipeline = &pipeline;
		checks[row].chunk = pipeline_out(&pipeline, row * SLOT_COUNT);
		CHECK(cudaEventCreateWithFlags(&checks[row].is_written, cudaEventDisableTiming));
	}
	run(&pipeline, 1, checks); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, pipeline.chunk_count, checks);
	pipeline_stop(&pipeline);
	for (struct check &check : checks)
		CHECK(cudaEventDestroy(check.is_written));
	pipeline_close(&pipeline);
	return 0;
}
