/*
 * What first_use.sh watches: copies to the host of every kind of memory, and what the host does
 * with them then. Each step says on stdout `step NAME KINDS`: how the watches of its copies are to
 * end (kinds of first_uses in schema.sql). `first_use cost` prints instead what a copy, a wait and
 * a read take: us.
 */
#include <cuda_runtime.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 8 << 20, ROUNDS = 2000 };

static unsigned char *device, *pinned;
static cudaStream_t stream;

static __global__ void nothing(void)
{
}

static void check(cudaError_t error)
{
	if (!error)
		return;
	fprintf(stderr, "first_use: %s\n", cudaGetErrorString(error));
	exit(1);
}

static void verify(const unsigned char *memory, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (memory[i] != 7) {
			fprintf(stderr, "first_use: wrong data at %zu\n", i);
			exit(1);
		}
}

static void copy_back(void *host, size_t bytes)
{
	check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
	check(cudaStreamSynchronize(stream));
}

static void steps_pinned(void)
{
	int file = open("/dev/null", O_WRONLY);
	cudaEvent_t event;

	puts("step soon 1");
	copy_back(pinned, BYTES);
	verify(pinned, BYTES);
	puts("step late 1");
	copy_back(pinned, BYTES);
	usleep(20000);
	verify(pinned, BYTES);
	puts("step overwritten 4 1");
	copy_back(pinned, BYTES);
	copy_back(pinned, BYTES);
	verify(pinned, BYTES);
	puts("step written 2");
	copy_back(pinned, BYTES);
	memset(pinned, 0, BYTES);
	puts("step system-call 3");
	copy_back(pinned, BYTES);
	if (write(file, pinned, BYTES) != BYTES)
		exit(1);
	puts("step cuda 4");
	copy_back(pinned, BYTES);
	check(cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream));
	check(cudaStreamSynchronize(stream));
	puts("step launch 1");
	copy_back(pinned, BYTES);
	nothing<<<1, 1, 0, stream>>>();
	check(cudaDeviceSynchronize());
	verify(pinned, BYTES);
	puts("step event 1");
	check(cudaEventCreate(&event));
	check(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream));
	check(cudaEventRecord(event, stream));
	check(cudaEventSynchronize(event));
	verify(pinned, BYTES);
	puts("step blocking 1");
	check(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost));
	verify(pinned, BYTES);
	puts("step default-kind 1");
	check(cudaMemcpy(pinned, device, BYTES, cudaMemcpyDefault));
	verify(pinned, BYTES);
	close(file);
}

static void steps_heap(void)
{
	unsigned char *block = (unsigned char *)malloc(BYTES), *mapped;

	puts("step heap 1");
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	verify(block, BYTES);
	puts("step heap-async 1");
	check(cudaMemcpyAsync(block, device, BYTES, cudaMemcpyDeviceToHost, stream));
	verify(block, BYTES);
	puts("step registered 1");
	check(cudaHostRegister(block, BYTES, 0));
	copy_back(block, BYTES);
	verify(block, BYTES);
	check(cudaHostUnregister(block));
	puts("step heap-again 4 1");
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	verify(block, BYTES);
	puts("step heap-to-device 4");
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	check(cudaMemcpy(device, block, BYTES, cudaMemcpyHostToDevice));
	puts("step heap-launch 1|6");
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	nothing<<<1, 1, 0, stream>>>();
	check(cudaDeviceSynchronize());
	verify(block, BYTES);
	puts("step freed 5");
	check(cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost));
	free(block);
	mapped = (unsigned char *)mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	puts("step mapped 1");
	check(cudaMemcpy(mapped, device, BYTES, cudaMemcpyDeviceToHost));
	verify(mapped, BYTES);
	munmap(mapped, BYTES);
}

static void steps_others(void)
{
	unsigned char *managed, *host, stack[64 << 10];
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	puts("step managed ");
	check(cudaMallocManaged((void **)&managed, BYTES));
	copy_back(managed, BYTES);
	verify(managed, BYTES);
	puts("step stack ");
	check(cudaMemcpy(stack, device, sizeof(stack), cudaMemcpyDeviceToHost));
	verify(stack, sizeof(stack));
	puts("step graph 6");
	check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	check(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream));
	check(cudaStreamEndCapture(stream, &graph));
	check(cudaGraphInstantiate(&exec, graph, 0));
	copy_back(pinned, BYTES);
	check(cudaGraphLaunch(exec, stream));
	check(cudaStreamSynchronize(stream));
	verify(pinned, BYTES);
	puts("step free-host 5");
	check(cudaMallocHost((void **)&host, BYTES));
	copy_back(host, BYTES);
	check(cudaFreeHost(host));
	puts("step never 0");
	copy_back(pinned, BYTES);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void measure(const char *name, unsigned char *host, size_t bytes)
{
	double begin_us = now_us();
	unsigned sum = 0;

	for (int i = 0; i < ROUNDS; i++) {
		check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
		check(cudaStreamSynchronize(stream));
		sum += host[bytes / 2];
	}
	printf("%s %.2f%s\n", name, (now_us() - begin_us) / ROUNDS, sum ? "" : " (wrong)");
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	check(cudaMalloc((void **)&device, BYTES));
	check(cudaMallocHost((void **)&pinned, BYTES));
	check(cudaMemset(device, 7, BYTES));
	check(cudaDeviceSynchronize());
	if (argc > 1 && !strcmp(argv[1], "cost")) {
		measure("pinned-64K", pinned, 64 << 10);
		measure("pinned-8M", pinned, BYTES);
		measure("heap-64K", (unsigned char *)malloc(BYTES), 64 << 10);
		return 0;
	}
	steps_pinned();
	check(cudaMemset(device, 7, BYTES));
	steps_heap();
	steps_others();
	return 0;
}
