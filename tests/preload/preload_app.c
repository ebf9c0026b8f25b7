#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PER_THREAD 0
#include "preload_app.h"
#include "scenario.h"

enum { THREAD_CALLS = 20000, LOOP_LAUNCHES = 5 };
/* SLOW_NS: the kernel still runs when a busy machine lets the program wait for it. */
enum { DEEP_FRAMES = 40, SLOW_NS = 200000000, PAUSE_CALLS = 8192 };

static void print_value(int64_t value)
{
	if (value == NONE)
		printf(" -");
	else if (value == ANY)
		printf(" ?");
	else
		printf(" %lld", (long long)value);
}

cudaError_t made(const char *name, const char *class, struct expected expected, int per_thread,
		 cudaError_t result)
{
	printf("call %s %s", name, class);
	print_value(expected.stream);
	print_value(expected.object);
	print_value(expected.dst);
	print_value(expected.src);
	print_value(expected.size);
	printf(" %d %d %d\n", (int)result, per_thread, (int)gettid());
	return result;
}

void idle_kernel(void **args)
{
}

static const dim3 one = {1, 1, 1};

static cudaError_t launch(cudaStream_t stream, uint64_t duration_ns)
{
	void *args[] = {&duration_ns};

	return __cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, stream);
}

static void print_stream(cudaStream_t stream, int flag, int priority)
{
	printf("stream %lld %d %d\n", (long long)VALUE(stream), flag, priority);
}

static void calls_of_memory(void)
{
	static char host[4096];
	void *device, *managed, *pinned, *locked;

	cudaMalloc(&device, 4096);
	CALL(cudaMalloc, "alloc", cudaSuccess, NONE, NONE, VALUE(device), NONE, 4096);
	cudaMallocManaged(&managed, 512, cudaMemAttachGlobal);
	CALL(cudaMallocManaged, "alloc", cudaSuccess, NONE, NONE, VALUE(managed), NONE, 512);
	cudaMallocHost(&pinned, 4096);
	CALL(cudaMallocHost, "host-alloc", cudaSuccess, NONE, NONE, VALUE(pinned), NONE, 4096);
	cudaHostAlloc(&locked, 256, cudaHostAllocDefault);
	CALL(cudaHostAlloc, "host-alloc", cudaSuccess, NONE, NONE, VALUE(locked), NONE, 256);
	CALL(cudaHostRegister, "register", cudaHostRegister(host, sizeof(host), 0), NONE, NONE,
	     VALUE(host), NONE, sizeof(host));
	CALL(cudaMemcpy, "copy", cudaMemcpy(device, host, 4096, cudaMemcpyHostToDevice), ANY, NONE,
	     VALUE(device), VALUE(host), 4096);
	CALL(cudaMemcpyAsync, "copy",
	     cudaMemcpyAsync(pinned, device, 1024, cudaMemcpyDeviceToHost, NULL), 0, NONE,
	     VALUE(pinned), VALUE(device), 1024);
	CALL(cudaMemcpy2DAsync, "copy",
	     cudaMemcpy2DAsync(device, 64, pinned, 32, 16, 8, cudaMemcpyDefault, NULL), 0, NONE,
	     VALUE(device), VALUE(pinned), 16 * 8);
	CALL(cudaMemset, "set", cudaMemset(device, 1, 100), ANY, NONE, VALUE(device), NONE, 100);
	CALL(cudaMemsetAsync, "set", cudaMemsetAsync(device, 1, 200, NULL), 0, NONE, VALUE(device),
	     NONE, 200);
	CALL(cudaMemcpyAsync, "copy",
	     cudaMemcpyAsync(device, pinned, 5000, cudaMemcpyHostToDevice, NULL), 0, NONE,
	     VALUE(device), VALUE(pinned), 5000); /* too long: it fails */
	CALL(cudaHostUnregister, "unregister", cudaHostUnregister(host), NONE, NONE, VALUE(host),
	     NONE, NONE);
	CALL(cudaFreeHost, "host-free", cudaFreeHost(pinned), NONE, NONE, VALUE(pinned), NONE,
	     NONE);
	CALL(cudaFreeHost, "host-free", cudaFreeHost(locked), NONE, NONE, VALUE(locked), NONE,
	     NONE);
	CALL(cudaFree, "free", cudaFree(managed), NONE, NONE, VALUE(managed), NONE, NONE);
	CALL(cudaFree, "free", cudaFree(device), NONE, NONE, VALUE(device), NONE, NONE);
	printf("operations 0 3 2\n");
}

static void calls_of_launches(cudaStream_t stream)
{
	uint64_t duration_ns = 2000;
	void *args[] = {&duration_ns};
	cudaLaunchConfig_t config = {.gridDim = one, .blockDim = one, .stream = stream};

	CALL(__cudaLaunchKernel, "launch",
	     __cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, stream),
	     VALUE(stream), VALUE(idle_kernel), NONE, NONE, NONE);
	CALL(cudaLaunchKernel, "launch",
	     cudaLaunchKernel((const void *)idle_kernel, one, one, args, 0, stream), VALUE(stream),
	     VALUE(idle_kernel), NONE, NONE, NONE);
	CALL(cudaLaunchKernelExC, "launch",
	     cudaLaunchKernelExC(&config, (const void *)idle_kernel, args), VALUE(stream),
	     VALUE(idle_kernel), NONE, NONE, NONE);
	CALL(cudaLaunchCooperativeKernel, "launch",
	     cudaLaunchCooperativeKernel((const void *)idle_kernel, one, one, args, 0, stream),
	     VALUE(stream), VALUE(idle_kernel), NONE, NONE, NONE);
	printf("operations 4 0 0\n");
}

static void calls_of_streams_and_events(void)
{
	cudaStream_t plain, flagged, urgent;
	cudaEvent_t event, light;
	float ms;

	cudaStreamCreate(&plain);
	CALL(cudaStreamCreate, "stream-create", cudaSuccess, ANY, VALUE(plain), NONE, NONE, NONE);
	cudaStreamCreateWithFlags(&flagged, cudaStreamNonBlocking);
	CALL(cudaStreamCreateWithFlags, "stream-create", cudaSuccess, ANY, VALUE(flagged), NONE,
	     NONE, NONE);
	cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -2);
	CALL(cudaStreamCreateWithPriority, "stream-create", cudaSuccess, ANY, VALUE(urgent), NONE,
	     NONE, NONE);
	print_stream(plain, 1, 0);
	print_stream(flagged, 2, 0);
	print_stream(urgent, 2, -2);
	cudaEventCreate(&event);
	CALL(cudaEventCreate, "event-create", cudaSuccess, NONE, VALUE(event), NONE, NONE, NONE);
	cudaEventCreateWithFlags(&light, cudaEventDisableTiming);
	CALL(cudaEventCreateWithFlags, "event-create", cudaSuccess, NONE, VALUE(light), NONE, NONE,
	     NONE);
	calls_of_launches(flagged);
	CALL(cudaEventRecord, "event-record", cudaEventRecord(event, flagged), VALUE(flagged),
	     VALUE(event), NONE, NONE, NONE);
	CALL(cudaEventRecordWithFlags, "event-record", cudaEventRecordWithFlags(light, plain, 0),
	     VALUE(plain), VALUE(light), NONE, NONE, NONE);
	CALL(cudaStreamWaitEvent, "stream-wait-event", cudaStreamWaitEvent(urgent, event, 0),
	     VALUE(urgent), VALUE(event), NONE, NONE, NONE);
	CALL(cudaEventSynchronize, "event-sync", cudaEventSynchronize(event), NONE, VALUE(event),
	     NONE, NONE, NONE);
	CALL(cudaEventQuery, "event-query", cudaEventQuery(event), NONE, VALUE(event), NONE, NONE,
	     NONE);
	CALL(cudaEventElapsedTime, "event-elapsed", cudaEventElapsedTime(&ms, event, event), NONE,
	     VALUE(event), NONE, NONE, NONE);
	CALL(cudaStreamQuery, "stream-query", cudaStreamQuery(plain), VALUE(plain), NONE, NONE,
	     NONE, NONE);
	CALL(cudaStreamSynchronize, "stream-sync", cudaStreamSynchronize(urgent), VALUE(urgent),
	     NONE, NONE, NONE, NONE);
	CALL(cudaEventDestroy, "event-destroy", cudaEventDestroy(event), NONE, VALUE(event), NONE,
	     NONE, NONE);
	CALL(cudaEventDestroy, "event-destroy", cudaEventDestroy(light), NONE, VALUE(light), NONE,
	     NONE, NONE);
	CALL(cudaStreamDestroy, "stream-destroy", cudaStreamDestroy(plain), VALUE(plain), NONE,
	     NONE, NONE, NONE);
	CALL(cudaStreamDestroy, "stream-destroy", cudaStreamDestroy(flagged), VALUE(flagged), NONE,
	     NONE, NONE, NONE);
	CALL(cudaStreamDestroy, "stream-destroy", cudaStreamDestroy(urgent), VALUE(urgent), NONE,
	     NONE, NONE, NONE);
	CALL(cudaDeviceSynchronize, "device-sync", cudaDeviceSynchronize(), NONE, NONE, NONE, NONE,
	     NONE);
}

static void scenario_all(void)
{
	calls_of_memory();
	calls_of_streams_and_events();
}

/* What a program can see of its calls; the same with a tracer. */
static void scenario_visible(void)
{
	char host[64] = {0};
	void *device = NULL;
	int result;

	for (int round = 0; round < 2; round++) {
		errno = 77;
		result = cudaMalloc(&device, 64);
		printf("cudaMalloc %d errno %d\n", result, errno);
		errno = 78;
		result = cudaMemcpyAsync(device, host, 65, cudaMemcpyHostToDevice, NULL);
		printf("cudaMemcpyAsync %d errno %d\n", result, errno);
		errno = 79;
		printf("launch %d errno %d\n", launch(NULL, 1000), errno);
		result = cudaLaunchKernel(NULL, one, one, NULL, 0, NULL);
		printf("cudaLaunchKernel %d\n", result);
		printf("peek %d", cudaPeekAtLastError());
		printf(" get %d", cudaGetLastError());
		printf(" get %d\n", cudaGetLastError());
		launch(NULL, 50 * 1000000);
		printf("query %d\n", cudaStreamQuery(NULL));
		printf("get %d errno %d\n", cudaGetLastError(), errno);
		result = cudaFree(device);
		printf("cudaFree %d errno %d\n", result, errno);
	}
	fputs("a line on stderr\n", stderr);
	exit(5);
}

static void *thread_main(void *argument)
{
	cudaStream_t stream;

	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	for (int i = 0; i < THREAD_CALLS - 2; i++)
		launch(stream, 100);
	cudaStreamSynchronize(stream);
	printf("thread %d %d\n", (int)gettid(), THREAD_CALLS);
	return NULL;
}

static void scenario_threads(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, thread_main, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* The parent's calls around a child that leaves through exit(), with every handler of the
 * parent's. */
static void fork_between_calls(cudaError_t (*child_call)(void))
{
	pid_t child;
	int status;

	CALL(cudaDeviceSynchronize, "device-sync", cudaDeviceSynchronize(), NONE, NONE, NONE, NONE,
	     NONE);
	fflush(stdout);
	scenario_flush(); /* until its file is there: the child may have one, too */
	child = fork();
	if (!child)
		exit(child_call ? (int)child_call() : 3);
	waitpid(child, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	CALL(cudaDeviceSynchronize, "device-sync", cudaDeviceSynchronize(), NONE, NONE, NONE, NONE,
	     NONE);
}

static void scenario_fork(void)
{
	fork_between_calls(NULL);
}

/* CUDA refuses a child whose parent has initialized it (cudaErrorInitializationError). */
static void scenario_fork_with_a_call(void)
{
	fork_between_calls(cudaDeviceSynchronize);
}

/* Three call sites: one launch, one launch, a loop. Prints `site LINE LAUNCHES`. */
static void scenario_sites(void)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	volatile int launches = LOOP_LAUNCHES;
	const cudaKernel_t kernel = (cudaKernel_t)idle_kernel;
	int line;

	line = __LINE__ + 1;
	__cudaLaunchKernel(kernel, one, one, args, 0, NULL);
	printf("site %d 1\n", line);
	line = __LINE__ + 1;
	__cudaLaunchKernel(kernel, one, one, args, 0, NULL);
	printf("site %d 1\n", line);
	line = __LINE__ + 2;
	for (int i = 0; i < launches; i++)
		__cudaLaunchKernel(kernel, one, one, args, 0, NULL);
	printf("site %d %d\n", line, LOOP_LAUNCHES);
}

/* nvcc makes a function of each kernel that launches it: the call site is its caller's. */
static __attribute__((noinline)) void stub(void **args)
{
	__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, NULL);
	__asm__ volatile(""); /* no tail call */
}

static void scenario_stub_sites(void)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	int line;

	line = __LINE__ + 1;
	stub(args);
	printf("site %d 1\n", line);
	line = __LINE__ + 1;
	stub(args);
	printf("site %d 1\n", line);
}

/* `depth` frames of sizes that vary, and a slow call behind them. */
static __attribute__((noinline)) void wait_deep(int depth)
{
	volatile char *room = alloca((size_t)(16 + depth % 3 * 64));

	room[0] = 0;
	if (depth)
		wait_deep(depth - 1);
	else
		cudaStreamSynchronize(NULL);
	__asm__ volatile(""); /* no tail call */
}

/* The innermost frames are the same: only the whole stack tells the two apart. */
static void scenario_deep_sites(void)
{
	volatile int rounds = 2; /* or each round would have lines of its own */
	int line;

	for (int i = 0; i < rounds; i++) {
		launch(NULL, SLOW_NS);
		line = __LINE__ + 1;
		wait_deep(DEEP_FRAMES);
		printf("site %d 1\n", line);
		launch(NULL, SLOW_NS);
		line = __LINE__ + 1;
		wait_deep(DEEP_FRAMES);
		printf("site %d 1\n", line);
	}
}

/* One of 8 to the power of depth ways through this function. */
static __attribute__((noinline)) void take_way(int way, int depth)
{
	if (!depth) {
		cudaStreamQuery(NULL);
		return;
	}
	switch (way % 8) {
#define WAY(n)                                                                                     \
	case n:                                                                                    \
		take_way(way / 8, depth - 1);                                                      \
		__asm__ volatile("# %0" : : "i"(n)); /* or the cases would become one */           \
		break
		WAY(0);
		WAY(1);
		WAY(2);
		WAY(3);
		WAY(4);
		WAY(5);
		WAY(6);
		WAY(7);
#undef WAY
	}
}

static void scenario_many_sites(void)
{
	for (int way = 0; way < 8 * 8 * 8 * 8 * 8 * 8; way++) {
		take_way(way, 6);
		if (way % PAUSE_CALLS == 0)
			scenario_flush(); /* else a ring is full, and no stack is taken */
	}
	cudaStreamQuery(NULL);
}

/* As ctypes does: past every wrapper. */
static void scenario_direct(void)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
	__typeof__(&cudaMemcpyAsync) copy;
	__typeof__(&__cudaLaunchKernel) start;
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	void *device, *pinned;

	*(void **)&copy = dlsym(cudart, "cudaMemcpyAsync");
	*(void **)&start = dlsym(cudart, "__cudaLaunchKernel");
	cudaMalloc(&device, 4096);
	cudaMallocHost(&pinned, 4096);
	copy(device, pinned, 3000, cudaMemcpyHostToDevice, NULL);
	start((cudaKernel_t)idle_kernel, one, one, args, 0, NULL);
	cudaMemcpyAsync(device, pinned, 2000, cudaMemcpyHostToDevice, NULL);
	cudaDeviceSynchronize();
}

/* Killed while it runs: what was flushed must be in the file. */
static void scenario_killed(void)
{
	scenario_all();
	scenario_wait_to_be_killed();
}

/* A handle that comes again means another stream. */
static void scenario_reused_handle(void)
{
	cudaStream_t stream;

	for (int i = 0; i < 3; i++) {
		cudaStreamCreate(&stream);
		launch(stream, 1000);
		cudaStreamSynchronize(stream);
		cudaStreamDestroy(stream);
		printf("handle %lld\n", (long long)VALUE(stream));
	}
}

static void scenario_nothing(void)
{
	puts("nothing");
}

static const struct scenario scenarios[] = {
	{"all", scenario_all},
	{"visible", scenario_visible},
	{"threads", scenario_threads},
	{"fork", scenario_fork},
	{"fork-with-a-call", scenario_fork_with_a_call},
	{"sites", scenario_sites},
	{"stub-sites", scenario_stub_sites},
	{"deep-sites", scenario_deep_sites},
	{"many-sites", scenario_many_sites},
	{"direct", scenario_direct},
	{"killed", scenario_killed},
	{"reused-handle", scenario_reused_handle},
	{"per-thread", scenario_per_thread},
	{"nothing", scenario_nothing},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
