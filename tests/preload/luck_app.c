/*
 * A program for try_test.py that relies on a wait by luck: luck_app CASE. The stand-in for the GPU moves bytes at once, so
 * the program asks the device's clock instead: what a kernel of 10 ms brings is not there 10 ms after its launch began.
 * Exit status: 9 if the host was too early once; 7 if it never was.
 * CASE  free: the host reads a result that only cudaFree() waits for
 *       source: the host writes what a copy reads, which only the copy of other, pageable memory behind it waits for
 *       place: likewise, and that memory is the same in each step
 *       pinned: the host writes what a copy reads, behind a synchronize
 *       flag: the host polls a flag that a kernel sets, for a while, and a synchronize behind that makes sure
 *       thread: another thread reads a result, once this one has waited
 *       function: a host function leaves a number that is read behind a synchronize
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "glibc_heap.h"

enum { STEPS = 8, BYTES = 8 << 20, KERNEL_NS = 10000000, EARLY = 9, RIGHT = 7 };

static struct {
	cudaStream_t stream;
	char *device, *pinned, *pageable;
	uint64_t done_ns;      /* not before: the last kernel's end */
	atomic_int early;      /* how many times the host was too early */
	atomic_ullong left_ns; /* by the host function */
	sem_t waited, read;
} luck;

static void busy_kernel(void **args)
{
	(void)args;
}

static void launch_kernel(void *memory)
{
	const dim3 one = {1, 1, 1};
	uint64_t duration_ns = KERNEL_NS;
	void *args[] = {&duration_ns, &memory};

	luck.done_ns = fake_cuda_now_ns() + KERNEL_NS;
	__cudaLaunchKernel((cudaKernel_t)busy_kernel, one, one, args, 0, luck.stream);
}

/* What the host does where it relies on the kernel's end. */
static void rely(void)
{
	luck.early += fake_cuda_now_ns() < luck.done_ns;
}

static void copy_result(void)
{
	cudaMemcpyAsync(luck.pinned, luck.device, BYTES, cudaMemcpyDeviceToHost, luck.stream);
}

static void read_behind_free(void)
{
	void *block;

	cudaMalloc(&block, BYTES);
	launch_kernel(block);
	copy_result();
	cudaFree(block);
	rely();
	luck.pinned[0]++;
}

static void write_source_behind(const char *pageable)
{
	launch_kernel(luck.device);
	cudaMemcpyAsync(luck.device, luck.pinned, BYTES, cudaMemcpyHostToDevice, luck.stream);
	cudaMemcpy(luck.device + BYTES, pageable, BYTES, cudaMemcpyHostToDevice);
	rely();
	luck.pinned[0]++;
}

static void write_source_behind_copy(void)
{
	static size_t copies;

	write_source_behind(luck.pageable + BYTES * copies++);
}

static void write_source_behind_place(void)
{
	write_source_behind(luck.pageable);
}

static void write_source_behind_wait(void)
{
	launch_kernel(luck.device);
	cudaMemcpyAsync(luck.device, luck.pinned, BYTES, cudaMemcpyHostToDevice, luck.stream);
	cudaStreamSynchronize(luck.stream);
	rely();
	luck.pinned[0]++;
}

static void poll_flag(void)
{
	const volatile char *flag = luck.pinned;

	launch_kernel(luck.pinned);
	for (int i = 0; i < 100 && !*flag; i++)
		;
	cudaDeviceSynchronize();
	rely();
}

static void *read_results(void *argument)
{
	for (int i = 0; i < STEPS; i++) {
		sem_wait(&luck.waited);
		rely();
		luck.pinned[0]++;
		sem_post(&luck.read);
	}
	return argument;
}

static void wait_for_thread(void)
{
	launch_kernel(luck.device);
	copy_result();
	cudaStreamSynchronize(luck.stream);
	sem_post(&luck.waited);
	sem_wait(&luck.read);
}

static void leave_number(void *data)
{
	(void)data;
	luck.left_ns = fake_cuda_now_ns();
}

static void read_number(void)
{
	luck.left_ns = 0;
	launch_kernel(luck.device);
	cudaLaunchHostFunc(luck.stream, leave_number, NULL);
	cudaStreamSynchronize(luck.stream);
	luck.early += !luck.left_ns;
}

static const struct {
	const char *name;
	void (*step)(void);
} cases[] = {
	{"free", read_behind_free},
	{"source", write_source_behind_copy},
	{"place", write_source_behind_place},
	{"pinned", write_source_behind_wait},
	{"flag", poll_flag},
	{"thread", wait_for_thread},
	{"function", read_number},
};

int main(int argc, char **argv)
{
	const size_t sizes[] = {sizeof(uint64_t), sizeof(void *)};
	const char *wanted = argc > 1 ? argv[1] : "";
	pthread_t reader;

	sem_init(&luck.waited, 0, 0);
	sem_init(&luck.read, 0, 0);
	fake_cuda_set_parameters((const void *)busy_kernel, sizes, 2);
	cudaStreamCreate(&luck.stream);
	cudaMalloc((void **)&luck.device, (size_t)2 * BYTES);
	cudaMallocHost((void **)&luck.pinned, BYTES);
	luck.pageable = calloc(STEPS, BYTES);
	cudaMemcpy(luck.device, luck.pinned, BYTES, cudaMemcpyHostToDevice);
	if (!strcmp(wanted, "thread"))
		pthread_create(&reader, NULL, read_results, NULL);
	for (int i = 0; i < STEPS; i++)
		for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++)
			if (!strcmp(cases[k].name, wanted))
				cases[k].step();
	if (!strcmp(wanted, "thread"))
		pthread_join(reader, NULL);
	cudaStreamSynchronize(luck.stream);
	return luck.early ? EARLY : RIGHT;
}
