/*
 * The traced program of early_touch_test.c: `early_touch_app SCENARIO`. Each copy is held back by a kernel, so
 * that what the host does at once comes before the copy's end on a slow machine, too. What it prints and how it
 * ends must not depend on who watches its memory.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { BYTES = 1 << 20, PAGE = 4096, HELD_NS = 200000000, LATE_MS = 20 };

static unsigned char *device, *pinned;
static cudaStream_t stream, other;

void hold_kernel(void **args);
void read_kernel(void **args);

void hold_kernel(void **args)
{
}

/* Takes its time, and a pointer. */
void read_kernel(void **args)
{
}

static void sleep_ms(int ms)
{
	const struct timespec time = {.tv_nsec = ms * 1000000L};

	nanosleep(&time, NULL);
}

static int sum(const unsigned char *memory, size_t bytes)
{
	int total = 0;

	for (size_t i = 0; i < bytes; i += 997)
		total += memory[i];
	return total;
}

static void prepare(void)
{
	cudaStreamCreate(&stream);
	cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	memset(pinned, 3, BYTES);
	cudaMemset(device, 7, BYTES);
	cudaDeviceSynchronize();
}

static void hold(void)
{
	const dim3 one = {1, 1, 1};
	uint64_t duration_ns = HELD_NS;

	__cudaLaunchKernel((cudaKernel_t)hold_kernel, one, one, (void *[]){&duration_ns}, 0,
			   stream);
}

static void send(const void *from, size_t bytes)
{
	hold();
	cudaMemcpyAsync(device, from, bytes, cudaMemcpyHostToDevice, stream);
}

static void fetch(void)
{
	hold();
	cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
}

static void finish(void)
{
	cudaDeviceSynchronize();
	printf("%d\n", sum(pinned, BYTES));
}

/* What the pages of a source have is the program's own, whoever watches. */
static void scenario_source_written(void)
{
	send(pinned, BYTES);
	pinned[BYTES / 2] = 1;
	finish();
}

static void scenario_source_waited(void)
{
	send(pinned, BYTES);
	cudaStreamSynchronize(stream);
	pinned[BYTES / 2] = 1;
	finish();
}

static void scenario_source_read(void)
{
	int file = open("/dev/null", O_WRONLY);

	send(pinned, BYTES);
	printf("%d %zd\n", sum(pinned, BYTES), write(file, pinned, BYTES));
	cudaStreamSynchronize(stream);
	finish();
}

/* By the kernel, which must not meet watched pages. */
static void scenario_source_filled(void)
{
	int file = open("/dev/zero", O_RDONLY);

	send(pinned, BYTES);
	printf("%zd\n", read(file, pinned, BYTES));
	finish();
}

/* Past every function that is interposed. */
static void scenario_source_past_libc(void)
{
	int file = open("/dev/zero", O_RDONLY);

	send(pinned, BYTES);
	printf("%ld\n", syscall(0 /* read */, file, pinned, BYTES));
	finish();
}

static void scenario_source_copied_over(void)
{
	unsigned char *from = calloc(1, BYTES);

	send(pinned, BYTES);
	memcpy(pinned, from, BYTES);
	finish();
	free(from);
}

static unsigned char *map_registered(void)
{
	unsigned char *memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(memory, 5, BYTES);
	cudaHostRegister(memory, BYTES, cudaHostRegisterDefault);
	return memory;
}

static void scenario_source_unmapped(void)
{
	unsigned char *memory = map_registered();

	send(memory, BYTES);
	munmap(memory, BYTES);
	finish();
}

static void scenario_source_unmapped_later(void)
{
	unsigned char *memory = map_registered();

	send(memory, BYTES);
	cudaStreamSynchronize(stream);
	munmap(memory, BYTES);
	finish();
}

static void scenario_source_discarded(void)
{
	unsigned char *memory = map_registered();

	send(memory, BYTES);
	madvise(memory, BYTES, MADV_DONTNEED);
	printf("%d\n", sum(memory, BYTES));
	finish();
}

static void scenario_source_moved(void)
{
	unsigned char *memory = map_registered();

	send(memory, BYTES);
	memory = mremap(memory, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
	memory[0] = 1;
	printf("%d\n", sum(memory, 2 * BYTES));
	finish();
}

static void scenario_source_protected(void)
{
	unsigned char *memory = map_registered();

	send(memory, BYTES);
	printf("%d\n", mprotect(memory, BYTES, PROT_READ | PROT_WRITE));
	memory[0] = 1;
	printf("%d\n", sum(memory, BYTES));
	finish();
}

static void scenario_source_freed(void)
{
	unsigned char *memory = malloc(BYTES);

	memset(memory, 5, BYTES);
	cudaHostRegister(memory, BYTES, cudaHostRegisterDefault);
	send(memory, BYTES);
	free(memory);
	finish();
}

static void scenario_source_freed_later(void)
{
	unsigned char *memory = malloc(BYTES);

	memset(memory, 5, BYTES);
	cudaHostRegister(memory, BYTES, cudaHostRegisterDefault);
	send(memory, BYTES);
	cudaStreamSynchronize(stream);
	free(memory);
	finish();
}

static void scenario_result_read(void)
{
	fetch();
	printf("%d\n", pinned[0] == 3 || pinned[0] == 7);
	finish();
}

static void scenario_result_waited(void)
{
	fetch();
	cudaStreamSynchronize(stream);
	printf("%d\n", pinned[0]);
	finish();
}

static void scenario_result_written(void)
{
	fetch();
	pinned[BYTES - 1] = 1;
	cudaDeviceSynchronize();
	printf("%d\n", pinned[0]);
}

static void scenario_result_saved(void)
{
	int file = open("/dev/null", O_WRONLY);

	fetch();
	printf("%zd\n", write(file, pinned, BYTES));
	finish();
}

static void in_thread(void *(*run)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
}

static void *write_all(void *unused)
{
	memset(pinned, 9, BYTES);
	return NULL;
}

static void scenario_source_by_thread(void)
{
	send(pinned, BYTES);
	in_thread(write_all);
	finish();
}

static void *wait_and_write(void *unused)
{
	cudaStreamSynchronize(stream);
	return write_all(NULL);
}

static void scenario_thread_waits(void)
{
	send(pinned, BYTES);
	in_thread(wait_and_write);
	finish();
}

static void on_user(int number)
{
	pinned[100] = 1;
}

static void scenario_source_by_handler(void)
{
	signal(SIGUSR1, on_user);
	send(pinned, BYTES);
	raise(SIGUSR1);
	finish();
}

/* Orders that are not waits for the copy's stream. */
static void scenario_ordered(void)
{
	cudaEvent_t event, behind;

	cudaEventCreate(&event);
	cudaEventCreate(&behind);
	send(pinned, BYTES);
	cudaEventRecord(event, stream);
	cudaEventSynchronize(event);
	pinned[0] = 1;
	send(pinned, BYTES);
	cudaEventRecord(event, stream);
	while (cudaEventQuery(event) != cudaSuccess)
		sleep_ms(1);
	pinned[1] = 1;
	send(pinned, BYTES);
	while (cudaStreamQuery(stream) != cudaSuccess)
		sleep_ms(1);
	pinned[2] = 1;
	/* Through another stream. */
	send(pinned, BYTES);
	cudaEventRecord(event, stream);
	cudaStreamWaitEvent(other, event, 0);
	cudaEventRecord(behind, other);
	cudaEventSynchronize(behind);
	pinned[3] = 1;
	/* By a copy that waits for its stream, the legacy one. */
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, NULL);
	cudaMemcpy(pinned + BYTES / 2, device, BYTES / 2, cudaMemcpyDeviceToHost);
	pinned[4] = 1;
	finish();
}

static atomic_int flag;

static void fill(void *unused)
{
	memset(pinned, 4, BYTES);
	atomic_store(&flag, 1);
}

static void look(void *unused)
{
	atomic_store(&flag, pinned[BYTES / 2]);
}

/* The stream itself orders what its host functions do, and what they tell the host. */
static void scenario_host_functions(void)
{
	hold();
	cudaLaunchHostFunc(stream, fill, NULL);
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	cudaStreamSynchronize(stream);
	atomic_store(&flag, 0);
	fetch();
	cudaLaunchHostFunc(stream, look, NULL);
	while (!atomic_load(&flag))
		sleep_ms(1);
	printf("%d\n", pinned[1]);
	cudaStreamSynchronize(stream);
	atomic_store(&flag, 0);
	fetch();
	cudaLaunchHostFunc(stream, fill, NULL);
	while (!atomic_load(&flag))
		sleep_ms(1);
	printf("%d\n", pinned[1]);
	finish();
}

/* Done long ago, but nothing has said so. */
static void scenario_unordered(void)
{
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	sleep_ms(LATE_MS);
	pinned[0] = 1;
	finish();
}

/* Two copies read one page; the first is waited for. */
static void scenario_shared_page(void)
{
	cudaEvent_t event;

	cudaEventCreate(&event);
	cudaMemcpyAsync(device, pinned, BYTES / 2, cudaMemcpyHostToDevice, stream);
	cudaEventRecord(event, stream);
	send(pinned + BYTES / 4, BYTES / 2);
	cudaEventSynchronize(event);
	pinned[PAGE] = 1;
	pinned[BYTES / 4 + PAGE] = 1;
	finish();
}

/* The same page twice, and both are touched. */
static void scenario_sent_twice(void)
{
	send(pinned, BYTES);
	cudaMemcpyAsync(device, pinned, BYTES / 2, cudaMemcpyHostToDevice, stream);
	pinned[0] = 1;
	finish();
}

/* In place: the copies' own order is CUDA's. */
static void scenario_in_place(void)
{
	send(pinned, BYTES);
	cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	cudaStreamSynchronize(stream);
	pinned[0] = 1;
	finish();
}

static void scenario_fork(void)
{
	int status = 0;

	send(pinned, BYTES);
	fflush(stdout);
	if (!fork()) {
		pinned[0] = 1;
		printf("%d\n", sum(pinned, BYTES));
		fflush(stdout);
		_exit(pinned[0]);
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	cudaStreamSynchronize(stream);
	finish();
}

static void scenario_pageable(void)
{
	unsigned char *memory = malloc(BYTES);

	memset(memory, 5, BYTES);
	cudaMemcpyAsync(device, memory, BYTES, cudaMemcpyHostToDevice, stream);
	memory[0] = 1;
	finish();
	free(memory);
}

static void scenario_small(void)
{
	send(pinned + 8, 100);
	pinned[8] = 1;
	finish();
}

static void scenario_edges(void)
{
	send(pinned + 8, 3 * PAGE);
	pinned[8] = 1; /* beside the whole pages */
	pinned[PAGE] = 1;
	finish();
}

static void scenario_free_host(void)
{
	unsigned char *memory;

	cudaMallocHost((void **)&memory, BYTES);
	send(memory, BYTES);
	cudaFreeHost(memory);
	finish();
}

static void *send_much(void *own)
{
	unsigned char *memory = own;
	cudaStream_t mine;

	cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
	for (int i = 0; i < 200; i++) {
		cudaMemcpyAsync(device, memory, 4 * PAGE, cudaMemcpyHostToDevice, mine);
		if (i % 2)
			cudaStreamSynchronize(mine);
		memset(memory, i, 4 * PAGE);
	}
	cudaStreamSynchronize(mine);
	return (void *)(intptr_t)memory[0];
}

/* Several threads, each with a part of one buffer. */
static void scenario_threads(void)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	void *last;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, send_much, pinned + i * 4 * PAGE);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &last);
		printf("%d\n", (int)(intptr_t)last);
	}
}

static volatile int *volatile nowhere = (int *)8;

static void scenario_crash(void)
{
	send(pinned, BYTES);
	*nowhere = 1;
}

/* A kernel that is given pinned memory, from here on. Behind its end it may have told the host by that memory. */
static void give_for(const unsigned char *memory, uint64_t duration_ns)
{
	const size_t sizes[] = {8, 8};
	const dim3 one = {1, 1, 1};

	fake_cuda_set_parameters((const void *)read_kernel, sizes, 2);
	__cudaLaunchKernel((cudaKernel_t)read_kernel, one, one, (void *[]){&duration_ns, &memory},
			   0, stream);
}

static void give(const unsigned char *memory)
{
	give_for(memory, HELD_NS);
}

static void scenario_argument_written(void)
{
	give_for(pinned, 10 * (uint64_t)HELD_NS);
	pinned[BYTES / 2] = 1;
	finish();
}

static void scenario_argument_waited(void)
{
	give(pinned);
	cudaStreamSynchronize(stream);
	pinned[BYTES / 2] = 1;
	finish();
}

/* Before the pointer, and what the device has is not watched. */
static void scenario_argument_behind(void)
{
	give(pinned + BYTES / 2);
	pinned[PAGE] = 1;
	give(device);
	finish();
}

static void scenario_argument_again(void)
{
	give(pinned);
	give(pinned);
	give(pinned + PAGE);
	finish();
}

/* It has no whole page: nothing of a copy is lost. */
static void scenario_argument_small(void)
{
	give(pinned + BYTES - 100);
	pinned[BYTES - 1] = 1;
	finish();
}

static const struct scenario scenarios[] = {
	{"source_written", scenario_source_written},
	{"source_waited", scenario_source_waited},
	{"source_read", scenario_source_read},
	{"source_filled", scenario_source_filled},
	{"source_past_libc", scenario_source_past_libc},
	{"source_copied_over", scenario_source_copied_over},
	{"source_unmapped", scenario_source_unmapped},
	{"source_unmapped_later", scenario_source_unmapped_later},
	{"source_discarded", scenario_source_discarded},
	{"source_moved", scenario_source_moved},
	{"source_protected", scenario_source_protected},
	{"source_freed", scenario_source_freed},
	{"source_freed_later", scenario_source_freed_later},
	{"source_by_thread", scenario_source_by_thread},
	{"source_by_handler", scenario_source_by_handler},
	{"thread_waits", scenario_thread_waits},
	{"result_read", scenario_result_read},
	{"result_waited", scenario_result_waited},
	{"result_written", scenario_result_written},
	{"result_saved", scenario_result_saved},
	{"argument_written", scenario_argument_written},
	{"argument_waited", scenario_argument_waited},
	{"argument_behind", scenario_argument_behind},
	{"argument_again", scenario_argument_again},
	{"argument_small", scenario_argument_small},
	{"ordered", scenario_ordered},
	{"host_functions", scenario_host_functions},
	{"unordered", scenario_unordered},
	{"shared_page", scenario_shared_page},
	{"sent_twice", scenario_sent_twice},
	{"in_place", scenario_in_place},
	{"fork", scenario_fork},
	{"pageable", scenario_pageable},
	{"small", scenario_small},
	{"edges", scenario_edges},
	{"free_host", scenario_free_host},
	{"threads", scenario_threads},
	{"crash", scenario_crash},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	const struct scenario *scenario = scenario_find(scenarios, argc, argv);

	prepare();
	scenario->run();
	return 0;
}
