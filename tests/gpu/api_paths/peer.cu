/*
 * Two devices: a kernel on each, copies from one to the other by each of the calls for that. Prints
 * how many of each kind it made and a checksum; status 77 where there is one device only.
 */
#include <cuda_runtime.h>
#include <stdint.h>

#include "made.h"

enum { ROUNDS = 5, ELEMENTS = 1 << 16, BYTES = ELEMENTS * 4, DEVICES = 2 };

static cudaStream_t streams[DEVICES];
static uint32_t *data[DEVICES], *host;

static __global__ void add(uint32_t *words, uint32_t value)
{
	words[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

static void open_device(int device)
{
	int can_reach = 0;

	CHECK(cudaSetDevice(device));
	CHECK(cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking));
	DO(ALLOC, cudaMalloc((void **)&data[device], BYTES));
	CHECK(cudaDeviceCanAccessPeer(&can_reach, device, !device));
	if (can_reach)
		CHECK(cudaDeviceEnablePeerAccess(!device, 0));
}

static void launch_add(int device, uint32_t value)
{
	CHECK(cudaSetDevice(device));
	add<<<ELEMENTS / 256, 256, 0, streams[device]>>>(data[device], value);
	DO(LAUNCH, cudaGetLastError());
	made[MADE_DEVICE_KERNEL]++;
}

static void pass_to_and_fro(void)
{
	launch_add(0, 1);
	ENQUEUE(COPY, cudaMemcpyPeerAsync(data[1], 1, data[0], 0, BYTES, streams[0]));
	DO(WAIT, cudaStreamSynchronize(streams[0]));
	launch_add(1, 2);
	ENQUEUE(COPY, cudaMemcpyAsync(data[0], data[1], BYTES, cudaMemcpyDefault, streams[1]));
	DO(WAIT, cudaStreamSynchronize(streams[1]));
}

int main(void)
{
	uint32_t checksum = 0;
	int count = 0;

	CHECK(cudaGetDeviceCount(&count));
	if (count < DEVICES) {
		printf("skipped: one device\n");
		return 77;
	}
	for (int i = 0; i < DEVICES; i++)
		open_device(i);
	DO(ALLOC, cudaMallocHost((void **)&host, BYTES));
	CHECK(cudaSetDevice(0));
	ENQUEUE(SET, cudaMemsetAsync(data[0], 0, BYTES, streams[0]));
	for (int i = 0; i < ROUNDS; i++)
		pass_to_and_fro();
	CHECK(cudaSetDevice(0));
	ENQUEUE(COPY, cudaMemcpyAsync(host, data[0], BYTES, cudaMemcpyDeviceToHost, streams[0]));
	DO(WAIT, cudaStreamSynchronize(streams[0]));
	for (int i = 0; i < ELEMENTS; i++)
		checksum = checksum * 31 + host[i];
	DO(FREE, cudaFreeHost(host));
	for (int i = 0; i < DEVICES; i++)
		DO(FREE, cudaFree(data[i]));
	made_print();
	printf("checksum %08x\n", checksum);
	return 0;
}
