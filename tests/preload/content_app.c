/* The traced program of content_test.c: `content_app SCENARIO`. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { SMALL = 300, LARGE = 1 << 20 };

static uint8_t *device(size_t size)
{
	void *memory = NULL;

	cudaMalloc(&memory, size);
	return memory;
}

static uint8_t *pinned(size_t size, unsigned int flags)
{
	void *memory = NULL;

	cudaHostAlloc(&memory, size, flags);
	memset(memory, 1, size);
	return memory;
}

static uint8_t *heap(size_t size)
{
	uint8_t *memory = malloc(size);

	if (!memory)
		exit(2);
	memset(memory, 1, size);
	return memory;
}

static void send(void *to, const void *from, size_t size)
{
	cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, NULL);
}

/* Twice the same, another byte, the first again. */
static void scenario_small(void)
{
	uint8_t *from = heap(SMALL), *to = device(SMALL);

	send(to, from, SMALL);
	send(to, from, SMALL);
	from[SMALL - 1] = 2;
	send(to, from, SMALL);
	from[SMALL - 1] = 1;
	send(to, from, SMALL);
	free(from);
}

/* The lines begin at multiples of 16,643: the changed byte lies between two of them, the last in one. */
static void scenario_large(void)
{
	uint8_t *from = pinned(LARGE, 0), *to = device(LARGE);

	for (int i = 0; i < 3; i++)
		send(to, from, LARGE);
	from[1000] = 2;
	send(to, from, LARGE);
	send(to, from, LARGE);
	from[16643] = 2;
	send(to, from, LARGE);
	cudaFreeHost(from);
}

/* Always new, then the same: see content.c. */
static void scenario_fresh(void)
{
	uint8_t *from = pinned(LARGE, 0), *to = device(LARGE);

	for (int i = 0; i < 300; i++) {
		from[0] = (uint8_t)i;
		send(to, from, LARGE);
	}
	for (int i = 0; i < 100; i++)
		send(to, from, LARGE);
	cudaFreeHost(from);
}

/* More than a second's share of whole hashes. */
static void scenario_share(void)
{
	const size_t size = (size_t)32 << 20;
	uint8_t *from = pinned(size, 0), *to = device(size);

	for (int i = 0; i < 6; i++)
		send(to, from, size);
	cudaFreeHost(from);
}

/* Sent, fetched as it is, sent back; twice. */
static void scenario_back(void)
{
	uint8_t *host = heap(LARGE), *other = heap(LARGE), *on_device = device(LARGE);

	for (int i = 0; i < 3; i++) {
		memset(other, i, LARGE);
		send(on_device, other, LARGE);
		cudaMemcpy(host, on_device, LARGE, cudaMemcpyDeviceToHost);
		cudaMemcpy(on_device, host, LARGE, cudaMemcpyDefault);
	}
	free(other);
	free(host);
}

static void capture(void *to, const void *from)
{
	cudaStream_t stream;
	cudaGraph_t graph;

	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	cudaMemcpyAsync(to, from, SMALL, cudaMemcpyHostToDevice, stream);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(stream);
}

/* None of these is read. */
static void scenario_none(void)
{
	uint8_t *host = heap(SMALL), *to = device(SMALL), *from = device(SMALL);
	uint8_t *combined = pinned(SMALL, cudaHostAllocWriteCombined);
	void *managed = NULL;

	cudaMallocManaged(&managed, SMALL, cudaMemAttachGlobal);
	cudaMemcpyAsync(host, to, SMALL, cudaMemcpyDeviceToHost, NULL);
	cudaMemcpy(to, from, SMALL, cudaMemcpyDeviceToDevice);
	cudaMemcpy(to, from, SMALL, cudaMemcpyDefault);
	cudaMemcpy(to, managed, SMALL, cudaMemcpyDefault);
	cudaMemcpy(to, managed, SMALL, cudaMemcpyHostToDevice);
	cudaMemcpy(to, combined, SMALL, cudaMemcpyHostToDevice);
	cudaMemcpy(to, host, 0, cudaMemcpyHostToDevice);
	cudaMemcpy(to, host, 255, cudaMemcpyHostToDevice);
	cudaMemcpy(to, (void *)1, SMALL + 1, cudaMemcpyHostToDevice);
	cudaMemcpy(NULL, (void *)1, SMALL, cudaMemcpyHostToDevice);
	cudaMemcpy2DAsync(to, 16, host, 16, 8, 8, cudaMemcpyHostToDevice, NULL);
	cudaMemcpy(host, host + 100, 100, cudaMemcpyHostToHost);
	cudaMemcpy(host, host + 100, 100, cudaMemcpyDefault);
	capture(to, host);
	free(host);
}

/* What was pageable is the device's after the heap gave it back. */
static void scenario_places(void)
{
	uint8_t *to = device(SMALL), *from = pinned(SMALL, 0);

	send(to, from, SMALL);
	cudaFreeHost(from);
	from = device(SMALL);
	cudaMemcpyAsync(to, from, SMALL, cudaMemcpyDefault, NULL);
}

int main(int argc, char **argv)
{
	static const struct scenario scenarios[] = {
		{"small", scenario_small},   {"large", scenario_large},
		{"fresh", scenario_fresh},   {"share", scenario_share},
		{"back", scenario_back},     {"none", scenario_none},
		{"places", scenario_places}, {NULL, NULL},
	};

	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
