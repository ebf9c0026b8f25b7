/*
 * Pitfall: 24 small networks run in 24 streams, a chain of small layers each: all would fit on the
 * device at once. But a context has 8 hardware queues by default, so that three streams share one:
 * the second stream's chain begins when the last layer of the first one's has started.
 * Fix: 32 queues, with CUDA_DEVICE_MAX_CONNECTIONS=32 in the environment before the first CUDA call.
 */
#include "samples/pipeline.h"

#include <stdlib.h>

enum {
	NETWORK_COUNT = 24,
	LAYER_COUNT = 5,
	BLOCK_COUNT = 2, /* of an H200's 132 multiprocessors, two kernels each take two */
	UNIT_COUNT = BLOCK_COUNT * 256,
	LAYER_ROUNDS = 100000 /* 0.75 ms, however many run beside each other */
};

struct network {
	cudaStream_t stream;
	uint32_t *units;
};

/* One batch through so many networks, one after the other. */
static void run_batch(const struct network *networks, int network_count, const uint32_t *in,
		      uint32_t *out)
{
	for (int i = 0; i < network_count; i++) {
		const struct network *network = &networks[i];
		size_t bytes = UNIT_COUNT * sizeof(*network->units);

		/* PITFALL: queue-alias */
		CHECK(cudaMemcpyAsync(network->units, in, bytes, cudaMemcpyHostToDevice,
				      network->stream));
		for (int layer = 0; layer < LAYER_COUNT; layer++) {
			mix_elements<<<BLOCK_COUNT, 256, 0, network->stream>>>(
				network->units, network->units, UNIT_COUNT, LAYER_ROUNDS);
			CHECK(cudaGetLastError());
		}
		CHECK(cudaMemcpyAsync(out + i * UNIT_COUNT, network->units, bytes,
				      cudaMemcpyDeviceToHost, network->stream));
	}
	CHECK(cudaDeviceSynchronize());
}

/* What the networks say of a batch makes the next one. */
static void run(struct pipeline *p, const struct network *networks, int batch_count)
{
	for (int i = 0; i < batch_count; i++) {
		run_batch(networks, NETWORK_COUNT, p->host_in, p->host_out);
		p->host_result +=
			pipeline_checksum(p->host_out, (size_t)NETWORK_COUNT * UNIT_COUNT);
		p->host_in[0] = (uint32_t)p->host_result;
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	struct network networks[NETWORK_COUNT];

	pipeline_parse(&pipeline, "queue_alias", 5, argc, argv);
	if (pipeline.is_fixed)
		setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
	pipeline.chunk_bytes = NETWORK_COUNT / SLOT_COUNT * UNIT_COUNT * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	for (struct network &network : networks) {
		CHECK(cudaStreamCreateWithFlags(&network.stream, cudaStreamNonBlocking));
		CHECK(cudaMalloc(&network.units, UNIT_COUNT * sizeof(*network.units)));
	}
	run_batch(networks, 1, pipeline.host_in,
		  pipeline.host_out); /* warms up: loads the module */
	pipeline_start(&pipeline);
	run(&pipeline, networks, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	for (struct network &network : networks) {
		CHECK(cudaFree(network.units));
		CHECK(cudaStreamDestroy(network.stream));
	}
	pipeline_close(&pipeline);
	return 0;
}
