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
