/*
 * Loops whose time tracing changes, each in another way: for untraced.py.
 *
 *   untraced_loops CASE [STEPS]
 *
 * Prints "CASE MS": the time between cudaProfilerStart() and cudaProfilerStop(), which is what a trace
 * with STREAMTRACE_START=paused records.
 */
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

#define GRAPH_NODES 300

static cudaStream_t stream;
static cudaEvent_t event;
static void *device_word, *host_word;
static volatile uint64_t sink;

static __global__ void nothing(void)
{
}

static __global__ void spin(int64_t cycles)
{
	for (int64_t start = clock64(); clock64() - start < cycles;)
		;
}

/* So many rounds of arithmetic on the host. */
static void work(int rounds)
{
	uint64_t value = sink;

	for (int i = 0; i < rounds; i++)
		value = value * UINT64_C(6364136223846793005) + 1;
	sink = value;
}

/* The host launches, and is slower than the device. */
static void launches(int i)
{
	nothing<<<1, 1, 0, stream>>>();
	if (i % 256 == 255)
		CHECK(cudaStreamSynchronize(stream));
}

/* The same with work of its own between the launches. */
static void launches_and_work(int i)
{
	work(2000);
	launches(i);
}

static void mixed_calls(int i)
{
	nothing<<<1, 1, 0, stream>>>();
	CHECK(cudaMemcpyAsync(device_word, host_word, 4, cudaMemcpyHostToDevice, stream));
	CHECK(cudaEventRecord(event, stream));
	cudaEventQuery(event);
	if (i % 64 == 63)
		CHECK(cudaStreamSynchronize(stream));
}

/* Each kernel is waited for. */
static void steps(int)
{
	nothing<<<1, 1, 0, stream>>>();
	CHECK(cudaStreamSynchronize(stream));
}

/* A result is read back after each kernel. */
static void results(int)
{
	nothing<<<1, 1, 0, stream>>>();
	CHECK(cudaMemcpyAsync(host_word, device_word, 4, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
	work(500);
}

/* The device is slower than the host. */
static void kernels(int)
{
	spin<<<1, 32, 0, stream>>>(20000);
}

/* A generation loop: a graph of as many kernels as a model's step has, each eighth result read back. */
static void graphs(int i)
{
	static cudaGraphExec_t executable;

	if (!executable) {
		cudaGraph_t graph;
		CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
		for (int node = 0; node < GRAPH_NODES; node++)
			nothing<<<1, 1, 0, stream>>>();
		CHECK(cudaStreamEndCapture(stream, &graph));
		CHECK(cudaGraphInstantiate(&executable, graph, 0));
	}
	CHECK(cudaGraphLaunch(executable, stream));
	if (i % 8 == 7)
		CHECK(cudaMemcpy(host_word, device_word, 4, cudaMemcpyDeviceToHost));
}

static const struct {
	const char *name;
	void (*step)(int i);
	int steps;
} cases[] = {
	{"launches", launches, 20000},	    {"launches-and-work", launches_and_work, 20000},
	{"mixed-calls", mixed_calls, 8000}, {"steps", steps, 8000},
	{"results", results, 8000},	    {"kernels", kernels, 4000},
	{"graphs", graphs, 2000},
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void run(void (*step)(int i), int count)
{
	for (int i = 0; i < count; i++)
		step(i);
	CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	CHECK(cudaMalloc(&device_word, 4));
	CHECK(cudaMallocHost(&host_word, 4));
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (argc < 2 || strcmp(argv[1], cases[i].name))
			continue;
		run(cases[i].step, 500);
		CHECK(cudaProfilerStart());
		int64_t start_ns = now_ns();
		run(cases[i].step, argc > 2 ? atoi(argv[2]) : cases[i].steps);
		int64_t end_ns = now_ns();
		CHECK(cudaProfilerStop());
		printf("%s %.3f ms\n", cases[i].name, (double)(end_ns - start_ns) / 1e6);
		return 0;
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		fprintf(stderr, "%s\n", cases[i].name);
	return 2;
}
