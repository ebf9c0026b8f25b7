/*
 * The traced program of instructions.py: `instructions_app CALLS` makes so many of each call that
 * programs make most, in a loop of its own, twice: by the second run the call site is known.
 * `instructions_app CALLS ranges` makes NVTX ranges instead.
 *
 * Its CLOCK_REALTIME (own_clock.c) goes on only when the main thread reads it: what the tracer does for
 * a call that took long is not to depend on the machine, nor on when the writer thread runs.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_cuda.h"

#include <cuda.h>
#include <nvtx3/nvToolsExt.h>

enum { COPY_BYTES = 4, BUFFER_BYTES = 4096, CLOCK_READS = 100000 };

static const dim3 one = {1, 1, 1};
static void *device, *pinned;
static cudaStream_t stream;
static cudaEvent_t event;

static void check(int error)
{
	if (error) {
		fprintf(stderr, "instructions_app: CUDA's error %d\n", error);
		exit(1);
	}
}

static void kernel(void **args)
{
}

static int launch(void)
{
	uint64_t duration_ns = 1;
	int count = 7;
	void *args[] = {&duration_ns, &count, &device, &pinned};

	return (int)__cudaLaunchKernel((cudaKernel_t)kernel, one, one, args, 0, stream);
}

static int push_and_pop(void)
{
	nvtxRangePushA("a name of 24 characters.");
	nvtxRangePop();
	return 0;
}

/* callgrind knows them by name. */
#define LOOP(name, call)                                                                           \
	void loop_##name(int calls);                                                               \
	__attribute__((noinline)) void loop_##name(int calls)                                      \
	{                                                                                          \
		for (int i = 0; i < calls; i++)                                                    \
			check((int)(call));                                                        \
	}
LOOP(launch, launch())
LOOP(copy, cudaMemcpyAsync(device, pinned, COPY_BYTES, cudaMemcpyHostToDevice, stream))
LOOP(event_record, cudaEventRecord(event, stream))
LOOP(stream_query, cudaStreamQuery(stream))
LOOP(stream_wait, cudaStreamSynchronize(stream))
LOOP(driver_query, cuStreamQuery(stream))
LOOP(range, push_and_pop())

void loops_end(void);
__attribute__((noinline)) void loops_end(void)
{
	__asm__ volatile("");
}

static void make_handles(void)
{
	const size_t parameters[] = {8, 4, 8, 8};

	fake_cuda_set_parameters((const void *)kernel, parameters, 4);
	check(cudaMalloc(&device, BUFFER_BYTES));
	check(cudaMallocHost(&pinned, BUFFER_BYTES));
	check(cudaStreamCreate(&stream));
	check(cudaEventCreate(&event));
}

/* Until the device has done what the loop enqueued: a call here would be counted. */
static void let_time_pass(void)
{
	for (int i = 0; i < CLOCK_READS; i++)
		fake_cuda_now_ns();
}

int main(int argc, char **argv)
{
	static void (*const of_calls[])(int) = {loop_launch,	   loop_copy,
						loop_event_record, loop_stream_query,
						loop_stream_wait,  loop_driver_query};
	static void (*const of_ranges[])(int) = {loop_range};
	const bool is_of_ranges = argc > 2;
	void (*const *loops)(int) = is_of_ranges ? of_ranges : of_calls;
	const size_t count = is_of_ranges ? 1 : sizeof(of_calls) / sizeof(of_calls[0]);
	const int calls = argc > 1 ? atoi(argv[1]) : 0;

	fake_cuda_use_own_clock();
	make_handles();
	for (size_t i = 0; i < count; i++)
		for (int run = 0; run < 2; run++) {
			loops[i](calls);
			let_time_pass();
		}
	loops_end();
	return 0;
}
