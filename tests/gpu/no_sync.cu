/*
 * Calls that must not wait for the device, made while a kernel spins until the host says that it
 * has made them all: one that waits ends in a deadlock. As cuda-samples' UnifiedMemoryPerf, which
 * hangs under a profiler that synchronizes in a call.
 *
 *   no_sync spin     the calls; twice, with a pause between in which a profiler may flush. Each
 * prints a line when it has returned. A watchdog ends the program with status 1. no_sync errors
 * failing calls: what they return, what cudaPeekAtLastError and cudaGetLastError say then, and
 * errno, which no call should touch. Always status 0: the output is compared.
 */
#include <cuda_runtime.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG_S = 20, PAUSE_S = 1, BYTES = 1 << 16 };

static volatile int *go; /* mapped: the kernel reads it */
static cudaStream_t spinning, beside;
static cudaEvent_t event, done;
static cudaGraphExec_t executable;
static char *device, *other, *host;
static const char *volatile at = "the start";

static __global__ void spin(volatile int *flag)
{
	while (!*flag)
		;
}

static __global__ void nothing(void)
{
}

static void check(cudaError_t error, const char *call)
{
	if (!error)
		return;
	fprintf(stderr, "no_sync: %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}

#define CHECK(call) check((call), #call)

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

/* The kernel is released, or the driver would have to kill it. */
static void on_alarm(int number)
{
	(void)number;
	*go = 1;
	say("no_sync: waited for the device: ");
	say(at);
	say("\n");
	_exit(1);
}

/* A step that must return while the kernel spins. */
#define STEP(name, call)                                                                           \
	do {                                                                                       \
		at = (name);                                                                       \
		CHECK(call);                                                                       \
		printf("%s returned\n", at);                                                       \
	} while (0)

static void CUDART_CB host_function(void *count)
{
	++*(int *)count;
}

static int host_functions_run;

/* What goes into a stream; `where` says which in the output. */
static void enqueue_all(const char *where, cudaStream_t stream)
{
	char *allocated;

	printf("in the %s stream:\n", where);
	nothing<<<1, 1, 0, stream>>>();
	STEP("launch", cudaGetLastError());
	STEP("copy H2D", cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, stream));
	STEP("copy D2D", cudaMemcpyAsync(other, device, BYTES, cudaMemcpyDeviceToDevice, stream));
	STEP("copy D2H", cudaMemcpyAsync(host, other, BYTES, cudaMemcpyDeviceToHost, stream));
	STEP("set", cudaMemsetAsync(device, 0, BYTES, stream));
	STEP("event record", cudaEventRecord(event, stream));
	STEP("stream waits for event", cudaStreamWaitEvent(beside, event, 0));
	STEP("allocation in stream order", cudaMallocAsync((void **)&allocated, BYTES, stream));
	STEP("release in stream order", cudaFreeAsync(allocated, stream));
	STEP("host function", cudaLaunchHostFunc(stream, host_function, &host_functions_run));
	STEP("graph launch", cudaGraphLaunch(executable, stream));
}

/* What needs no stream. The memory is kept: a release waits for the device, traced or not. */
static void make_and_destroy(void)
{
	cudaStream_t stream;
	cudaEvent_t made;
	char *allocated, *pinned;

	STEP("stream creation", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	STEP("stream destruction", cudaStreamDestroy(stream));
	STEP("event creation", cudaEventCreate(&made));
	STEP("event destruction", cudaEventDestroy(made));
	STEP("cudaMalloc", cudaMalloc((void **)&allocated, BYTES));
	STEP("cudaMallocHost", cudaMallocHost((void **)&pinned, BYTES));
}

static void expect_spinning(void)
{
	at = "stream query";
	if (cudaStreamQuery(spinning) != cudaErrorNotReady) {
		fprintf(stderr, "no_sync: the kernel spins no more\n");
		exit(1);
	}
	cudaGetLastError(); /* forget that it was not ready */
	printf("%s returned\n", at);
}

static void one_round(void)
{
	at = "launch of the spinning kernel";
	spin<<<1, 1, 0, spinning>>>((volatile int *)go);
	CHECK(cudaGetLastError());
	for (int pass = 0; pass < 2; pass++) {
		enqueue_all("spinning kernel's", spinning);
		make_and_destroy();
		expect_spinning();
		at = "the pause";
		sleep(PAUSE_S);
	}
	*go = 1;
	at = "the end, with the kernel released";
	CHECK(cudaDeviceSynchronize());
	*go = 0;
}

/* Another stream's work must go on beside the kernel: a profiler must not serialize kernels. */
static void beside_round(void)
{
	at = "launch of the spinning kernel";
	spin<<<1, 1, 0, spinning>>>((volatile int *)go);
	CHECK(cudaGetLastError());
	enqueue_all("other", beside);
	STEP("event record", cudaEventRecord(done, beside));
	STEP("event synchronize of the other stream", cudaEventSynchronize(done));
	STEP("stream synchronize of the other stream", cudaStreamSynchronize(beside));
	expect_spinning();
	*go = 1;
	at = "the end, with the kernel released";
	CHECK(cudaDeviceSynchronize());
	*go = 0;
}

static void make_graph(void)
{
	cudaGraph_t graph;

	CHECK(cudaStreamBeginCapture(beside, cudaStreamCaptureModeThreadLocal));
	nothing<<<1, 1, 0, beside>>>();
	CHECK(cudaMemsetAsync(other, 1, BYTES, beside));
	CHECK(cudaStreamEndCapture(beside, &graph));
	CHECK(cudaGraphInstantiate(&executable, graph, 0));
	CHECK(cudaGraphDestroy(graph));
}

static void open_all(void)
{
	CHECK(cudaHostAlloc((void **)&go, sizeof(*go), cudaHostAllocMapped));
	*go = 1;
	CHECK(cudaStreamCreateWithFlags(&spinning, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	CHECK(cudaMalloc((void **)&device, BYTES));
	CHECK(cudaMalloc((void **)&other, BYTES));
	CHECK(cudaMallocHost((void **)&host, BYTES));
	make_graph();
}

/* Once each without a kernel to wait for: what is made at the first use (a loaded module, the pool)
 * is CUDA's own to wait for. */
static void warm_up(void)
{
	enqueue_all("idle", beside);
	spin<<<1, 1, 0, spinning>>>((volatile int *)go);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	*go = 0;
}

static int run_spin(void)
{
	open_all();
	warm_up();
	signal(SIGALRM, on_alarm);
	alarm(WATCHDOG_S);
	one_round();
	beside_round();
	alarm(0);
	printf("host functions %d\n", host_functions_run);
	return 0;
}

/* errno is set before the call and read after it. */
#define TRY(text, call)                                                                            \
	do {                                                                                       \
		errno = 90;                                                                        \
		int result_ = (int)(call);                                                         \
		int errno_ = errno;                                                                \
		int peeked_ = (int)cudaPeekAtLastError();                                          \
		int got_ = (int)cudaGetLastError();                                                \
		printf("%s: %d, errno %d, peek %d, get %d, get again %d\n", text, result_, errno_, \
		       peeked_, got_, (int)cudaGetLastError());                                    \
	} while (0)

static cudaError_t launch(unsigned threads)
{
	nothing<<<1, threads, 0, beside>>>();
	return cudaPeekAtLastError();
}

static int run_errors(void)
{
	void *allocated = NULL;

	open_all();
	for (int round = 0; round < 2; round++) {
		TRY("copy to NULL", cudaMemcpyAsync(NULL, host, BYTES, cudaMemcpyDefault, beside));
		TRY("copy of no kind",
		    cudaMemcpyAsync(device, host, BYTES, (enum cudaMemcpyKind)99, beside));
		TRY("copy, waiting, of no kind",
		    cudaMemcpy(device, host, BYTES, (enum cudaMemcpyKind)99));
		TRY("set of NULL", cudaMemsetAsync(NULL, 0, BYTES, beside));
		TRY("launch of too many threads", launch(4096));
		TRY("launch", launch(1));
		TRY("allocation of too much", cudaMalloc(&allocated, (size_t)1 << 50));
		TRY("pinned allocation of too much", cudaMallocHost(&allocated, (size_t)1 << 50));
		TRY("release of what is not", cudaFree(host + 1));
		TRY("pinned release of what is not", cudaFreeHost(device));
		TRY("registration of NULL", cudaHostRegister(NULL, BYTES, 0));
		TRY("unregistration of what is not", cudaHostUnregister(device));
		TRY("event NULL recorded", cudaEventRecord(NULL, beside));
		TRY("event NULL asked", cudaEventQuery(NULL));
		TRY("event NULL waited for", cudaEventSynchronize(NULL));
		TRY("stream waits for event NULL", cudaStreamWaitEvent(beside, NULL, 0));
		TRY("stream NULL destroyed", cudaStreamDestroy(NULL));
		TRY("graph NULL launched", cudaGraphLaunch(NULL, beside));
		TRY("device 99", cudaSetDevice(99));
		*go = 0;
		spin<<<1, 1, 0, spinning>>>((volatile int *)go);
		TRY("query of a busy stream", cudaStreamQuery(spinning));
		*go = 1;
		TRY("synchronize", cudaDeviceSynchronize());
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "spin"))
		return run_spin();
	if (argc == 2 && !strcmp(argv[1], "errors"))
		return run_errors();
	fprintf(stderr, "usage: no_sync spin|errors\n");
	return 2;
}
