/* The traced program of content_test.c: `content_app SCENARIO`. */
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* As long as what whole hashes of 2 MB take is within their share, however slow the machine is. */
static void wait_for_share(void)
{
	usleep(80000);
}

/* The lines begin at multiples of 16,643: the changed byte lies between two of them, the last in one. */
static void scenario_large(void)
{
	uint8_t *from = pinned(LARGE, 0), *to = device(LARGE);

	for (int i = 0; i < 12; i++) {
		if (i == 4)
			from[1000] = 2;
		if (i == 8)
			from[16643] = 2;
		wait_for_share();
		send(to, from, LARGE);
	}
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
	wait_for_share();
	for (int i = 0; i < 100; i++)
		send(to, from, LARGE);
	cudaFreeHost(from);
}

/* What takes more than all that can be saved up, which is never hashed whole. */
static void scenario_share(void)
{
	const size_t size = (size_t)130 << 20;
	uint8_t *from = pinned(size, 0), *to = device(size);

	usleep(700000);
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
		wait_for_share();
		send(on_device, other, LARGE);
		cudaMemcpy(host, on_device, LARGE, cudaMemcpyDeviceToHost);
		cudaMemcpy(on_device, host, LARGE, cudaMemcpyDefault);
	}
	free(other);
	free(host);
}

enum between { STREAM, DEVICE, CHANGE, EVENT, QUERY, OTHER_STREAM, COPY, FREED, BETWEEN_COUNT };

/* What tells the host that the copy to it is done, or not, and what it does then. */
static void pass_between(enum between between, cudaStream_t stream, uint8_t *host)
{
	cudaStream_t other;
	cudaEvent_t event;

	cudaStreamCreate(&other);
	cudaEventCreate(&event);
	cudaEventRecord(event, stream);
	if (between == EVENT)
		cudaEventSynchronize(event);
	if (between == OTHER_STREAM)
		cudaStreamSynchronize(other);
	if (between == COPY)
		cudaMemcpy(device(SMALL), host + SMALL, SMALL, cudaMemcpyHostToDevice);
	if (between == FREED)
		cudaFreeHost(pinned(SMALL, 0));
	while (between == QUERY && cudaStreamQuery(stream) == cudaErrorNotReady)
		;
	if (between == DEVICE)
		cudaDeviceSynchronize();
	else
		cudaStreamSynchronize(stream);
	if (between == CHANGE)
		host[0]++;
	cudaEventDestroy(event);
	cudaStreamDestroy(other);
}

/* Fetched and sent back without a call that waits for the copy itself: to pinned memory, and to pageable. */
static void scenario_awaited(void)
{
	uint8_t *host = pinned(2 * SMALL, 0), *pageable = heap(SMALL);
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	for (int i = 0; i <= BETWEEN_COUNT; i++) {
		uint8_t *to = i < BETWEEN_COUNT ? host : pageable, *on_device = device(SMALL);

		cudaMemset(on_device, i, SMALL);
		cudaMemcpyAsync(to, on_device, SMALL, cudaMemcpyDeviceToHost, stream);
		pass_between(i < BETWEEN_COUNT ? (enum between)i : STREAM, stream, host);
		cudaMemcpyAsync(on_device, to, SMALL, cudaMemcpyHostToDevice, stream);
	}
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFreeHost(host);
	free(pageable);
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
	cudaMemcpyAsync(combined, to, SMALL, cudaMemcpyDeviceToHost, NULL);
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

/* A copy to memory that is no longer pinned is done when its call returns: the memory may go then. */
static void scenario_no_longer_pinned(void)
{
	uint8_t *from = device(LARGE);
	void *to = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cudaHostRegister(to, LARGE, 0);
	cudaMemcpyAsync(to, from, LARGE, cudaMemcpyDeviceToHost, NULL);
	cudaStreamSynchronize(NULL);
	cudaHostUnregister(to);
	cudaMemcpyAsync(to, from, LARGE, cudaMemcpyDeviceToHost, NULL);
	munmap(to, LARGE);
	cudaStreamSynchronize(NULL);
}

static void *end_context(void *cbid)
{
	fake_cuda_end_context((CUpti_CallbackId)(uintptr_t)cbid);
	return NULL;
}

/* Another thread ends the context, by each of the calls that do, and the pinned memory goes with it. */
static void scenario_context_ends(void)
{
	static const CUpti_CallbackId calls[] = {
		CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy,
		CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2,
		CUPTI_DRIVER_TRACE_CBID_cuCtxDetach,
		CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease,
		CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxRelease_v2,
		CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset,
		CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset_v2,
	};
	uint8_t *from = device(LARGE);
	pthread_t thread;

	/* What is freed is unmapped. */
	mallopt(M_MMAP_THRESHOLD, LARGE / 2);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		cudaMemcpyAsync(pinned(LARGE, 0), from, LARGE, cudaMemcpyDeviceToHost, NULL);
		pthread_create(&thread, NULL, end_context, (void *)(uintptr_t)calls[i]);
		pthread_join(thread, NULL);
		cudaStreamSynchronize(NULL);
	}
}

static sem_t is_brought;

static void say_brought(void *unused)
{
	sem_post(&is_brought);
}

static void *free_when_brought(void *memory)
{
	sem_wait(&is_brought);
	cudaFreeHost(memory);
	return NULL;
}

/* Another thread is told that the copy is done, at the same time as this one, and frees what it brought. As it
 * came back the time before, all of it is hashed. */
static void scenario_freed_beside(void)
{
	const size_t size = (size_t)16 << 20;
	pthread_t thread;

	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	sem_init(&is_brought, 0, 0);
	for (int i = 0; i < 10; i++) {
		uint8_t *first = pinned(size, 0), *second = pinned(size, 0), *from = device(size);

		cudaMemcpyAsync(first, from, size, cudaMemcpyDeviceToHost, NULL);
		cudaStreamSynchronize(NULL);
		send(from, first, size);
		cudaStreamSynchronize(NULL);
		wait_for_share();
		wait_for_share();
		pthread_create(&thread, NULL, free_when_brought, second);
		cudaMemcpyAsync(second, from, size, cudaMemcpyDeviceToHost, NULL);
		cudaLaunchHostFunc(NULL, say_brought, NULL);
		cudaStreamSynchronize(NULL);
		pthread_join(thread, NULL);
		cudaFreeHost(first);
	}
}

int main(int argc, char **argv)
{
	static const struct scenario scenarios[] = {
		{"small", scenario_small},
		{"large", scenario_large},
		{"fresh", scenario_fresh},
		{"share", scenario_share},
		{"back", scenario_back},
		{"none", scenario_none},
		{"places", scenario_places},
		{"awaited", scenario_awaited},
		{"no-longer-pinned", scenario_no_longer_pinned},
		{"freed-beside", scenario_freed_beside},
		{"context-ends", scenario_context_ends},
		{NULL, NULL},
	};

	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
