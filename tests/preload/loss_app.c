/*
 * The traced program of loss_test.c: `loss_app SCENARIO`. Each forces one kind of loss, and prints
 * `made CALLS` at its end.
 */
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "clock_shim.h"
#include "fake_cuda.h"
#include "scenario.h"

enum {
	OPEN_US = 300000,
	OVER_CALLS = 4900000, /* there is room for 4,720,000 */
	SPLIT_COPIES = 10,
	LEFT_CALLS = 50000,
	LATE_FUNCTIONS = 3,
	FULL_CALLS = 400000,
	SOME_LAUNCHES = 3000,
	LOG_HEADER_BYTES = 32,
	LOG_PAGE_BYTES = 4096 + 24,
};
#define SECOND_NS INT64_C(1000000000)
#define LATE_NS	  (3000 * SECOND_NS) /* between 80 % and 100 % of the exit's hour */

static int calls;

/* Not a tail call: the caller is to stay on the stack. */
static __attribute__((noinline)) void make_queries(int count)
{
	for (int i = 0; i < count; i++)
		cudaStreamQuery(NULL);
	calls += count;
	__asm__ volatile("");
}

static __attribute__((noinline)) void query_driver(int count)
{
	for (int i = 0; i < count; i++)
		cuStreamQuery(NULL);
	calls += count;
	__asm__ volatile("");
}

static void idle_kernel(void **args)
{
}

static void launch(void (*kernel)(void **args))
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};

	__cudaLaunchKernel((cudaKernel_t)kernel, one, one, args, 0, NULL);
	calls++;
}

/* What the thread makes while the writer stands still stays in its memory. */
static void with_stalled_writer(void (*make)(void))
{
	make_queries(1);
	scenario_flush();
	scenario_hold_writer();
	make();
	scenario_release_writer();
}

static void make_too_many(void)
{
	make_queries(OVER_CALLS);
}

/* The last of them are counted by the last flush. */
static void scenario_overflow(void)
{
	with_stalled_writer(make_too_many);
}

/* Neither of the split calls' operations finds room, nor do the calls. */
static void make_too_many_and_copies(void)
{
	static char host[64];
	void *device;

	cudaMalloc(&device, sizeof(host));
	calls++;
	make_queries(OVER_CALLS);
	for (int i = 0; i < SPLIT_COPIES; i++)
		cudaMemcpy2DAsync(device, 8, host, 8, 8, 8, cudaMemcpyHostToDevice, NULL);
	calls += SPLIT_COPIES;
}

static void scenario_split_overflow(void)
{
	with_stalled_writer(make_too_many_and_copies);
}

static void scenario_split(void)
{
	static char host[64];
	void *device;

	cudaMalloc(&device, sizeof(host));
	for (int i = 0; i < SPLIT_COPIES; i++)
		cudaMemcpy2DAsync(device, 8, host, 8, 8, 8, cudaMemcpyHostToDevice, NULL);
	calls += 1 + SPLIT_COPIES;
}

/* By a function of the shim. */
static void set_clock_by(const char *function, int64_t ahead_ns)
{
	void (*set)(int64_t) = NULL;

	*(void **)&set = dlsym(RTLD_DEFAULT, function);
	if (!set)
		exit(2);
	set(ahead_ns);
}

static void set_clock(int64_t ahead_ns)
{
	set_clock_by("clock_shim_set", ahead_ns);
}

/* When the main thread is in its exit: from here on nothing else lets it sleep for long. */
static void *release_late(void *unused)
{
	for (int tries = 0; tries < 50; tries++) {
		if (!scenario_main_sleeps())
			tries = 0;
		usleep(1000);
	}
	scenario_release_writer();
	return NULL;
}

static void run_nothing(void *unused)
{
}

/* The exit waits for a writer that cannot go on until then, and is late by its own clock. */
static void exit_late(int host_functions)
{
	pthread_t thread;

	make_queries(1);
	cudaDeviceSynchronize();
	calls++;
	if (host_functions) {
		cudaLaunchHostFunc(NULL, run_nothing, NULL);
		cudaDeviceSynchronize();
		calls += 2;
	}
	scenario_flush();
	scenario_hold_writer();
	make_queries(LEFT_CALLS);
	for (int i = 0; i < host_functions; i++, calls++)
		cudaLaunchHostFunc(NULL, run_nothing, NULL);
	cudaDeviceSynchronize();
	calls++;
	set_clock_by("clock_shim_set_writer", LATE_NS);
	pthread_create(&thread, NULL, release_late, NULL);
	pthread_detach(thread);
}

static void scenario_late_exit(void)
{
	exit_late(0);
}

static void scenario_late_functions(void)
{
	exit_late(LATE_FUNCTIONS);
}

static void scenario_launches(void)
{
	for (int i = 0; i < SOME_LAUNCHES; i++)
		launch(idle_kernel);
	cudaDeviceSynchronize();
	calls++;
}

/* A kernel runs inside its launch: the clock is set while the call is under way. */
static void set_back_kernel(void **args)
{
	set_clock(-2 * SECOND_NS);
}

static void scenario_clock(void)
{
	make_queries(10);
	scenario_flush();
	set_clock(3 * SECOND_NS);
	make_queries(10);
	scenario_flush();
	launch(set_back_kernel);
	make_queries(10);
	cudaDeviceSynchronize();
	calls++;
	scenario_flush();
}

/* In the first moments, before the writer first reads the rings. */
static void scenario_early_clock(void)
{
	make_queries(1);
	set_clock(-2 * SECOND_NS);
	make_queries(1);
}

static void on_file_too_large(int signal)
{
	_exit(3);
}

static void fill_the_file(void)
{
	const struct rlimit limit = {1 << 19, 1 << 19};

	setrlimit(RLIMIT_FSIZE, &limit);
	make_queries(10);
	for (int i = 0; i < 4; i++) {
		usleep(OPEN_US);
		make_queries(FULL_CALLS / 4);
	}
}

/* A handler of the program's own that must not be called. */
static void scenario_full(void)
{
	signal(SIGXFSZ, on_file_too_large);
	fill_the_file();
}

/* From now on there is room for so many pages in the log, which begins anew after each commit, and none
 * in the file. */
static void leave_pages(int pages)
{
	const rlim_t bytes = LOG_HEADER_BYTES + (rlim_t)pages * LOG_PAGE_BYTES;
	const struct rlimit limit = {bytes, bytes};

	make_queries(10);
	scenario_flush();
	setrlimit(RLIMIT_FSIZE, &limit);
	make_queries(FULL_CALLS / 4);
}

static void scenario_full_log(void)
{
	leave_pages(0);
}

/* Goes on for a dozen commits. */
static void scenario_full_for_long(void)
{
	leave_pages(12);
	for (int i = 0; i < 12; i++) {
		usleep(OPEN_US);
		make_queries(10);
	}
}

/* As long as several commits take. */
static void scenario_full_disk(void)
{
	for (int i = 0; i < 30; i++) {
		make_queries(2000);
		usleep(30000);
	}
}

static void *fill_main(void *unused)
{
	fill_the_file();
	printf("made %d\n", calls);
	return NULL;
}

/* The writer's thread runs the exit, with the program's signals. */
static void scenario_full_to_the_end(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fill_main, NULL);
	pthread_exit(NULL);
}

static sigjmp_buf out_of_the_call;

static void jump(int signal)
{
	siglongjmp(out_of_the_call, 1);
}

/* As a program does that gives a call a time limit. */
static void scenario_jump(void)
{
	const struct itimerval soon = {.it_value.tv_usec = 50000};
	uint64_t duration_ns = SECOND_NS;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};

	make_queries(5);
	__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, NULL);
	calls++;
	signal(SIGALRM, jump);
	if (!sigsetjmp(out_of_the_call, 1)) {
		setitimer(ITIMER_REAL, &soon, NULL);
		cudaDeviceSynchronize(); /* never returns: not counted */
		exit(2);
	}
	query_driver(5);
	make_queries(5);
	query_driver(5);
	cudaDeviceSynchronize();
	calls++;
}

static const struct scenario scenarios[] = {
	{"overflow", scenario_overflow},
	{"split-overflow", scenario_split_overflow},
	{"split", scenario_split},
	{"late-exit", scenario_late_exit},
	{"late-functions", scenario_late_functions},
	{"launches", scenario_launches},
	{"clock", scenario_clock},
	{"early-clock", scenario_early_clock},
	{"full", scenario_full},
	{"full-disk", scenario_full_disk},
	{"full-log", scenario_full_log},
	{"full-for-long", scenario_full_for_long},
	{"full-to-the-end", scenario_full_to_the_end},
	{"jump", scenario_jump},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	printf("made %d\n", calls);
	return 0;
}
