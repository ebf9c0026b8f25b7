/*
 * The traced program of first_use_test.c: `first_use_app SCENARIO`. What it prints and how it ends
 * must not depend on who watches its memory.
 */
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

enum { BYTES = 1 << 20, LATE_MS = 20 };

static unsigned char *device, *pinned;
static volatile int *volatile nowhere = (int *)8;
static cudaStream_t stream;

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
	cudaMalloc((void **)&device, BYTES);
	cudaMallocHost((void **)&pinned, BYTES);
	cudaMemset(device, 7, BYTES);
}

static void copy_back(void)
{
	cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
}

static void scenario_soon(void)
{
	copy_back();
	printf("%d\n", sum(pinned, BYTES));
	cudaStreamQuery(stream); /* the touch came before this */
}

static void scenario_late(void)
{
	copy_back();
	sleep_ms(LATE_MS);
	printf("%d\n", pinned[BYTES / 2]);
}

static void scenario_never(void)
{
	copy_back();
}

static void scenario_written(void)
{
	copy_back();
	memset(pinned, 1, BYTES);
	printf("%d\n", sum(pinned, BYTES));
}

static void scenario_again(void)
{
	copy_back();
	copy_back();
	printf("%d\n", pinned[0]);
}

static void scenario_not_waited(void)
{
	cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
	copy_back();
	printf("%d\n", pinned[0]);
}

static void scenario_write(void)
{
	int file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);

	copy_back();
	printf("%zd", write(file, pinned, BYTES));
	copy_back();
	printf(" %zd", pread(file, pinned, BYTES, 0));
	printf(" %d\n", sum(pinned, BYTES));
	close(file);
	unlink("data");
}

static void scenario_fwrite(void)
{
	FILE *file = tmpfile();

	copy_back();
	printf("%zu %d\n", fwrite(pinned, 1, BYTES, file), fflush(file));
	fclose(file);
}

static void *read_all(void *unused)
{
	printf("%d\n", sum(pinned, BYTES));
	return NULL;
}

static void in_thread(void *(*run)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
}

static void scenario_thread(void)
{
	copy_back();
	in_thread(read_all);
}

static void *read_blocked(void *unused)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	read_all(NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	printf("%d\n", sigismember(&before, SIGSEGV));
	return NULL;
}

/* With all signals blocked, as helper threads have them. */
static void scenario_blocked(void)
{
	copy_back();
	in_thread(read_blocked);
}

static volatile int handler_sum;

static void on_user(int number)
{
	handler_sum = sum(pinned, BYTES);
}

static void scenario_in_handler(void)
{
	struct sigaction action = {.sa_handler = on_user}, old;

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	copy_back();
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &old);
	printf("%d %d\n", handler_sum, sigismember(&old.sa_mask, SIGSEGV));
}

/* Memory of the heap, which the copy itself waits for. */
static void scenario_heap(void)
{
	unsigned char *block = malloc(BYTES);

	cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost);
	printf("%d\n", block[0]);
	free(block);
}

/* What is given back to the heap is someone else's. */
static void scenario_freed(void)
{
	int file = open("/dev/zero", O_RDONLY);
	unsigned char *block;

	mallopt(M_MMAP_THRESHOLD, BYTES * 8);
	block = malloc(BYTES);
	cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost);
	free(block);
	block = malloc(BYTES);
	/* Past every function of libc. */
	printf("%ld\n", syscall(0 /* read */, file, block, BYTES));
	free(block);
	close(file);
}

static void scenario_realloc(void)
{
	unsigned char *block = malloc(BYTES);

	cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost);
	block = realloc(block, 8 * BYTES);
	printf("%d\n", sum(block, BYTES));
	free(block);
}

static void scenario_event(void)
{
	cudaEvent_t event;

	cudaEventCreate(&event);
	cudaMemcpyAsync(pinned, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
	cudaEventRecord(event, stream);
	cudaMemcpyAsync(pinned + BYTES / 2, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
	cudaEventSynchronize(event);
	printf("%d\n", pinned[0]);
	cudaDeviceSynchronize();
	printf("%d\n", pinned[BYTES - 1]);
}

static void scenario_cuda(void)
{
	copy_back();
	cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	cudaStreamSynchronize(stream);
	printf("%d\n", pinned[0]);
}

static void scenario_small(void)
{
	cudaMemcpyAsync(pinned, device, 100, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	printf("%d\n", pinned[0]);
}

static void scenario_stack(void)
{
	unsigned char block[BYTES / 4];

	cudaMemcpy(block, device, sizeof(block), cudaMemcpyDeviceToHost);
	printf("%d\n", sum(block, sizeof(block)));
}

static void scenario_free_host(void)
{
	copy_back();
	cudaFreeHost(pinned);
}

static sigjmp_buf back;

static void on_fault(int number, siginfo_t *info, void *context)
{
	siglongjmp(back, 1);
}

/* A program that finds out by a fault what it may read. */
static void scenario_own_handler(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, old;
	char *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	copy_back();
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGSEGV, NULL, &old);
	printf("%d %d\n", old.sa_sigaction == on_fault, old.sa_flags & SA_SIGINFO);
	printf("%d\n", sum(pinned, BYTES));
	copy_back();
	for (int i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1))
			printf("%d\n", *(volatile char *)closed);
		else
			printf("fault\n");
		printf("%d\n", sum(pinned, BYTES));
		copy_back();
	}
	printf("%d\n", signal(SIGSEGV, SIG_DFL) == (__sighandler_t)(void *)on_fault);
}

static void scenario_crash(void)
{
	copy_back();
	printf("%d\n", sum(pinned, BYTES));
	fflush(stdout);
	*nowhere = 1;
}

static void scenario_crash_closed(void)
{
	char *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	copy_back();
	*(volatile char *)closed = 1;
}

static void scenario_raise(void)
{
	copy_back();
	raise(SIGSEGV);
}

static void on_fault_exit(int number)
{
	_exit(33);
}

static void scenario_handler_exits(void)
{
	signal(SIGSEGV, on_fault_exit);
	copy_back();
	*nowhere = 1;
}

static void scenario_fork(void)
{
	int status = 0;

	copy_back();
	fflush(stdout);
	if (!fork()) {
		printf("%d\n", sum(pinned, BYTES));
		fflush(stdout);
		*nowhere = 1;
	}
	wait(&status);
	printf("%d\n", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	sleep_ms(LATE_MS);
	printf("%d\n", sum(pinned, BYTES));
}

/* What is mapped where something was unmapped is not ours. */
static void scenario_remapped(void)
{
	int status = 0;
	unsigned char *block =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost);
	syscall(11 /* munmap */, block, BYTES);
	syscall(9 /* mmap */, block, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		0);
	/* Ends the watch. */
	printf("%zd\n", write(open("/dev/null", O_WRONLY), block, BYTES));
	if (!fork()) {
		*(volatile char *)block = 1;
		_exit(0);
	}
	wait(&status);
	printf("%d\n", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
	printf("%d\n", sum(block, BYTES));
}

static void *copy_much(void *own)
{
	unsigned char *memory = own;
	cudaStream_t mine;
	int total = 0;

	cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
	for (int i = 0; i < 200; i++) {
		cudaMemcpyAsync(memory, device, 1 << 14, cudaMemcpyDeviceToHost, mine);
		cudaStreamSynchronize(mine);
		total += sum(memory, 1 << 14);
	}
	return (void *)(intptr_t)total;
}

/* Several threads, each with a part of one buffer. */
static void scenario_threads(void)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	void *total;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, copy_much, pinned + i * (1 << 14));
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &total);
		printf("%d\n", (int)(intptr_t)total);
	}
}

static void scenario_two_sites(void)
{
	copy_back();
	printf("%d\n", pinned[0]);
	cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost);
	printf("%d\n", pinned[0]);
}

void idle_kernel(void **args);

void idle_kernel(void **args)
{
}

static void scenario_launch(void)
{
	const dim3 one = {1, 1, 1};
	unsigned char *block = malloc(BYTES);
	uint64_t duration_ns = 1000;

	cudaMemcpy(block, device, BYTES, cudaMemcpyDeviceToHost);
	__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, (void *[]){&duration_ns}, 0,
			   stream);
	cudaStreamSynchronize(stream);
	printf("%d\n", block[0]);
	free(block);
}

/* Three chunks, each waited for and none read before the end. */
static void scenario_loop(void)
{
	const dim3 one = {1, 1, 1};
	/* The host gets to its wait before the kernel's end, on a busy machine, too. */
	uint64_t duration_ns = 300000000;

	for (int i = 0; i < 3; i++) {
		__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, (void *[]){&duration_ns}, 0,
				   stream);
		cudaMemcpyAsync(pinned + i * (BYTES / 4), device, BYTES / 4, cudaMemcpyDeviceToHost,
				stream);
		cudaStreamSynchronize(stream);
		/* Time to read it. */
		sleep_ms(2);
	}
	cudaDeviceSynchronize();
	printf("%d\n", sum(pinned, 3 * (BYTES / 4)));
}

static const struct scenario scenarios[] = {
	{"soon", scenario_soon},
	{"late", scenario_late},
	{"never", scenario_never},
	{"written", scenario_written},
	{"again", scenario_again},
	{"not_waited", scenario_not_waited},
	{"write", scenario_write},
	{"fwrite", scenario_fwrite},
	{"thread", scenario_thread},
	{"blocked", scenario_blocked},
	{"in_handler", scenario_in_handler},
	{"heap", scenario_heap},
	{"freed", scenario_freed},
	{"realloc", scenario_realloc},
	{"event", scenario_event},
	{"cuda", scenario_cuda},
	{"small", scenario_small},
	{"stack", scenario_stack},
	{"free_host", scenario_free_host},
	{"own_handler", scenario_own_handler},
	{"crash", scenario_crash},
	{"crash_closed", scenario_crash_closed},
	{"raise", scenario_raise},
	{"handler_exits", scenario_handler_exits},
	{"fork", scenario_fork},
	{"remapped", scenario_remapped},
	{"threads", scenario_threads},
	{"two_sites", scenario_two_sites},
	{"launch", scenario_launch},
	{"loop", scenario_loop},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	const struct scenario *scenario = scenario_find(scenarios, argc, argv);

	prepare();
	scenario->run();
	return 0;
}
