/*
 * Pitfall: an integrator goes through many orders, each a kernel of its own from one template. CUDA
 * loads a kernel when it is first launched: in the measured loop, where the GPU waits meanwhile.
 * Fix: load all of them before the loop; cudaFuncGetAttributes does that.
 */
#include "samples/pipeline.h"

#include <utility>

enum { ORDERS = 256, WARM_UP = 40, TERMS = 64, ELEMENTS = 1 << 17, BLOCK = 128 };

/* An integrator of this order; its terms are unrolled. */
template <int ORDER> static __global__ void integrate(uint32_t *state, uint32_t *error, int repeats)
{
	uint32_t index = blockIdx.x * blockDim.x + threadIdx.x, value = state[index];

#pragma unroll 1
	for (int i = 0; i < repeats; i++) {
#pragma unroll
		for (uint32_t term = 0; term < TERMS; term++) {
			value = value * (2 * term + 1664525u) + (ORDER * 77u + term * 1013904223u);
			value ^= value >> (term % 13 + 7);
		}
	}
	state[index] = value;
	if (!index)
		*error = value;
}

typedef void (*integrator)(uint32_t *state, uint32_t *error, int repeats);

template <int... ORDER> static const integrator *all_of(std::integer_sequence<int, ORDER...>)
{
	static const integrator all[] = {integrate<ORDER>...};

	return all;
}

/* A step with each order. The error, which the host reads, says how long the next goes on. */
static void run(struct pipeline *p, const integrator *integrators, int order_count)
{
	uint32_t *state = p->slots[0].in, *device_error = p->slots[0].out, *error = p->host_out;
	cudaStream_t stream = p->slots[0].stream;
	int repeats = 1;

	for (int i = 0; i < order_count; i++) {
		/* PITFALL: lazy-load */
		integrators[i]<<<ELEMENTS / BLOCK, BLOCK, 0, stream>>>(state, device_error,
								       3 + repeats);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpyAsync(error, device_error, sizeof(*error), cudaMemcpyDeviceToHost,
				      stream));
		CHECK(cudaStreamSynchronize(stream));
		repeats = *error % 4;
		p->host_result = p->host_result * 31 + *error;
	}
}

int main(int argc, char **argv)
{
	struct pipeline pipeline;
	const integrator *integrators = all_of(std::make_integer_sequence<int, ORDERS + 1>());

	pipeline_parse(&pipeline, "lazy_load", ORDERS, argc, argv);
	if (pipeline.chunk_count > ORDERS)
		pipeline.chunk_count = ORDERS;
	pipeline.chunk_bytes = ELEMENTS * sizeof(uint32_t);
	pipeline.host_rows = 1;
	pipeline_open(&pipeline, HOST_PINNED);
	CHECK(cudaMemset(pipeline.slots[0].in, 0, pipeline.chunk_bytes));
	for (int i = 1; pipeline.is_fixed && i <= ORDERS; i++) {
		cudaFuncAttributes attributes;

		CHECK(cudaFuncGetAttributes(&attributes, integrators[i]));
	}
	for (int i = 0; i < WARM_UP; i++)
		run(&pipeline, integrators, 1); /* loads the module, and the first kernel */
	pipeline_start(&pipeline);
	run(&pipeline, integrators + 1, pipeline.chunk_count);
	pipeline_stop(&pipeline);
	pipeline_close(&pipeline);
	return 0;
}
