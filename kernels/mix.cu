#include "kernels/mix.h"

/* The shift keeps the compiler from folding several rounds into one multiplication. */
static __device__ uint32_t mix(uint32_t value, int rounds)
{
	for (int round = 0; round < rounds; round++) {
		value = value * 1664525u + 1013904223u;
		value ^= value >> 15;
	}
	return value;
}

__global__ void mix_elements(uint32_t *out, const uint32_t *in, size_t count, int rounds)
{
	size_t stride = (size_t)gridDim.x * blockDim.x;

	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		out[i] = mix(in[i], rounds);
}

__global__ void mix_count(uint32_t *total, uint32_t count, int rounds, uint32_t limit)
{
	__shared__ uint32_t block_total;
	uint32_t stride = gridDim.x * blockDim.x, own_total = 0;

	if (threadIdx.x == 0)
		block_total = 0;
	__syncthreads();
	for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
		own_total += mix(i, rounds) <= limit;
	atomicAdd(&block_total, own_total);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(total, block_total);
}
