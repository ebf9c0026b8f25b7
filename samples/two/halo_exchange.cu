/*
 * Pitfall: two GPUs have half a field each, and exchange their borders after each iteration. Peer
 * access was never enabled, so that cudaMemcpyPeerAsync goes through host memory.
 * Fix: cudaDeviceEnablePeerAccess on both, once.
 * On a machine where two GPUs cannot reach each other it says so and does nothing.
 */
#include "samples/pipeline.h"

#include <stdio.h>
#include <string.h>

/* 64 MiB take an H100 2.1 us a round. */
enum {
	GPUS = 2,
	HALF_WORDS = 1 << 24,
	HALO_WORDS = 1 << 22,
	HALF_ROUNDS = 300,
	RESULT_WORDS = 1024
};

struct half {
	cudaStream_t stream;
	cudaEvent_t computed, sent;
	uint32_t *field, *halo; /* its own words, and the border of the other half */
};

static bool have_peers(void)
{
	int count, can[GPUS];

	CHECK(cudaGetDeviceCount(&count));
	if (count < GPUS)
		return false;
	for (int i = 0; i < GPUS; i++)
		CHECK(cudaDeviceCanAccessPeer(&can[i], i, 1 - i));
	return can[0] && can[1];
}

static void open_halves(struct half *halves, const struct pipeline *p)
{
	for (int i = 0; i < GPUS; i++) {
		struct half *half = &halves[i];

		CHECK(cudaSetDevice(i));
		if (p->is_fixed)
			CHECK(cudaDeviceEnablePeerAccess(1 - i, 0));
		CHECK(cudaStreamCreateWithFlags(&half->stream, cudaStreamNonBlocking));
		CHECK(cudaEventCreateWithFlags(&half->computed, cudaEventDisableTiming));
		CHECK(cudaEventCreateWithFlags(&half->sent, cudaEventDisableTiming));
		CHECK(cudaMalloc(&half->field, HALF_WORDS * sizeof(uint32_t)));
		CHECK(cudaMalloc(&half->halo, HALO_WORDS * sizeof(uint32_t)));
		CHECK(cudaMemset(half->field, i + 1, HALF_WORDS * sizeof(uint32_t)));
		CHECK(cudaMemset(half->halo, 0, HALO_WORDS * sizeof(uint32_t)));
		CHECK(cudaDeviceSynchronize());
	}
}

static void close_halves(struct half *halves)
{
	for (int i = 0; i < GPUS; i++) {
		CHECK(cudaSetDevice(i));
		CHECK(cudaFree(halves[i].halo));
		CHECK(cudaFree(halves[i].field));
		CHECK(cudaEventDestroy(halves[i].sent));
		CHECK(cudaEventDestroy(halves[i].computed));
		CHECK(cudaStreamDestroy(halves[i].stream));
	}
	CHECK(cudaSetDevice(0));
}

static __global__ void add_halo(uint32_t *field, const uint32_t *halo, size_t count)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	if (i < count)
		field[i] += halo[i];
}

/* Enqueues an iteration of one half. */
static void compute(const struct pipeline *p, const struct half *half)
{
	dim3 grid(HALF_WORDS / p->block.x), halo_grid(HALO_WORDS / p->block.x);

	add_halo<<<halo_grid, p->block, 0, half->stream>>>(half->field, half->halo, HALO_WORDS);
	CHECK(cudaGetLastError());
	mix_elements<<<grid, p->block, 0, half->stream>>>(half->field, half->field, HALF_WORDS,
							  HALF_ROUNDS);
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(half->computed, half->stream));
}

/* The border of a half goes to the other one once that has used the one before. */
static void send(const struct half *halves, int from)
{
	const struct half *half = &halves[from], *other = &halves[1 - from];

	CHECK(cudaStreamWaitEvent(half->stream, other->computed, 0));
	/* PITFALL: peer-staged */
	CHECK(cudaMemcpyPeerAsync(other->halo, 1 - from, half->field, from,
				  HALO_WORDS * sizeof(uint32_t), half->stream));
	CHECK(cudaEventRecord(half->sent, half->stream));
}

static void run(struct pipeline *p, struct half *halves, int iteration_count)
{
	for (int i = 0; i < iteration_count; i++) {
		for (int k = 0; k < GPUS; k++) {
			CHECK(cudaSetDevice(k));
			CHECK(cudaStreamWaitEvent(halves[k].stream, halves[1 - k].sent, 0));
			compute(p, &halves[k]);
		}
		for (int k = 0; k < GPUS; k++) {
			CHECK(cudaSetDevice(k));
			send(halves, k);
		}
	}
	for (int k = 0; k < GPUS; k++) {
		CHECK(cudaSetDevice(k));
		CHECK(cudaMemcpyAsync(pipeline_out(p, k), halves[k].field,
				      RESULT_WORDS * sizeof(uint32_t), cudaMemcpyDeviceToHost,
				      halves[k].stream));
		CHECK(cudaStreamSynchronize(halves[k].stream));
	}
	CHECK(cudaSetDevice(0));
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct half halves[GPUS];

	pipeline_parse(&pipeline, "halo_exchange", 50, argc, argv);
	if (!have_peers()) {
		printf("skipped: this needs two GPUs that can reach each other's memory\n");
		return 0;
	}
	pipeline.chunk_bytes = 1 << 20;
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	open_halves(halves, &pipeline);
	/* Warms up: loads the module, and the driver sets up what staged copies go through. */
	run(&pipeline, halves, 6);
	pipeline_start(&pipeline);
	run(&pipeline, halves, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	close_halves(halves);
	pipeline_close(&pipeline);
	return 0;
}
