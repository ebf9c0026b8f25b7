/*
 * The traced program of work_test.c: `work_app SCENARIO`. What a scenario can check itself it does,
 * and says on stderr what went wrong: the test wants silence there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_cuda.h"
#include "scenario.h"

#define MS 1000000

static void check(bool is_so, const char *what, int line)
{
	if (!is_so)
		fprintf(stderr, "line %d: not so: %s\n", line, what);
}
#define CHECK(expression) check(expression, #expression, __LINE__)

static const dim3 one = {1, 1, 1};

void idle_kernel(void **args);

void idle_kernel(void **args)
{
}

static void launch(cudaStream_t stream, uint64_t duration_ns)
{
	void *args[] = {&duration_ns};

	CHECK(!__cudaLaunchKernel((cudaKernel_t)idle_kernel, one, one, args, 0, stream));
}

static cudaStream_t new_stream(void)
{
	cudaStream_t stream;

	CHECK(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

/* Each counts its own runs. */
static void host_function(void *runs)
{
	usleep(2000);
	++*(atomic_int *)runs;
}

static void callback(cudaStream_t stream, cudaError_t status, void *runs)
{
	CHECK(stream && status == cudaSuccess);
	++*(atomic_int *)runs;
}

static void scenario_host_functions(void)
{
	cudaStream_t stream = new_stream();
	atomic_int runs[4] = {0};

	launch(stream, 20 * MS);
	errno = 77;
	for (int i = 0; i < 3; i++)
		CHECK(!cudaLaunchHostFunc(stream, host_function, &runs[i]));
	CHECK(!cudaStreamAddCallback(stream, callback, &runs[3], 0));
	CHECK(errno == 77);
	CHECK(cudaLaunchHostFunc(stream, NULL, NULL) == cudaErrorInvalidValue);
	CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
	CHECK(!cudaStreamSynchronize(stream));
	for (int i = 0; i < 4; i++)
		CHECK(runs[i] == 1);
	printf("stream %lld\n", (long long)(intptr_t)stream);
}

static void scenario_many_host_functions(void)
{
	cudaStream_t stream = new_stream();
	atomic_int runs = 0;

	for (int i = 0; i < 2000; i++)
		CHECK(!cudaStreamAddCallback(stream, callback, &runs, 0));
	CHECK(!cudaDeviceSynchronize());
	CHECK(runs == 2000);
}

/* More than there are slots: what was prepared for a call that CUDA refuses is taken back. */
static void scenario_refused_host_functions(void)
{
	cudaStream_t stream = new_stream();
	atomic_int runs = 0;
	cudaGraph_t graph;

	CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (int i = 0; i < 1100000; i++)
		CHECK(cudaStreamAddCallback(stream, callback, &runs, 0) ==
		      cudaErrorStreamCaptureUnsupported);
	CHECK(!cudaStreamEndCapture(stream, &graph));
	CHECK(!cudaGraphDestroy(graph));
	CHECK(runs == 0);
}

static atomic_int late_runs;

static void wait_for_late_run(void)
{
	while (!late_runs)
		usleep(10000);
	CHECK(late_runs == 1);
}

static void slow_function(void *unused)
{
	usleep(300000);
}

/* One begins before and ends after the tracing does, one runs after it: handlers that were
 * registered later run earlier. */
static void scenario_host_function_after_the_end(void)
{
	atexit(wait_for_late_run);
	cudaStream_t stream = new_stream();

	CHECK(!cudaLaunchHostFunc(stream, slow_function, NULL));
	CHECK(!cudaLaunchHostFunc(stream, host_function, &late_runs));
}

/* As ctypes does: past the wrappers. */
static void scenario_direct_host_function(void)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
	__typeof__(&cudaLaunchHostFunc) start;
	cudaStream_t stream = new_stream();
	atomic_int runs = 0;

	*(void **)&start = dlsym(cudart, "cudaLaunchHostFunc");
	CHECK(!start(stream, host_function, &runs));
	CHECK(!cudaStreamSynchronize(stream));
	CHECK(runs == 1);
}

static void capture(cudaStream_t stream, void *device, void *pinned, atomic_int *runs)
{
	CHECK(!cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, stream));
	launch(stream, MS);
	CHECK(!cudaMemsetAsync(device, 1, 100, stream));
	CHECK(!cudaLaunchHostFunc(stream, host_function, runs));
}

static void scenario_graph(void)
{
	cudaStream_t stream = new_stream();
	atomic_int runs = 0;
	void *device, *pinned;
	cudaGraphExec_t exec;
	cudaGraph_t graph, clone;

	CHECK(!cudaMalloc(&device, 4096));
	CHECK(!cudaMallocHost(&pinned, 4096));
	capture(stream, device, pinned, &runs); /* as it is, before and behind the captured one */
	CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	capture(stream, device, pinned, &runs);
	CHECK(!cudaStreamEndCapture(stream, &graph));
	CHECK(!cudaGraphClone(&clone, graph));
	CHECK(!cudaGraphInstantiateWithFlags(&exec, clone, 0));
	for (int i = 0; i < 3; i++)
		CHECK(!cudaGraphLaunch(exec, stream));
	capture(stream, device, pinned, &runs);
	CHECK(!cudaStreamSynchronize(stream));
	CHECK(runs == 5);
	CHECK(!cudaGraphExecDestroy(exec) && !cudaGraphDestroy(clone) && !cudaGraphDestroy(graph));
	CHECK(!cudaFree(device) && !cudaFreeHost(pinned));
}

/* A kernel, a child graph of two kernels, a kernel; made executable twice. */
static void scenario_child_graph(void)
{
	cudaStream_t stream = new_stream();
	cudaGraphExec_t execs[2];
	cudaGraphNode_t node;
	cudaGraph_t graphs[2];

	for (int i = 0; i < 2; i++) {
		CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
		launch(stream, MS);
		launch(stream, MS);
		CHECK(!cudaStreamEndCapture(stream, &graphs[i]));
	}
	CHECK(!cudaGraphAddChildGraphNode(&node, graphs[0], NULL, 0, graphs[1]));
	for (int i = 0; i < 2; i++)
		CHECK(!cudaGraphInstantiateWithFlags(&execs[i], graphs[0], 0));
	CHECK(!cudaGraphLaunch(execs[0], stream));
	CHECK(!cudaStreamSynchronize(stream));
	for (int i = 0; i < 2; i++)
		CHECK(!cudaGraphExecDestroy(execs[i]) && !cudaGraphDestroy(graphs[i]));
	CHECK(cudaPeekAtLastError() == cudaSuccess);
}

void branch_kernel(void **args);

void branch_kernel(void **args)
{
}

static void launch_on(void *memory, cudaStream_t stream)
{
	uint64_t duration_ns = 2 * MS;
	void *args[] = {&duration_ns, &memory};

	CHECK(!__cudaLaunchKernel((cudaKernel_t)branch_kernel, one, one, args, 0, stream));
}

/* One stream is captured: two kernels on some memory, and a copy of other memory. Launched so often that the
 * finding is worth a line on a machine that takes seconds for the first launch. */
static void scenario_graph_branches(void)
{
	const size_t bytes = 64 << 20, sizes[] = {sizeof(uint64_t), sizeof(void *)};
	cudaStream_t stream = new_stream();
	cudaGraphExec_t exec;
	cudaGraph_t graph;
	void *worked_on, *copied, *pinned;

	fake_cuda_set_parameters((const void *)branch_kernel, sizes, 2);
	CHECK(!cudaMalloc(&worked_on, bytes) && !cudaMalloc(&copied, bytes));
	CHECK(!cudaMallocHost(&pinned, bytes));
	CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	launch_on(worked_on, stream);
	launch_on(worked_on, stream);
	printf("line %d\n", __LINE__ + 1);
	CHECK(!cudaMemcpyAsync(pinned, copied, bytes, cudaMemcpyDeviceToHost, stream));
	CHECK(!cudaStreamEndCapture(stream, &graph));
	CHECK(!cudaGraphInstantiateWithFlags(&exec, graph, 0));
	for (int i = 0; i < 100; i++)
		CHECK(!cudaGraphLaunch(exec, stream));
	CHECK(!cudaStreamSynchronize(stream));
	CHECK(!cudaGraphExecDestroy(exec) && !cudaGraphDestroy(graph));
}

static cudaGraph_t capture_many(cudaStream_t stream)
{
	cudaGraph_t graph;

	CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	for (int k = 0; k < 2000; k++)
		launch(stream, 1);
	CHECK(!cudaStreamEndCapture(stream, &graph));
	return graph;
}

static void make_executable(cudaGraph_t graph)
{
	cudaGraphExec_t exec;

	CHECK(!cudaGraphInstantiateWithFlags(&exec, graph, 0) && !cudaGraphExecDestroy(exec));
}

/* More edges than are recorded: of 60 graphs of 2,000 nodes the last ten. */
static void scenario_many_edges(void)
{
	cudaStream_t stream = new_stream();
	cudaGraph_t graph;

	for (int i = 0; i < 60; i++) {
		graph = capture_many(stream);
		make_executable(graph);
		CHECK(!cudaGraphDestroy(graph));
	}
}

static void scenario_executable_again(void)
{
	cudaGraph_t graph = capture_many(new_stream());

	for (int i = 0; i < 60; i++)
		make_executable(graph);
	CHECK(!cudaGraphDestroy(graph));
}

static void scenario_host_node(void)
{
	cudaStream_t stream = new_stream();
	atomic_int runs = 0;
	const struct cudaHostNodeParams params = {.fn = host_function, .userData = &runs};
	struct cudaHostNodeParams found = {0};
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	cudaGraph_t graph;

	CHECK(!cudaGraphCreate(&graph, 0));
	CHECK(!cudaGraphAddHostNode(&node, graph, NULL, 0, &params));
	CHECK(cudaGraphAddHostNode(&node, graph, NULL, 0, NULL) == cudaErrorInvalidValue);
	CHECK(!cudaGraphHostNodeGetParams(node, &found));
	CHECK(found.fn == host_function && found.userData == &runs);
	CHECK(!cudaGraphInstantiate(&exec, graph, 0));
	fake_cuda_tell_node(node); /* by a call that CUPTI does not report */
	CHECK(!cudaGraphLaunch(exec, stream) && !cudaGraphLaunch(exec, stream));
	CHECK(!cudaStreamSynchronize(stream));
	CHECK(runs == 2);
}

static void scenario_pools(void)
{
	const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned};
	cudaMemPool_t pool;

	CHECK(!cudaMemPoolCreate(&pool, &props));
	printf("pool %lld\n", (long long)(intptr_t)pool);
	CHECK(!cudaMemPoolTrimTo(pool, 8192));
	CHECK(!cudaMemPoolDestroy(pool));
}

/* The writer asks CUPTI at each flush: here a second time. */
static void scenario_managed(void)
{
	void *managed;

	CHECK(!cudaFree(NULL));
	scenario_flush();
	scenario_flush();
	CHECK(!cudaMallocManaged(&managed, 8192, cudaMemAttachGlobal));
	printf("managed %lld\n", (long long)(intptr_t)managed);
	CHECK(!cudaFree(managed));
}

static const struct scenario scenarios[] = {
	{"host-functions", scenario_host_functions},
	{"many-host-functions", scenario_many_host_functions},
	{"refused-host-functions", scenario_refused_host_functions},
	{"host-function-after-the-end", scenario_host_function_after_the_end},
	{"direct-host-function", scenario_direct_host_function},
	{"graph", scenario_graph},
	{"child-graph", scenario_child_graph},
	{"graph-branches", scenario_graph_branches},
	{"executable-again", scenario_executable_again},
	{"many-edges", scenario_many_edges},
	{"host-node", scenario_host_node},
	{"pools", scenario_pools},
	{"managed", scenario_managed},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
