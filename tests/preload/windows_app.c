/*
 * The traced program of windows_test.c: `windows_app SCENARIO`. Calls inside of windows have 1, 2,
 * 4... bytes, calls outside 1024 and more: the sum of what is in the trace tells them apart.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda_profiler_api.h>

#include "fake_cuda.h"
#include "scenario.h"
#include "streamtrace.h"

enum { OUTSIDE = 1024, MS = 1000, THREADS = 4, WINDOWS = 200 };

static uint8_t *device;

static void set(size_t bytes)
{
	if (!device)
		cudaMalloc((void **)&device, 1 << 16);
	cudaMemsetAsync(device, 0, bytes, NULL);
}

/* Outside, two windows with something between, outside. */
static void make_windows(void (*open)(void), void (*close)(void))
{
	cudaStream_t stream;

	set(OUTSIDE);
	open();
	set(1);
	set(2);
	close();
	set(OUTSIDE);
	cudaStreamCreate(&stream);
	usleep(20 * MS);
	open();
	open();
	set(4);
	close();
	close();
	set(OUTSIDE);
	printf("stream %lld\n", (long long)(intptr_t)stream);
}

static void scenario_calls(void)
{
	make_windows(streamtrace_start, streamtrace_stop);
}

static void start_profiler(void)
{
	cudaProfilerStart();
}

static void stop_profiler(void)
{
	cudaProfilerStop();
}

static void scenario_profiler(void)
{
	make_windows(start_profiler, stop_profiler);
}

static cudaError_t (*real_start)(void), (*real_stop)(void);

static void start_directly(void)
{
	real_start();
}

static void stop_directly(void)
{
	real_stop();
}

/* Past the wrappers. */
static void scenario_profiler_directly(void)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);

	*(void **)&real_start = dlsym(cudart, "cudaProfilerStart");
	*(void **)&real_stop = dlsym(cudart, "cudaProfilerStop");
	make_windows(start_directly, stop_directly);
}

static void signal_once(void)
{
	raise(SIGUSR2);
}

static void scenario_signal(void)
{
	set(OUTSIDE);
	signal_once();
	set(1);
	signal_once();
	set(OUTSIDE);
	signal_once();
	set(2);
}

/* Most changes come before there is anything to record. */
static void scenario_early(void)
{
	for (int i = 0; i < 1000; i++) {
		streamtrace_start();
		streamtrace_stop();
	}
	streamtrace_start();
	set(1);
	streamtrace_stop();
	set(OUTSIDE);
}

static bool (*reports)(CUpti_CallbackId driver_cbid);
static bool (*records)(CUpti_ActivityKind kind);

/* CUPTI is the tracer's, and loaded by now. */
static void wait_until_paused(void)
{
	void *cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);

	*(void **)&reports = dlsym(cupti, "cupti_fake_reports");
	*(void **)&records = dlsym(cupti, "cupti_fake_records");
	/* They are turned off one after the other. */
	while (records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ||
	       records(CUPTI_ACTIVITY_KIND_MEMSET) ||
	       reports(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) ||
	       reports(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async) ||
	       reports(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery))
		usleep(MS);
	dlclose(cupti);
}

static void print_what_is_on(void)
{
	printf("records %d%d%d%d callbacks %d%d%d%d\n",
	       records(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), records(CUPTI_ACTIVITY_KIND_MEMSET),
	       records(CUPTI_ACTIVITY_KIND_MEMORY2), records(CUPTI_ACTIVITY_KIND_CONTEXT),
	       reports(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async),
	       reports(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery),
	       reports(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2),
	       reports(CUPTI_DRIVER_TRACE_CBID_cuProfilerStart));
}

/* Two windows, each after a time in which all that could be is off; the second is opened past the
 * wrappers. */
static void scenario_off(void)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);

	*(void **)&real_start = dlsym(cudart, "cudaProfilerStart");
	set(OUTSIDE);
	wait_until_paused();
	print_what_is_on();
	set(OUTSIDE);
	streamtrace_start();
	print_what_is_on();
	set(1);
	streamtrace_stop();
	set(OUTSIDE);
	wait_until_paused();
	set(OUTSIDE);
	start_directly();
	print_what_is_on();
	set(2);
	streamtrace_stop();
	set(OUTSIDE);
}

static void idle_kernel(void **args)
{
}

static void run_for(uint64_t duration_ns)
{
	void *args[] = {&duration_ns};

	cudaLaunchKernel((const void *)idle_kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
			 NULL);
}

/* Kernels of 2000, 101, 102... ms: which of them are in the trace? The first is long, so that it
 * runs on when a busy machine opens the window late. */
static void scenario_across(void)
{
	set(OUTSIDE);
	wait_until_paused();
	run_for(2000000000); /* enqueued while all was off, runs in the window: not seen */
	streamtrace_start();
	run_for(101000000); /* enqueued in the window, runs after it: kept */
	usleep(10 * MS);
	streamtrace_stop();
	run_for(102000000); /* outside in both ways */
	cudaDeviceSynchronize();
	run_for(103000000);
	cudaDeviceSynchronize();
	streamtrace_start();
	run_for(104000000);
	cudaDeviceSynchronize();
	streamtrace_stop();
}

/* The wait began in the window. */
static void *close_later(void *unused)
{
	while (!scenario_main_sleeps())
		usleep(MS);
	streamtrace_stop();
	return NULL;
}

static void scenario_wait_across(void)
{
	pthread_t thread;

	streamtrace_start();
	run_for(1000000000);
	pthread_create(&thread, NULL, close_later, NULL);
	cudaDeviceSynchronize();
	pthread_join(thread, NULL);
	cudaDeviceSynchronize();
}

static atomic_bool is_over;

static void *thread_main(void *unused)
{
	while (!atomic_load(&is_over)) {
		cudaStreamQuery(NULL);
		cudaMemsetAsync(device, 0, 16, NULL);
		usleep(100);
	}
	return NULL;
}

static void scenario_threads(void)
{
	pthread_t threads[THREADS];

	set(OUTSIDE);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, thread_main, NULL);
	for (int i = 0; i < WINDOWS; i++) {
		streamtrace_start();
		usleep(2 * MS);
		streamtrace_stop();
		usleep(2 * MS);
	}
	atomic_store(&is_over, true);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* The child was forked in a window. */
static void scenario_fork(void)
{
	pid_t child;

	streamtrace_start();
	child = fork();
	if (!child) {
		set(1);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	streamtrace_stop();
	set(OUTSIDE);
}

static const struct scenario scenarios[] = {
	{"calls", scenario_calls},
	{"profiler", scenario_profiler},
	{"profiler-directly", scenario_profiler_directly},
	{"signal", scenario_signal},
	{"early", scenario_early},
	{"off", scenario_off},
	{"across", scenario_across},
	{"wait-across", scenario_wait_across},
	{"threads", scenario_threads},
	{"fork", scenario_fork},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
