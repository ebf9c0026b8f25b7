/*
 * The program of trial_test.c: `trial_app SCENARIO`. What it prints before "waits" is the same with fixes as without.
 * "waits" lines tell whether a call has kept the host until the device was done: the device has its own clock, so no
 * time of the machine comes in.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"
#include "glibc_heap.h" /* last */

enum { MIB = 1 << 20, BYTES = 5 * MIB + 123, KERNEL_NS = 50000000, THREADS = 8, TURNS = 40 };

/* cudart exports them. */
cudaError_t cudaMemcpy_ptds(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind);

static void kernel(void **args)
{
	(void)args;
}

static void launch(cudaStream_t stream)
{
	uint64_t duration_ns = KERNEL_NS;
	void *args[] = {&duration_ns};

	cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, stream);
}

static void say_wait(const char *call, uint64_t since_ns)
{
	printf("waits %s %d\n", call, fake_cuda_now_ns() - since_ns > KERNEL_NS / 2);
}

static void *device_memory(size_t bytes)
{
	void *memory = NULL;

	if (cudaMalloc(&memory, bytes))
		puts("no device memory");
	return memory;
}

static char *filled(size_t bytes, int seed)
{
	char *memory = malloc(bytes);

	for (size_t i = 0; i < bytes; i++)
		memory[i] = (char)(i * 31 + i / 251 + (size_t)seed);
	return memory;
}

/* Copies the bytes back and prints whether they are those. */
static void check(const char *name, const void *device, const char *expected, size_t bytes)
{
	char *back = malloc(bytes);

	printf("%s: %d", name, cudaMemcpy(back, device, bytes, cudaMemcpyDeviceToHost));
	printf(" %s, last error %d\n", memcmp(back, expected, bytes) ? "wrong" : "right",
	       cudaGetLastError());
	free(back);
}

typedef cudaError_t copy_function(void *dst, const void *src, size_t count,
				  enum cudaMemcpyKind kind);

/* The source is used again at once. */
static void copy_behind_kernel(const char *name, copy_function *copy, size_t bytes,
			       cudaStream_t stream)
{
	char *source = filled(bytes, 1), *expected = filled(bytes, 1);
	void *device = device_memory(bytes);
	uint64_t start_ns;
	cudaError_t error;

	launch(stream);
	start_ns = fake_cuda_now_ns();
	error = copy ? copy(device, source, bytes, cudaMemcpyHostToDevice)
		     : cudaMemcpyAsync(device, source, bytes, cudaMemcpyDefault, stream);
	say_wait(name, start_ns);
	memset(source, 0, bytes);
	printf("%s %d\n", name, error);
	cudaDeviceSynchronize();
	check(name, device, expected, bytes);
	cudaFree(device);
	free(source);
	free(expected);
}

static void scenario_copies(void)
{
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	copy_behind_kernel("blocking", cudaMemcpy, BYTES, NULL);
	copy_behind_kernel("per-thread", cudaMemcpy_ptds, BYTES, cudaStreamPerThread);
	copy_behind_kernel("small", cudaMemcpy, 3, NULL);
	for (int i = 0; i < 12; i++) /* more than a slab */
		copy_behind_kernel("async", NULL, BYTES, stream);
	cudaStreamDestroy(stream);
}

/* Whether work in a stream waits for what comes before it: a copy behind a kernel. It needs neither's engine. */
static void follow_copy(const char *name, copy_function *copy, cudaStream_t copies_in,
			cudaStream_t stream)
{
	char *source = filled(BYTES, 1), *pinned;
	void *device = device_memory(BYTES);
	uint64_t start_ns;

	cudaMallocHost((void **)&pinned, 8);
	launch(copies_in);
	start_ns = fake_cuda_now_ns();
	copy(device, source, BYTES, cudaMemcpyHostToDevice);
	say_wait(name, start_ns);
	cudaMemcpyAsync(pinned, device, 8, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	printf("%s ordered %d\n", name, fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	cudaDeviceSynchronize();
	free(source);
}

static void scenario_order(void)
{
	cudaStream_t non_blocking, blocking;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&non_blocking, cudaStreamNonBlocking);
	cudaStreamCreate(&blocking);
	follow_copy("legacy", cudaMemcpy, NULL, non_blocking);
	follow_copy("per-thread", cudaMemcpy_ptds, cudaStreamPerThread, blocking);
}

static void scenario_errors(void)
{
	char *source = filled(BYTES, 1);
	void *device = device_memory(BYTES);

	printf("%d\n", cudaMemcpy(device, source, BYTES, cudaMemcpyDeviceToDevice));
	printf("%d\n", cudaMemcpy(NULL, source, BYTES, cudaMemcpyHostToDevice));
	printf("%d\n", cudaMemcpy((char *)device + 1, source, BYTES, cudaMemcpyHostToDevice));
	printf("%d\n", cudaMemcpy(device, NULL, BYTES, cudaMemcpyHostToDevice));
	printf("%d\n", cudaMemcpy(device, source, 0, cudaMemcpyHostToDevice));
	printf("%d\n", cudaMemcpy(device, source, BYTES, (enum cudaMemcpyKind)9));
	printf("last %d %d\n", cudaGetLastError(), cudaGetLastError());
	/* What comes before is still told. */
	cudaMemcpy(NULL, source, BYTES, cudaMemcpyHostToDevice);
	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	printf("last %d\n", cudaGetLastError());
	check("device", device, source, BYTES);
	free(source);
}

static void scenario_captured(void)
{
	char *source = filled(64, 1);
	void *device = device_memory(64);
	cudaStream_t stream;
	cudaGraph_t graph;

	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	printf("%d\n", cudaMemcpyAsync(device, source, 64, cudaMemcpyHostToDevice, stream));
	printf("%d\n", cudaStreamEndCapture(stream, &graph));
	cudaGraphDestroy(graph);
	free(source);
}

static void scenario_not_pageable(void)
{
	void *device = device_memory(64), *pinned;

	cudaMallocHost(&pinned, 64);
	memset(pinned, 1, 64);
	printf("%d\n", cudaMemcpy(device, pinned, 64, cudaMemcpyHostToDevice));
	check("pinned", device, pinned, 64);
}

/* 17 copies behind a kernel fill a ring of 16 slabs. */
static void scenario_full(void)
{
	const size_t bytes = 32 * MIB;
	char *source = filled(bytes, 1);
	void *device = device_memory(bytes);

	fake_cuda_use_own_clock();
	launch(NULL);
	for (int i = 0; i < 17; i++)
		printf("%d\n",
		       cudaMemcpyAsync(device, source, bytes, cudaMemcpyHostToDevice, NULL));
	check("full", device, source, bytes);
	free(source);
}

/* Another copy is under way; the last piece is a part of a chunk. */
static void scenario_large(void)
{
	const size_t bytes = 70 * MIB + 5;
	char *source = filled(bytes, 1), *other = filled(MIB, 2);
	void *device = device_memory(bytes), *device_2 = device_memory(MIB);

	for (size_t i = 0; i < bytes; i += MIB)
		source[i] = (char)(i / MIB);
	cudaMemcpyAsync(device_2, other, MIB, cudaMemcpyHostToDevice, NULL);
	printf("%d\n", cudaMemcpyAsync(device, source, bytes, cudaMemcpyHostToDevice, NULL));
	check("large", device, source, bytes);
	check("other", device_2, other, MIB);
	free(other);
	free(source);
}

static void scenario_results(void)
{
	char *source = filled(64, 1), back[64], *pinned;
	void *device = device_memory(64);
	cudaStream_t stream;
	cudaEvent_t event;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	cudaEventCreate(&event);
	cudaMallocHost((void **)&pinned, 256);
	cudaMemcpy(device, source, 64, cudaMemcpyHostToDevice);
	cudaMemcpy(back, device, 64, cudaMemcpyDeviceToHost);		     /* 0 */
	cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, stream); /* 1: as 0 */
	cudaMemsetAsync(device, 7, 64, stream);
	cudaMemcpyAsync(pinned + 64, device, 64, cudaMemcpyDefault, stream); /* 2 */
	cudaStreamSynchronize(stream);
	launch(stream);
	cudaMemcpyAsync(pinned + 128, device, 64, cudaMemcpyDeviceToHost, stream); /* 3: lost */
	cudaMemcpyAsync(pinned + 140, device, 8, cudaMemcpyDeviceToHost, stream);  /* 4 */
	cudaEventRecord(event, stream);
	cudaEventSynchronize(event);
	launch(stream);
	cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, stream); /* 5: freed */
	cudaFreeHost(pinned);
	cudaMemcpy(back, device, 64, cudaMemcpyDeviceToHost);		    /* 6: as 2 */
	printf("%d\n", cudaMemcpy(back, NULL, 64, cudaMemcpyDeviceToHost)); /* 7: failed */
	free(source);
}

static void scenario_held(void)
{
	void *first = device_memory(BYTES), *again;
	cudaStream_t stream;
	cudaEvent_t event;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	cudaEventCreate(&event);
	launch(stream);
	cudaEventRecord(event, stream);
	start_ns = fake_cuda_now_ns();
	printf("free %d\n", cudaFree(first));
	say_wait("cudaFree", start_ns);
	again = device_memory(BYTES); /* the kernel may still use it */
	printf("waits again-%s\n", again == first ? "same" : "other");
	cudaEventSynchronize(event);
	cudaFree(again);
	again = device_memory(2 * BYTES); /* another size */
	cudaFree(again);
	again = device_memory(BYTES);
	printf("waits then-%s\n", again == first ? "same" : "other");
	printf("free %d, last %d\n", cudaFree(again), cudaGetLastError());
	printf("free NULL %d\n", cudaFree(NULL));
}

static void *zero_memory(void)
{
	void *memory = device_memory(8);

	cudaMemset(memory, 0, 8);
	return memory;
}

/* Whether a stream without work must wait until the kernel of another one is done, behind a cudaFree(). */
static void say_barrier(const char *name, cudaStream_t idle, const void *zeros, uint64_t since_ns)
{
	void *pinned;

	cudaMallocHost(&pinned, 8);
	cudaMemcpyAsync(pinned, zeros, 8, cudaMemcpyDeviceToHost, idle);
	cudaStreamSynchronize(idle);
	printf("waits %s-barrier %d\n", name, fake_cuda_now_ns() - since_ns > KERNEL_NS / 2);
}

/* Frees a block that work which is under way may use, and says whether it is given out again at once. No other block is of its
 * size. */
static void free_block(const char *name, void *block, size_t bytes)
{
	printf("free %d\n", cudaFree(block));
	printf("waits %s-%s\n", name, device_memory(bytes) == block ? "same" : "other");
}

static size_t next_size(void)
{
	static size_t bytes = BYTES;

	return bytes += 512;
}

static void free_behind(const char *name, cudaStream_t stream, cudaStream_t idle, const void *zeros)
{
	const size_t bytes = next_size();
	void *block = device_memory(bytes);
	uint64_t start_ns;

	launch(stream);
	start_ns = fake_cuda_now_ns();
	free_block(name, block, bytes);
	say_barrier(name, idle, zeros, start_ns);
	cudaDeviceSynchronize();
	printf("waits %s-then-%s\n", name, device_memory(bytes) == block ? "same" : "other");
}

static void *launch_in_own_stream(void *unused)
{
	(void)unused;
	launch(cudaStreamPerThread);
	return NULL;
}

/* A block that another thread's default stream may use. */
static void free_behind_thread(void)
{
	const size_t bytes = next_size();
	void *block = device_memory(bytes);
	pthread_t thread;

	pthread_create(&thread, NULL, launch_in_own_stream, NULL);
	pthread_join(thread, NULL);
	free_block("thread", block, bytes);
}

/* The stream ends before its work. */
static void free_behind_ended(void)
{
	const size_t bytes = next_size();
	void *block = device_memory(bytes);
	cudaStream_t stream;

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	launch(stream);
	cudaStreamDestroy(stream);
	free_block("ended", block, bytes);
}

static void scenario_marks(void)
{
	char *source = filled(64, 1);
	void *device = device_memory(64), *zeros = zero_memory();
	cudaStream_t one, two;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&one);
	cudaStreamCreate(&two);
	free_behind("blocking", one, two, zeros);
	cudaMemcpy(device, source, 64, cudaMemcpyHostToDevice);
	free_behind("copied", one, two, zeros);
	free_behind("legacy", NULL, two, zeros);
	free_behind("per-thread", cudaStreamPerThread, two, zeros);
	free_behind_thread();
	free_behind_ended();
	free(source);
}

/* Work in the default stream, before that of another stream. */
static void scenario_mixed(void)
{
	void *block = device_memory(BYTES), *device = device_memory(64), *zeros = zero_memory();
	char *source = filled(64, 1);
	cudaStream_t one, two;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&one);
	cudaStreamCreate(&two);
	cudaMemcpy(device, source, 64, cudaMemcpyHostToDevice);
	launch(one);
	start_ns = fake_cuda_now_ns();
	printf("free %d\n", cudaFree(block));
	say_barrier("mixed", two, zeros, start_ns);
	cudaDeviceSynchronize();
	free(source);
}

/* Work that is put past the runtime into a stream of its. */
static void scenario_unseen(void)
{
	CUresult (*launch_kernel)(CUfunction, unsigned int, unsigned int, unsigned int,
				  unsigned int, unsigned int, unsigned int, unsigned int, CUstream,
				  void **, void **);
	uint64_t duration_ns = KERNEL_NS;
	void *args[] = {&duration_ns}, *block = device_memory(BYTES);
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	*(void **)&launch_kernel = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuLaunchKernel");
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	launch_kernel((CUfunction)kernel, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL);
	free_block("unseen", block, BYTES);
}

/* A block that a captured stream has used is really freed; and from the first work in a stream of the driver's on, all are. */
static void scenario_not_held(void)
{
	CUresult (*create)(CUstream *, unsigned int);
	void *first = device_memory(64), *second = device_memory(64);
	cudaStream_t captured, own;
	cudaGraph_t graph;

	cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking);
	launch(captured);
	cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed);
	printf("free %d\n", cudaFree(first));
	cudaStreamEndCapture(captured, &graph);
	cudaGraphDestroy(graph);
	*(void **)&create = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuStreamCreate");
	printf("create %d\n", create(&own, CU_STREAM_NON_BLOCKING));
	launch(own);
	printf("free %d\n", cudaFree(second));
}

/* The host runs ahead of the device by some blocks, not by all. */
static void scenario_held_loop(void)
{
	void *seen[12];
	uint64_t start_ns;
	int count = 0;

	device_memory(1); /* begins */
	fake_cuda_use_own_clock();
	start_ns = fake_cuda_now_ns();
	for (int i = 0; i < 12; i++) {
		void *memory = device_memory(BYTES);
		int known = 0;

		while (known < count && seen[known] != memory)
			known++;
		if (known == count)
			seen[count++] = memory;
		launch(NULL);
		cudaFree(memory);
	}
	printf("waits blocks %d kernels %d\n", count,
	       (int)((fake_cuda_now_ns() - start_ns) / KERNEL_NS));
}

/* FAKE_DEVICE_BYTES is 10 MiB: what is held stands in the way. */
static void scenario_room(void)
{
	void *memory[3];

	memory[0] = device_memory(3 * MIB);
	memory[1] = device_memory(4 * MIB);
	cudaFree(memory[0]);
	cudaFree(memory[1]);
	printf("malloc %d\n", cudaMalloc(&memory[2], 9 * MIB));
	printf("last %d\n", cudaGetLastError());
	printf("malloc %d\n", cudaMalloc(&memory[0], 9 * MIB));
	printf("last %d\n", cudaGetLastError());
	printf("free %d\n", cudaFree(memory[2]));
}

/* Blocks of a context that has ended are not handed out. */
static void scenario_reset(void)
{
	char *source = filled(BYTES, 1);
	void *device = device_memory(BYTES), *former = device;

	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	cudaFree(device);
	printf("reset %d\n", cudaDeviceReset());
	device = device_memory(BYTES);
	printf("waits former %d\n", device == former);
	printf("copy %d\n", cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice));
	check("device", device, source, BYTES);
	printf("free %d\n", cudaFree(device));
	free(source);
}

/* From now on no wait is dropped. */
static void wait_after(const char *name)
{
	uint64_t start_ns = fake_cuda_now_ns();

	launch(NULL);
	cudaDeviceSynchronize();
	printf("%s %d\n", name, fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
}

static uint64_t start_of_dropped_wait(void)
{
	const uint64_t start_ns = fake_cuda_now_ns();

	launch(NULL);
	cudaDeviceSynchronize();
	return start_ns;
}

/* From the same memory, in one stream after the other. */
static void copy_in_streams(cudaStream_t *streams, int count)
{
	const size_t bytes = MIB / 4;
	char *source = filled(bytes, 1);
	void *device = device_memory(bytes);
	int errors = 0;

	for (int i = 0; i < count; i += 64) {
		errors += cudaMemcpyAsync(device, source, bytes, cudaMemcpyHostToDevice,
					  streams[i]) != cudaSuccess;
		if (i % 256 == 0)
			source[0]++;
	}
	cudaDeviceSynchronize();
	printf("errors %d\n", errors);
	check("many", device, source, bytes);
	free(source);
}

static void scenario_many_streams(void)
{
	enum { STREAMS = 4096 };
	static cudaStream_t streams[STREAMS];
	void *device = device_memory(64);

	fake_cuda_use_own_clock();
	for (int i = 0; i < STREAMS; i++)
		cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
	wait_after("many");
	printf("free %d\n", cudaFree(device));
	copy_in_streams(streams, STREAMS);
	for (int i = 0; i < STREAMS; i++)
		cudaStreamDestroy(streams[i]);
}

/* Whether the stream's next work is behind what comes before: a copy that needs another engine than kernels. */
static void say_ordered(const char *name, const void *zeros, cudaStream_t stream, uint64_t since_ns)
{
	void *pinned;

	cudaMallocHost(&pinned, 8);
	cudaMemcpyAsync(pinned, zeros, 8, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	printf("%s ordered %d\n", name, fake_cuda_now_ns() - since_ns > KERNEL_NS / 2);
	cudaDeviceSynchronize();
}

static void wait_for_stream(cudaStream_t waited, cudaStream_t other, const void *zeros)
{
	const uint64_t start_ns = fake_cuda_now_ns();

	launch(waited);
	printf("sync %d\n", cudaStreamSynchronize(waited));
	say_wait("stream", start_ns);
	say_ordered("stream", zeros, other, start_ns);
}

static void wait_for_device(cudaStream_t busy, cudaStream_t other, const void *zeros)
{
	uint64_t start_ns;

	launch(busy);
	start_ns = fake_cuda_now_ns();
	printf("sync %d\n", cudaDeviceSynchronize());
	say_wait("device", start_ns);
	say_ordered("device", zeros, other, start_ns);
}

/* A stream ends while its work is under way. The stand-in does not wait for that, as the real cudaDeviceSynchronize() does. */
static void wait_for_ended(cudaStream_t other, const void *zeros)
{
	cudaStream_t stream;
	uint64_t start_ns;

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	launch(stream);
	start_ns = fake_cuda_now_ns();
	cudaStreamDestroy(stream);
	cudaDeviceSynchronize();
	say_wait("ended", start_ns);
	say_ordered("waits ended", zeros, other, start_ns);
}

/* What shows that work is done, or how long it takes. */
static void ask_behind_wait(cudaStream_t stream)
{
	cudaEvent_t start, end;
	struct timespec now;
	uint64_t start_ns;
	float ms = 0;

	cudaEventCreate(&start);
	cudaEventCreate(&end);
	launch(stream);
	cudaStreamSynchronize(stream);
	printf("query %d\n", cudaStreamQuery(stream));
	cudaEventRecord(start, stream);
	launch(stream);
	cudaEventRecord(end, stream);
	cudaDeviceSynchronize();
	printf("elapsed %d", cudaEventElapsedTime(&ms, start, end));
	printf(" %d\n", ms > KERNEL_NS / 2000000.0f);
	launch(stream);
	start_ns = fake_cuda_now_ns();
	cudaStreamSynchronize(stream);
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	say_wait("coarse", start_ns);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("clock %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
}

static void scenario_dropped(void)
{
	const void *zeros = zero_memory();
	cudaStream_t one, two;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
	wait_for_stream(one, two, zeros);
	wait_for_stream(cudaStreamPerThread, one, zeros);
	wait_for_stream(NULL, one, zeros);
	wait_for_device(one, two, zeros);
	wait_for_ended(two, zeros);
	ask_behind_wait(one);
}

/* A wait that brings something to the host, and is the site's own. */
static void scenario_visible(void)
{
	void *device = zero_memory(), *pinned;
	cudaStream_t one, two;
	cudaEvent_t event;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&one);
	cudaStreamCreate(&two);
	cudaEventCreate(&event);
	cudaMallocHost(&pinned, 8);
	launch(one);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(pinned, device, 8, cudaMemcpyDeviceToHost, one);
	cudaStreamSynchronize(one);
	printf("result %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	launch(one);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(device, pinned, 8, cudaMemcpyHostToDevice, one);
	cudaEventRecord(event, one);
	cudaStreamWaitEvent(two, event, 0);
	cudaStreamSynchronize(two);
	printf("source %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
}

static void say_released(const char *name, cudaError_t error, uint64_t since_ns)
{
	printf("%s %d %d\n", name, error, fake_cuda_now_ns() - since_ns > KERNEL_NS / 2);
}

/* What is released behind the wait without waiting itself is no longer in use. */
static void scenario_released(void)
{
	const struct cudaMemPoolProps properties = {.allocType = cudaMemAllocationTypePinned};
	cudaMemPool_t pool;
	uint64_t start_ns;
	void *block;

	fake_cuda_use_own_clock();
	cudaMallocAsync(&block, 64, NULL);
	cudaMemPoolCreate(&pool, &properties);
	start_ns = start_of_dropped_wait();
	say_released("free", cudaFree(block), start_ns);
	start_ns = start_of_dropped_wait();
	say_released("pool", cudaMemPoolDestroy(pool), start_ns);
	start_ns = start_of_dropped_wait();
	say_released("texture", cudaDestroyTextureObject(1), start_ns);
	start_ns = start_of_dropped_wait();
	say_released("surface", cudaDestroySurfaceObject(1), start_ns);
}

static void set_flag(void *flag)
{
	*(atomic_int *)flag = 1;
}

/* What a host function leaves is there behind the wait. */
static void scenario_function(void)
{
	atomic_int flag = 0;
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	launch(stream);
	cudaLaunchHostFunc(stream, set_flag, &flag);
	cudaStreamSynchronize(stream);
	printf("function %d\n", flag);
}

/* Both call CUDA, one after the other. */
static void scenario_processes(void)
{
	const pid_t child = fork();

	if (!child) {
		device_memory(64);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	fake_cuda_use_own_clock();
	device_memory(64);
	wait_after("processes");
}

/* A library that may share the device's memory is there. */
static void scenario_neighbour(void)
{
	fake_cuda_use_own_clock();
	printf("library %d\n", dlopen("libnccl.so.2", RTLD_NOW) != NULL);
	device_memory(64);
	wait_after("neighbour");
}

static void *launch_once(void *argument)
{
	launch(NULL);
	printf("made up %d\n", fake_cuda_now_ns() - *(uint64_t *)argument > KERNEL_NS / 2);
	return NULL;
}

/* Another thread enqueues while a wait is dropped. */
static void scenario_threads(void)
{
	uint64_t start_ns;
	pthread_t thread;

	fake_cuda_use_own_clock();
	device_memory(64);
	start_ns = start_of_dropped_wait();
	say_wait("threads", start_ns);
	pthread_create(&thread, NULL, launch_once, &start_ns);
	pthread_join(thread, NULL);
	wait_after("threads");
}

static void scenario_managed(void)
{
	void *managed;

	fake_cuda_use_own_clock();
	cudaMallocManaged(&managed, 64, cudaMemAttachGlobal);
	wait_after("managed");
}

static void scenario_sequence(void)
{
	cudaStream_t stream;
	cudaGraph_t graph;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	launch(stream);
	cudaStreamEndCapture(stream, &graph);
	cudaGraphDestroy(graph);
	wait_after("sequence");
}

static void scenario_settings(void)
{
	CUresult (*get_limit)(size_t *, CUlimit);
	CUresult (*get_pool)(CUmemoryPool *, CUdevice);
	CUresult (*get_attribute)(CUmemoryPool, CUmemPool_attribute, void *);
	void *device = device_memory(64), *driver = dlopen("libcuda.so.1", RTLD_NOW);
	cuuint64_t threshold = 0;
	size_t stack_bytes = 0;
	CUmemoryPool pool;

	*(void **)&get_limit = dlsym(driver, "cuCtxGetLimit");
	*(void **)&get_pool = dlsym(driver, "cuDeviceGetDefaultMemPool");
	*(void **)&get_attribute = dlsym(driver, "cuMemPoolGetAttribute");
	get_limit(&stack_bytes, CU_LIMIT_STACK_SIZE);
	get_pool(&pool, FAKE_DEVICE_ID);
	get_attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
	printf("waits stack %zu threshold %llx\n", stack_bytes, (unsigned long long)threshold);
	cudaFree(device);
}

/* Work that nobody waits for. */
static void scenario_tail(void)
{
	cudaStream_t stream;

	cudaStreamCreate(&stream);
	launch(stream);
}

static void scenario_endless(void)
{
	uint64_t duration_ns = UINT64_C(3600000000000);
	void *args[] = {&duration_ns};

	cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, NULL);
}

/* A stream that is gone is not asked again: a use of it would end this program. */
static void scenario_driver_ends(void)
{
	void *device = device_memory(64);
	CUresult (*destroy)(CUstream);
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	*(void **)&destroy = dlsym(RTLD_DEFAULT, "cuStreamDestroy_v2");
	if (!destroy)
		*(void **)&destroy = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuStreamDestroy_v2");
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	printf("destroy %d\n", destroy(stream));
	printf("sync %d\n", cudaDeviceSynchronize());
	printf("free %d\n", cudaFree(device));
}

/* Forked before the first call of CUDA, which then works in both. */
static void scenario_fork(void)
{
	const pid_t child = fork();
	int status = 0;

	scenario_errors();
	fflush(stdout);
	if (!child)
		_exit(0);
	waitpid(child, &status, 0);
	printf("child %d\n", status);
}

/* The child has no CUDA: each call says so. */
static void scenario_late_fork(void)
{
	void *device = device_memory(BYTES);
	char *source = filled(BYTES, 1);
	pid_t child;
	int status = 0;

	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	fflush(stdout);
	child = fork();
	if (!child) {
		printf("%d %d %d\n", cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice),
		       cudaFree(device), cudaMalloc(&device, BYTES));
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", status);
	check("parent", device, source, BYTES);
	free(source);
}

static atomic_int wrong;

static void *work(void *argument)
{
	const size_t bytes = (size_t)MIB + 1000 * (size_t)(intptr_t)argument;
	char *source = filled(bytes, (int)(intptr_t)argument), *back;
	cudaStream_t stream;
	void *device;

	cudaMallocHost((void **)&back, bytes);
	for (int i = 0; i < TURNS; i++) {
		cudaStreamCreateWithFlags(&stream,
					  i % 2 ? cudaStreamNonBlocking : cudaStreamDefault);
		wrong += cudaMalloc(&device, bytes) != cudaSuccess;
		source[i] = (char)i;
		if (i % 3)
			wrong += cudaMemcpyAsync(device, source, bytes, cudaMemcpyHostToDevice,
						 stream) != cudaSuccess;
		else
			wrong += cudaMemcpy(device, source, bytes, cudaMemcpyHostToDevice) !=
				 cudaSuccess;
		source[i] ^= 1;
		wrong += cudaMemcpyAsync(back, device, bytes, cudaMemcpyDeviceToHost, stream) !=
			 cudaSuccess;
		cudaStreamSynchronize(stream);
		source[i] ^= 1;
		wrong += memcmp(source, back, bytes) != 0;
		wrong += cudaFree(device) != cudaSuccess;
		cudaStreamDestroy(stream);
	}
	cudaFreeHost(back);
	free(source);
	return NULL;
}

static void scenario_storm(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("wrong %d, last %d\n", wrong, cudaGetLastError());
}

/* On the machine's clock, so that a trace has the stacks of both copies: they wait. */
static __attribute__((noinline)) void copy_at_site(void *device, const char *source)
{
	launch(NULL);
	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static void scenario_site(void)
{
	char *source = filled(BYTES, 1);
	void *device = device_memory(BYTES);

	copy_at_site(device, source);
	for (int i = 0; i < 3; i++) {
		launch(NULL);
		cudaMemcpy(device, source, BYTES - 1, cudaMemcpyHostToDevice);
	}
	check("site", device, source, BYTES);
	free(source);
}

static bool is_registered(const void *memory)
{
	return fake_cuda_memory_kind(memory) == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
}

static void say_registered_bytes(void)
{
	printf("waits freed %d\n", !fake_cuda_allocated_bytes(CUPTI_ACTIVITY_MEMORY_KIND_PINNED));
}

/* A source that is sent again and again, and written as soon as the call has returned. */
static void scenario_source(void)
{
	char *source = filled(BYTES, 1), *expected = filled(BYTES, 1);
	void *device = device_memory(BYTES);
	cudaStream_t stream;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	for (int i = 0; i < 3; i++) {
		launch(stream);
		start_ns = fake_cuda_now_ns();
		cudaMemcpyAsync(device, source, BYTES, cudaMemcpyHostToDevice, stream);
		say_wait("send", start_ns);
		printf("read %d\n", source[BYTES - 1] == expected[BYTES - 1]);
		say_wait("read", start_ns);
		source[MIB] = expected[MIB] = (char)i;
		say_wait("write", start_ns);
		cudaStreamSynchronize(stream);
	}
	printf("waits registered %d\n", is_registered(source));
	start_ns = fake_cuda_now_ns();
	launch(stream);
	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	say_wait("blocking", start_ns);
	check("source", device, expected, BYTES);
	free(source);
	say_registered_bytes();
	free(expected);
}

/* A result is read as soon as the call has returned. */
static void scenario_result(void)
{
	char *source = filled(BYTES, 1), *result = calloc(BYTES, 1);
	void *device = device_memory(BYTES);
	cudaStream_t stream;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	cudaMemcpy(device, source, BYTES, cudaMemcpyHostToDevice);
	for (int i = 0; i < 3; i++) {
		launch(stream);
		start_ns = fake_cuda_now_ns();
		cudaMemcpyAsync(result, device, BYTES, cudaMemcpyDeviceToHost, stream);
		say_wait("bring", start_ns);
		printf("result %d\n", memcmp(result, source, BYTES));
		printf("there %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	}
	/* By a system call. */
	launch(stream);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(result, device, BYTES, cudaMemcpyDeviceToHost, stream);
	say_wait("again", start_ns);
	printf("write %zd\n", write(open("/dev/null", O_WRONLY), result, BYTES));
	printf("there %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	/* As the source of another copy. */
	launch(stream);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(result, device, BYTES, cudaMemcpyDeviceToHost, stream);
	cudaMemcpy(device, result, BYTES, cudaMemcpyHostToDevice);
	printf("there %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	/* Under way when it is given up. */
	launch(stream);
	cudaMemcpyAsync(result, device, BYTES, cudaMemcpyDeviceToHost, stream);
	result = realloc(result, 2 * BYTES);
	printf("result %d\n", memcmp(result, source, BYTES));
	say_registered_bytes();
	free(result);
	free(source);
}

/* Chunks of an array, that share pages. */
static void scenario_chunks(void)
{
	enum { CHUNKS = 6, CHUNK_BYTES = MIB + 1000 };
	char *array = filled((size_t)CHUNKS * CHUNK_BYTES, 1), *back;
	void *device = device_memory((size_t)CHUNKS * CHUNK_BYTES);
	cudaStream_t stream;
	uint64_t start_ns = 0;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	back = calloc(CHUNKS, CHUNK_BYTES);
	for (int turn = 0; turn < 2; turn++) {
		launch(stream);
		start_ns = fake_cuda_now_ns();
		for (int i = 0; i < CHUNKS; i++) {
			const size_t at = (size_t)i * CHUNK_BYTES;

			cudaMemcpyAsync((char *)device + at, array + at, CHUNK_BYTES,
					cudaMemcpyHostToDevice, stream);
			cudaMemcpyAsync(back + at, (char *)device + at, CHUNK_BYTES,
					cudaMemcpyDeviceToHost, stream);
		}
	}
	say_wait("chunks", start_ns);
	printf("chunks %d\n", memcmp(back, array, (size_t)CHUNKS * CHUNK_BYTES));
	printf("there %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	/* More than what is registered. */
	printf("copy %d\n", cudaMemcpy(device, array + MIB, 64, cudaMemcpyHostToDevice));
	free(array);
	free(back);
}

/* Copies beside each other in a page, and of memory that another copy still uses. */
static void scenario_overlap(void)
{
	enum { HALF = MIB + 1000 };
	char *array = calloc(2, HALF), *device = device_memory((size_t)2 * HALF);
	cudaStream_t one, two;
	uint64_t start_ns;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
	cudaMemset(device, 7, (size_t)2 * HALF);
	for (int i = 0; i < 2; i++)
		cudaMemcpy(array, device, (size_t)2 * HALF, cudaMemcpyDeviceToHost);
	launch(two);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(array, device, HALF, cudaMemcpyDeviceToHost, one);
	cudaMemcpyAsync(array + HALF, device + HALF, HALF, cudaMemcpyDeviceToHost, two);
	printf("first %d\n", array[0]);
	say_wait("first", start_ns);
	printf("second %d\n", array[HALF]);
	printf("there %d\n", fake_cuda_now_ns() - start_ns > KERNEL_NS / 2);
	launch(one);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(device, array, HALF, cudaMemcpyHostToDevice, one);
	cudaMemcpyAsync(device, array, HALF, cudaMemcpyHostToDevice, two);
	say_wait("again", start_ns);
	cudaMemcpyAsync(array, device, HALF, cudaMemcpyDeviceToHost, two);
	say_wait("over", start_ns);
	launch(one);
	start_ns = fake_cuda_now_ns();
	cudaMemcpyAsync(array, device, HALF, cudaMemcpyDeviceToHost, one);
	cudaMemcpyAsync(array, device, HALF, cudaMemcpyDeviceToHost, two);
	say_wait("twice", start_ns);
	cudaDeviceSynchronize();
	free(array);
}

/* What no fix may register, and what ends all. */
static void scenario_left_alone(void)
{
	char on_stack[4096 * 20], *array = filled(BYTES, 1);
	void *device = device_memory(BYTES);
	cudaStream_t stream;
	pid_t child;
	char *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	memset(on_stack, 1, sizeof(on_stack));
	memset(shared, 1, BYTES);
	cudaStreamCreate(&stream);
	for (int i = 0; i < 3; i++) {
		cudaMemcpy(device, on_stack, sizeof(on_stack), cudaMemcpyHostToDevice);
		cudaMemcpy(device, shared, BYTES, cudaMemcpyHostToDevice);
	}
	printf("registered %d %d\n", is_registered(on_stack), is_registered(shared));
	for (int i = 0; i < 3; i++)
		cudaMemcpy(device, array, BYTES, cudaMemcpyHostToDevice);
	printf("waits registered %d\n", is_registered(array));
	/* The program's own registration. */
	printf("register %d\n", cudaHostRegister(array, BYTES, 0));
	printf("unregister %d\n", cudaHostUnregister(array));
	for (int i = 0; i < 3; i++)
		cudaMemcpyAsync(device, array, BYTES, cudaMemcpyHostToDevice, stream);
	printf("waits registered %d\n", is_registered(array));
	fflush(stdout);
	child = fork();
	if (!child) {
		array[0]++;
		_exit(array[0]);
	}
	array[0]++;
	waitpid(child, NULL, 0);
	printf("waits registered %d\n", is_registered(array));
	printf("copy %d\n", cudaMemcpy(device, array, BYTES, cudaMemcpyHostToDevice));
	check("array", device, array, BYTES);
	free(array);
}

static void send_twice(const void *memory, size_t bytes)
{
	void *device = device_memory(bytes);

	for (int i = 0; i < 2; i++)
		cudaMemcpy(device, memory, bytes, cudaMemcpyHostToDevice);
	printf("waits registered %d\n", is_registered(memory));
	cudaFree(device);
}

/* What shares its pages with other blocks, and a part of a block that does not begin it. */
static void scenario_heap(void)
{
	enum { SMALL = 100 << 10 };
	char *before = filled(SMALL, 1), *small = filled(SMALL, 1), *after = filled(SMALL, 1);
	char *large = filled(BYTES, 1), *aligned = aligned_alloc(4096, 2 * MIB);

	memset(aligned, 1, 2 * MIB);
	send_twice(small, SMALL);
	send_twice(large + MIB, MIB);
	send_twice(aligned, MIB);
	free(before);
	free(after);
	free(small);
	free(large);
	free(aligned);
}

static pthread_barrier_t barrier;

static void *wait_with_stack(void *argument)
{
	_Alignas(4096) char on_stack[25 * 4096];

	memset(on_stack, 1, sizeof(on_stack));
	*(const char **)argument = on_stack;
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* Whole pages of a stack, which this thread does not know. */
static void scenario_other_stack(void)
{
	const char *on_stack;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, wait_with_stack, &on_stack);
	pthread_barrier_wait(&barrier);
	send_twice(on_stack, (size_t)25 * 4096);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
}

enum { SHARING_THREADS = 4, SHARED_TURNS = 40 };

struct sharing {
	pthread_t thread;
	cudaStream_t stream;
	void *device;
};
static char *shared_source;

static void *send_shared(void *argument)
{
	struct sharing *sharing = argument;

	for (int i = 0; i < SHARED_TURNS; i++) {
		launch(sharing->stream);
		pthread_barrier_wait(&barrier); /* the source was used once */
		cudaMemcpyAsync(sharing->device, shared_source, BYTES, cudaMemcpyHostToDevice,
				sharing->stream);
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier); /* written */
	}
	return NULL;
}

/* Thousands of mappings below all others: to read of them takes as long as to register much memory. */
static void slow_registrations(void)
{
	enum { PAGES = 8000, PAGE = 4096 };
	char *pages = mmap((void *)(UINT64_C(1) << 32), (size_t)PAGES * PAGE, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t i = 0; i < PAGES; i += 2)
		mprotect(pages + i * PAGE, PAGE, PROT_NONE);
}

/* Copies of several threads from one block at the moment when one of them registers it. */
static void scenario_shared_place(void)
{
	struct sharing all[SHARING_THREADS];
	void *device = device_memory(BYTES);
	int pending = 0;

	fake_cuda_use_own_clock();
	slow_registrations();
	pthread_barrier_init(&barrier, NULL, SHARING_THREADS + 1);
	for (int i = 0; i < SHARING_THREADS; i++) {
		cudaStreamCreateWithFlags(&all[i].stream, cudaStreamNonBlocking);
		all[i].device = device_memory(BYTES);
		pthread_create(&all[i].thread, NULL, send_shared, &all[i]);
	}
	for (int turn = 0; turn < SHARED_TURNS; turn++) {
		shared_source = calloc(BYTES, 1);
		cudaMemcpy(device, shared_source, BYTES, cudaMemcpyHostToDevice);
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		shared_source[MIB]++;
		for (int i = 0; i < SHARING_THREADS; i++)
			pending += cudaStreamQuery(all[i].stream) != cudaSuccess;
		pthread_barrier_wait(&barrier);
		free(shared_source);
	}
	for (int i = 0; i < SHARING_THREADS; i++)
		pthread_join(all[i].thread, NULL);
	printf("waits pending %d\n", pending);
}

/* Copies of which nobody knows the memory. */
static void scenario_rows(void)
{
	char *array = filled(BYTES, 1), *result = calloc(BYTES, 1);
	void *device = device_memory(BYTES);

	for (int i = 0; i < 3; i++)
		cudaMemcpy(device, array, BYTES, cudaMemcpyHostToDevice);
	printf("waits registered %d\n", is_registered(array));
	printf("rows %d\n",
	       cudaMemcpy2DAsync(result, 64, device, 64, 64, 64, cudaMemcpyDeviceToHost, NULL));
	cudaDeviceSynchronize();
	printf("rows %d\n", memcmp(result, array, 64 * 64));
	printf("waits registered %d\n", is_registered(array));
	free(array);
	free(result);
}

/* Another program goes on in the middle of what fixes do. */
static void scenario_exec(void)
{
	char *source = filled(BYTES, 1), *result = calloc(BYTES, 1);
	void *device = device_memory(BYTES), *block = device_memory(BYTES);

	for (int i = 0; i < 3; i++) {
		launch(NULL);
		cudaMemcpyAsync(device, source, BYTES, cudaMemcpyHostToDevice, NULL);
		cudaMemcpyAsync(result, device, BYTES, cudaMemcpyDeviceToHost, NULL);
	}
	printf("free %d\n", cudaFree(block));
	launch(NULL);
	cudaDeviceSynchronize();
	fflush(stdout);
	execl("/proc/self/exe", "trial_app", "errors", NULL);
}

static void free_at_site(void *block)
{
	cudaFree(block);
	__asm__ volatile("" ::: "memory"); /* no tail call */
}

static void wait_at_site(cudaStream_t stream)
{
	cudaStreamSynchronize(stream);
	__asm__ volatile("" ::: "memory");
}

enum { TURN_STEPS = 15 };

/* Steps whose calls wait; after each TURN_STEPS it says how many did. */
static void wait_in_steps(cudaStream_t stream, int steps)
{
	int frees = 0, waits = 0;

	for (int i = 0; i < steps; i++) {
		void *block = device_memory(MIB);
		uint64_t start_ns;

		launch(stream);
		start_ns = fake_cuda_now_ns();
		free_at_site(block);
		frees += fake_cuda_now_ns() - start_ns > KERNEL_NS / 2;
		launch(stream);
		start_ns = fake_cuda_now_ns();
		wait_at_site(stream);
		waits += fake_cuda_now_ns() - start_ns > KERNEL_NS / 2;
		if (i % TURN_STEPS == TURN_STEPS - 1) {
			printf("waits turn %d %d\n", frees, waits);
			frees = waits = 0;
		}
	}
}

static void end_of_steps(void)
{
	cudaDeviceSynchronize();
	printf("memory %zu\n",
	       (size_t)fake_cuda_allocated_bytes(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE));
}

static void scenario_turns(void)
{
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	wait_in_steps(stream, 12 * TURN_STEPS + 1);
	end_of_steps();
}

/* A capture in a turn with the fixes. */
static void scenario_turns_end(void)
{
	cudaStream_t stream, other;
	cudaGraph_t graph;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
	wait_in_steps(stream, 6 * TURN_STEPS);
	printf("capture %d\n", cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
	printf("captured %d\n", cudaStreamEndCapture(other, &graph));
	wait_in_steps(stream, 6 * TURN_STEPS);
	end_of_steps();
}

static atomic_bool has_ended;

static void step_quietly(cudaStream_t stream)
{
	void *block = device_memory(MIB);

	launch(stream);
	free_at_site(block);
	launch(stream);
	wait_at_site(stream);
	wrong += !block || cudaGetLastError() != cudaSuccess;
}

static void *step_until_end(void *unused)
{
	cudaStream_t stream;

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	while (!atomic_load(&has_ended))
		step_quietly(stream);
	return unused;
}

/* The first thread's steps are counted, two others make theirs meanwhile. */
static void scenario_turns_beside(void)
{
	pthread_t others[2];
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	step_quietly(stream);
	for (int i = 0; i < 2; i++)
		pthread_create(&others[i], NULL, step_until_end, NULL);
	for (int i = 0; i < 12 * TURN_STEPS; i++)
		step_quietly(stream);
	atomic_store(&has_ended, true);
	for (int i = 0; i < 2; i++)
		pthread_join(others[i], NULL);
	printf("wrong %d\n", wrong);
	end_of_steps();
}

enum { MANAGED_BYTES = 16 * MIB, STEPS = 4 };

static void kernel_of_memory(void **args)
{
	(void)args;
}

static void *managed_memory(size_t bytes)
{
	void *memory = NULL;

	cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal);
	return memory;
}

/* A kernel that is given memory, in three ways: as one argument, in a struct, and by a handle. */
enum way { BY_SYMBOL, IN_STRUCT, BY_HANDLE, WAYS };

static void launch_at_memory(enum way way, char *memory, cudaStream_t stream)
{
	const dim3 one = {1, 1, 1};
	uint64_t duration_ns = 1000;
	struct {
		uint32_t count;
		char *memory;
	} both = {1, memory};
	void *args[] = {&duration_ns, way == IN_STRUCT ? (void *)&both : &memory};

	if (way == BY_HANDLE)
		__cudaLaunchKernel((cudaKernel_t)kernel_of_memory, one, one, args, 0, stream);
	else
		cudaLaunchKernel((const void *)kernel_of_memory, one, one, args, 0, stream);
}

/* The time that the device takes for what the kernel faults for: 1 ns a byte. */
static void say_faults(const char *name, uint64_t since_ns)
{
	printf("waits faults %s %d\n", name, fake_cuda_now_ns() - since_ns > MANAGED_BYTES / 2);
}

static void set_parameters(bool is_struct)
{
	const size_t sizes[] = {sizeof(uint64_t), is_struct ? 16 : sizeof(void *)};

	fake_cuda_set_parameters((const void *)kernel_of_memory, sizes, 2);
}

/* Steps in which the host writes what a kernel reads. */
static void scenario_prefetch(void)
{
	static const char *const names[WAYS] = {"symbol", "struct", "handle"};
	char *memory = managed_memory(MANAGED_BYTES);
	cudaStream_t stream;

	fake_cuda_use_own_clock();
	cudaStreamCreate(&stream);
	for (enum way way = 0; way < WAYS; way++) {
		set_parameters(way == IN_STRUCT);
		for (int i = 0; i < STEPS; i++) {
			uint64_t start_ns;

			fake_cuda_touch(memory);
			start_ns = fake_cuda_now_ns();
			launch_at_memory(way, memory + MIB, stream);
			launch_at_memory(way, memory, stream); /* the host cannot have used it */
			printf("sync %d\n", cudaStreamSynchronize(stream));
			if (way != IN_STRUCT) /* whose memory the stand-in does not know */
				say_faults(names[way], start_ns);
		}
	}
	printf("waits prefetched %zu\n", fake_cuda_prefetched_bytes());
	printf("free %d, last %d\n", cudaFree(memory), cudaGetLastError());
	memory = device_memory(MANAGED_BYTES);
	launch_at_memory(BY_HANDLE, memory, stream); /* perhaps at the same address */
	printf("sync %d\n", cudaStreamSynchronize(stream));
}

/* What is not prefetched: with an error of the program pending, in a captured stream, and without managed memory. */
static void scenario_not_prefetched(void)
{
	char *memory = managed_memory(MANAGED_BYTES);
	void *device = device_memory(64);
	cudaStream_t stream;
	cudaGraph_t graph;

	set_parameters(false);
	cudaStreamCreate(&stream);
	launch_at_memory(BY_HANDLE, device, stream);
	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	launch_at_memory(BY_HANDLE, memory, stream);
	printf("captured %d\n", cudaStreamEndCapture(stream, &graph));
	cudaGraphDestroy(graph);
	printf("copy %d\n", cudaMemcpy(NULL, memory, 64, cudaMemcpyHostToDevice));
	launch_at_memory(BY_SYMBOL, memory, stream);
	printf("last %d\n", cudaGetLastError());
	printf("waits prefetched %zu\n", fake_cuda_prefetched_bytes());
}

/* More than half of the device's memory, which is 1 GiB. */
static void scenario_large_managed(void)
{
	char *first = managed_memory((size_t)300 * MIB),
	     *second = managed_memory((size_t)300 * MIB);

	set_parameters(false);
	launch_at_memory(BY_HANDLE, first, NULL);
	launch_at_memory(BY_HANDLE, second, NULL);
	printf("waits prefetched %zu\n", fake_cuda_prefetched_bytes() / MIB);
	cudaFree(first);
	launch_at_memory(BY_HANDLE, second, NULL);
	printf("waits prefetched %zu\n", fake_cuda_prefetched_bytes() / MIB);
}

/* After each TURN_STEPS steps it says how many faulted. */
static void scenario_prefetch_turns(void)
{
	char *memory = managed_memory(MANAGED_BYTES);
	int faults = 0;

	fake_cuda_use_own_clock();
	set_parameters(false);
	for (int i = 0; i < 12 * TURN_STEPS + 1; i++) {
		uint64_t start_ns;

		fake_cuda_touch(memory);
		start_ns = fake_cuda_now_ns();
		launch_at_memory(BY_SYMBOL, memory, NULL);
		cudaDeviceSynchronize();
		faults += fake_cuda_now_ns() - start_ns > MANAGED_BYTES / 2;
		if (i % TURN_STEPS == TURN_STEPS - 1) {
			printf("waits turn %d\n", faults);
			faults = 0;
		}
	}
}

static void *step_with_memory(void *unused)
{
	cudaStream_t stream;

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	for (int i = 0; i < TURNS; i++) {
		char *memory = managed_memory((size_t)(i % 5 + 1) * MIB);

		for (int k = 0; k < 3; k++) {
			fake_cuda_touch(memory);
			memory[k] = (char)i;
			launch_at_memory(k % 2 ? BY_HANDLE : BY_SYMBOL, memory, stream);
			wrong += cudaStreamSynchronize(stream) != cudaSuccess ||
				 memory[k] != (char)i;
		}
		wrong += cudaFree(memory) != cudaSuccess;
	}
	return unused;
}

static void scenario_prefetch_storm(void)
{
	pthread_t threads[THREADS];

	fake_cuda_use_own_clock();
	set_parameters(false);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, step_with_memory, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("wrong %d, last %d\n", wrong, cudaGetLastError());
	printf("waits prefetched %d\n", fake_cuda_prefetched_bytes() > 0);
}

static void scenario_no_cuda(void)
{
}

static const struct scenario scenarios[] = {
	{"copies", scenario_copies},
	{"order", scenario_order},
	{"errors", scenario_errors},
	{"captured", scenario_captured},
	{"not-pageable", scenario_not_pageable},
	{"full", scenario_full},
	{"large", scenario_large},
	{"results", scenario_results},
	{"held", scenario_held},
	{"held-loop", scenario_held_loop},
	{"marks", scenario_marks},
	{"mixed", scenario_mixed},
	{"unseen", scenario_unseen},
	{"not-held", scenario_not_held},
	{"room", scenario_room},
	{"reset", scenario_reset},
	{"many-streams", scenario_many_streams},
	{"dropped", scenario_dropped},
	{"visible", scenario_visible},
	{"released", scenario_released},
	{"function", scenario_function},
	{"processes", scenario_processes},
	{"neighbour", scenario_neighbour},
	{"threads", scenario_threads},
	{"managed", scenario_managed},
	{"sequence", scenario_sequence},
	{"settings", scenario_settings},
	{"tail", scenario_tail},
	{"endless", scenario_endless},
	{"driver-ends", scenario_driver_ends},
	{"fork", scenario_fork},
	{"late-fork", scenario_late_fork},
	{"storm", scenario_storm},
	{"site", scenario_site},
	{"source", scenario_source},
	{"result", scenario_result},
	{"chunks", scenario_chunks},
	{"overlap", scenario_overlap},
	{"left-alone", scenario_left_alone},
	{"heap", scenario_heap},
	{"other-stack", scenario_other_stack},
	{"shared-place", scenario_shared_place},
	{"rows", scenario_rows},
	{"exec", scenario_exec},
	{"turns", scenario_turns},
	{"turns-end", scenario_turns_end},
	{"turns-beside", scenario_turns_beside},
	{"prefetch", scenario_prefetch},
	{"not-prefetched", scenario_not_prefetched},
	{"large-managed", scenario_large_managed},
	{"prefetch-turns", scenario_prefetch_turns},
	{"prefetch-storm", scenario_prefetch_storm},
	{"no-cuda", scenario_no_cuda},
	{NULL, NULL},
};

static int count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* Its use makes the linker put an entry for free() into a program that is not position-independent. */
static void (*volatile release_with)(void *);

int main(int argc, char **argv)
{
	release_with = free;
	/* glibc raises it when a large block is freed: the next one would be in the heap. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	scenario_find(scenarios, argc, argv)->run();
	printf("descriptors %d\n", count_descriptors());
	return 0;
}
