/*
 * Dynamic parallelism: kernels that launch kernels. The host's launches are counted; the device's
 * own are no call of the program, their effect is in the checksum.
 */
#include <cuda_runtime.h>
#include <stdint.h>

#include "made.h"

enum { ROUNDS = 5, ELEMENTS = 1 << 14, BYTES = ELEMENTS * 4 };

static __global__ void child(uint32_t *data, uint32_t value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

static __global__ void parent(uint32_t *data, uint32_t value)
{
	child<<<ELEMENTS / 256, 256>>>(data, value);
}

int main(void)
{
	uint32_t *device, *host, checksum = 0;
	cudaStream_t stream;

	CHECK(cudaStreamCreate(&stream));
	DO(ALLOC, cudaMalloc((void **)&device, BYTES));
	DO(ALLOC, cudaMallocHost((void **)&host, BYTES));
	ENQUEUE(SET, cudaMemsetAsync(device, 0, BYTES, stream));
	for (int i = 0; i < ROUNDS; i++) {
		parent<<<1, 1, 0, stream>>>(device, (uint32_t)i + 1);
		DO(LAUNCH, cudaGetLastError());
		made[MADE_DEVICE_KERNEL]++;
	}
	ENQUEUE(COPY, cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, stream));
	DO(WAIT, cudaStreamSynchronize(stream));
	for (int i = 0; i < ELEMENTS; i++)
		checksum = checksum * 31 + host[i];
	DO(FREE, cudaFree(device));
	DO(FREE, cudaFreeHost(host));
	made_print();
	printf("checksum %08x\n", checksum);
	return 0;
}
