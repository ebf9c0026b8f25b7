/*
 * A program for try_test.py on the stand-in for the GPU: try_app HOW [WITH_FIXES [FILE]].
 * HOW   free: each step allocates a block for its kernel and frees it, which waits for the kernel
 *       long: the same in many short steps
 *       sync: each step waits for its kernel
 *       copy: each step copies from pageable memory of its own, for a kernel
 *       again: each step copies from the same pageable memory, for a kernel
 *       result: each step copies to the same pageable memory, behind a kernel
 *       read: like free, and the host reads a copy that only cudaFree() waits for
 *       managed: each step writes managed memory, which its kernel faults for, and waits
 *       late: like read, but the host does not read before it has waited in the end
 *       nothing: no step does anything
 *       none: it makes no CUDA call
 * WITH_FIXES   what it does where libstrace_try.so makes fixes: crash, exit, hang, or result: another one.
 *              input: in each run it must read a line
 *              child: each run leaves a process behind, and appends its id to FILE
 *              mask: in each run no signal may be blocked
 *              terminal: in each run it sets the terminal
 *              pause: in each run it waits for a signal in the end
 */
#include "facts/trial_page.h"

#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "glibc_heap.h"

enum {
	STEPS = 30,
	LONG_STEPS = 1000,
	SLOTS = 2,
	BYTES = 4 << 20,
	KERNEL_NS = 1500000,
	HOST_NS = 1000000,
	LONG_SHARE = 3, /* of a step's time */
	PAGE = 4096
};

static bool is_long;

static void busy_kernel(void **args)
{
	(void)args;
}

/* What the host does in a step. */
static void sleep_step(void)
{
	const struct timespec step = {.tv_nsec = is_long ? HOST_NS / LONG_SHARE : HOST_NS};

	nanosleep(&step, NULL);
}

struct buffers {
	cudaStream_t stream[SLOTS];
	void *device[SLOTS];
	char *pageable[SLOTS], *pinned, *managed;
	char *sources; /* one for each step */
};

static void launch_kernel(cudaStream_t stream, void *memory)
{
	const dim3 one = {1, 1, 1};
	uint64_t duration_ns = is_long ? KERNEL_NS / LONG_SHARE : KERNEL_NS;
	void *args[] = {&duration_ns, &memory};

	__cudaLaunchKernel((cudaKernel_t)busy_kernel, one, one, args, 0, stream);
}

static void allocate_and_free(struct buffers *buffers, int slot)
{
	void *block;

	cudaMalloc(&block, BYTES);
	launch_kernel(buffers->stream[slot], block);
	cudaFree(block);
	sleep_step();
}

static void wait_for_kernel(struct buffers *buffers, int slot)
{
	launch_kernel(buffers->stream[slot], buffers->device[slot]);
	cudaDeviceSynchronize();
	sleep_step();
}

static void copy_from(const char *memory, const struct buffers *buffers, int slot)
{
	cudaMemcpyAsync(buffers->device[slot], memory, BYTES, cudaMemcpyHostToDevice,
			buffers->stream[slot]);
	launch_kernel(buffers->stream[slot], buffers->device[slot]);
}

static void copy_pageable(struct buffers *buffers, int slot)
{
	static size_t sources;

	copy_from(buffers->sources + BYTES * sources++, buffers, slot);
}

static void copy_again(struct buffers *buffers, int slot)
{
	copy_from(buffers->pageable[slot], buffers, slot);
}

static void bring_result(struct buffers *buffers, int slot)
{
	launch_kernel(buffers->stream[slot], buffers->device[slot]);
	cudaMemcpyAsync(buffers->pageable[slot], buffers->device[slot], BYTES,
			cudaMemcpyDeviceToHost, buffers->stream[slot]);
	sleep_step();
}

static void use_managed(struct buffers *buffers, int slot)
{
	if (!buffers->managed)
		cudaMallocManaged((void **)&buffers->managed, BYTES, cudaMemAttachGlobal);
	fake_cuda_touch(buffers->managed);
	buffers->managed[slot]++;
	launch_kernel(buffers->stream[slot], buffers->managed);
	cudaStreamSynchronize(buffers->stream[slot]);
	sleep_step();
}

static void read_behind_free(struct buffers *buffers, int slot)
{
	cudaMemcpyAsync(buffers->pinned, buffers->device[slot], 64, cudaMemcpyDeviceToHost,
			buffers->stream[slot]);
	allocate_and_free(buffers, slot);
}

/* Each result has a page of its own. */
static void read_in_the_end(struct buffers *buffers, int slot)
{
	static size_t results;

	cudaMemcpyAsync(buffers->pinned + PAGE * results++, buffers->device[slot], PAGE,
			cudaMemcpyDeviceToHost, buffers->stream[slot]);
	allocate_and_free(buffers, slot);
}

static const struct {
	const char *name;
	void (*step)(struct buffers *buffers, int slot);
} ways[] = {{"free", allocate_and_free}, {"long", allocate_and_free}, {"sync", wait_for_kernel},
	    {"copy", copy_pageable},	 {"again", copy_again},	      {"result", bring_result},
	    {"read", read_behind_free},	 {"late", read_in_the_end},   {"managed", use_managed}};

static void run_steps(const char *how, char value)
{
	const size_t sizes[] = {sizeof(uint64_t), sizeof(void *)};
	struct buffers buffers = {.managed = NULL};

	fake_cuda_set_parameters((const void *)busy_kernel, sizes, 2);
	cudaMallocHost((void **)&buffers.pinned, BYTES);
	memset(buffers.pinned, value, BYTES);
	buffers.sources = malloc((size_t)STEPS * BYTES);
	if (!strcmp(how, "copy"))
		memset(buffers.sources, value, (size_t)STEPS * BYTES);
	for (int slot = 0; slot < SLOTS; slot++) {
		cudaStreamCreateWithFlags(&buffers.stream[slot], cudaStreamNonBlocking);
		cudaMalloc(&buffers.device[slot], BYTES);
		buffers.pageable[slot] = malloc(BYTES);
		memset(buffers.pageable[slot], value, BYTES);
		cudaMemcpyAsync(buffers.device[slot], buffers.pinned, BYTES, cudaMemcpyHostToDevice,
				buffers.stream[slot]);
		cudaStreamSynchronize(buffers.stream[slot]);
	}
	for (int i = 0; i < (is_long ? LONG_STEPS : STEPS); i++)
		for (size_t way = 0; way < sizeof(ways) / sizeof(*ways); way++)
			if (!strcmp(ways[way].name, how))
				ways[way].step(&buffers, i % SLOTS);
	for (int slot = 0; slot < SLOTS; slot++) {
		cudaMemcpyAsync(buffers.pinned, buffers.device[slot], BYTES, cudaMemcpyDeviceToHost,
				buffers.stream[slot]);
		cudaStreamSynchronize(buffers.stream[slot]);
	}
}

/* Whether libstrace_try.so makes fixes in this run. */
static int has_fixes(void)
{
	const char *where = getenv("STREAMTRACE_TRY");
	char path[4096] = "";
	const int file = where && sscanf(where, "%4095[^:]", path) == 1
				 ? open(path, O_RDONLY | O_CLOEXEC)
				 : -1;
	const struct trial_page *page =
		file < 0 ? MAP_FAILED : mmap(NULL, sizeof(*page), PROT_READ, MAP_SHARED, file, 0);
	const int applies = page != MAP_FAILED && page->applies;

	if (file >= 0)
		close(file);
	return applies;
}

static int is_end_blocked(void)
{
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	return sigismember(&mask, SIGINT) || sigismember(&mask, SIGTERM);
}

static void set_terminal(void)
{
	const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct termios settings;

	if (terminal < 0)
		return;
	if (!tcgetattr(terminal, &settings))
		tcsetattr(terminal, TCSANOW, &settings);
	close(terminal);
}

static void leave_child(const char *path)
{
	const pid_t child = fork();
	FILE *file;

	if (!child) {
		for (int i = 0; i <= STDERR_FILENO; i++)
			close(i);
		for (;;)
			pause();
	}
	file = fopen(path, "a");
	if (!file)
		abort();
	fprintf(file, "%d\n", (int)child);
	fclose(file);
}

int main(int argc, char **argv)
{
	const char *word = argc > 2 ? argv[2] : "";
	const char *with_fixes = has_fixes() ? word : "";

	if (!strcmp(argv[1], "none"))
		return 2;
	if (!strcmp(word, "input") && getchar() == EOF)
		return 9;
	if (!strcmp(word, "mask") && is_end_blocked())
		return 9;
	if (!strcmp(word, "terminal"))
		set_terminal();
	if (!strcmp(word, "child"))
		leave_child(argv[3]);
	is_long = !strcmp(argv[1], "long");
	run_steps(argv[1], !strcmp(with_fixes, "result"));
	if (!strcmp(with_fixes, "crash"))
		abort();
	if (!strcmp(with_fixes, "hang"))
		pause();
	printf("did %d steps\n", is_long ? LONG_STEPS : STEPS);
	fflush(stdout);
	if (!strcmp(word, "pause"))
		pause();
	return !strcmp(with_fixes, "exit") ? 3 : 7;
}
