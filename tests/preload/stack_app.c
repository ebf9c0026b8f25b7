/*
 * The traced program of stack_test.c: `stack_app SCENARIO`. Each step of a scenario runs on a thread
 * of its own, twice. What of its stack was ever written is printed as "STEP BYTES".
 */
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <sys/mman.h>

#include "fake_cuda.h"
#include "fake_nccl.h"
#include "scenario.h"

enum {
	STACK_BYTES = 256 << 10,
	PAINT = 0x5a,
	COPY_BYTES = 8192,
	LONG_TEXT = 2000,
	DEPTH = 40,
	MANY_CALLS = 20000,
};

static char host[COPY_BYTES], *pinned;
static void *device;
static cudaStream_t stream;
static cudaEvent_t event;
static ncclComm_t comm;
static char long_text[LONG_TEXT];
static wchar_t wide_text[LONG_TEXT];

static void kernel(void **args)
{
}

static void host_function(void *unused)
{
}

static void synchronize(void)
{
	cudaDeviceSynchronize();
}

static void allocate(void)
{
	cudaMalloc(&device, COPY_BYTES);
	cudaMallocHost((void **)&pinned, COPY_BYTES);
}

static void create(void)
{
	cudaStreamCreate(&stream);
	cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
}

static void copy(void)
{
	cudaMemcpy(device, host, COPY_BYTES, cudaMemcpyHostToDevice);
	cudaMemcpy(host, device, COPY_BYTES, cudaMemcpyDeviceToHost);
}

static void copy_pinned(void)
{
	cudaMemcpyAsync(device, pinned, COPY_BYTES, cudaMemcpyHostToDevice, stream);
	cudaMemcpyAsync(pinned, device, COPY_BYTES, cudaMemcpyDeviceToHost, stream);
	cudaMemsetAsync(device, 0, COPY_BYTES, stream);
	cudaStreamSynchronize(stream);
}

static void launch(void)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};

	__cudaLaunchKernel((cudaKernel_t)kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, stream);
}

static void launch_and_wait(void)
{
	uint64_t duration_ns = 20000000;
	void *args[] = {&duration_ns};

	__cudaLaunchKernel((cudaKernel_t)kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, stream);
	cudaStreamSynchronize(stream);
}

/* So slow that its whole stack is taken, which is more than a fast call looks at. */
static __attribute__((noinline)) void wait_below(int depth)
{
	if (depth)
		wait_below(depth - 1);
	else
		launch_and_wait();
	__asm__ volatile(""); /* no tail call */
}

static void wait_slowly(void)
{
	wait_below(DEPTH);
}

static void record_event(void)
{
	cudaEventRecord(event, stream);
	cudaStreamWaitEvent(stream, event, 0);
	cudaEventQuery(event);
	cudaEventSynchronize(event);
}

static void call_host(void)
{
	cudaLaunchHostFunc(stream, host_function, NULL);
	cudaStreamSynchronize(stream);
}

static void launch_graph(void)
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;

	cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
	launch();
	cudaStreamEndCapture(stream, &graph);
	cudaGraphInstantiateWithFlags(&exec, graph, 0);
	cudaGraphLaunch(exec, stream);
	cudaStreamSynchronize(stream);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
}

static void make_many_calls(void)
{
	for (int i = 0; i < MANY_CALLS; i++)
		cudaStreamQuery(stream);
}

/* The second time there is nothing left. */
static void destroy(void)
{
	if (!event)
		return;
	cudaEventDestroy(event);
	cudaStreamDestroy(stream);
	cudaFreeHost(pinned);
	cudaFree(device);
	event = NULL;
}

static void push_range(void)
{
	nvtxRangePushA("short");
	nvtxRangePop();
}

static void push_long(void)
{
	nvtxRangePushA(long_text);
	nvtxRangePop();
}

static void push_wide(void)
{
	nvtxRangePushW(wide_text);
	nvtxRangePop();
}

static void push_registered(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateW(wide_text);
	nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
					    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
					    .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	attributes.message.registered = nvtxDomainRegisterStringW(domain, wide_text);
	nvtxDomainRangePushEx(domain, &attributes);
	nvtxDomainRangePop(domain);
}

static void initialize_nccl(void)
{
	ncclUniqueId id = {{1}};

	ncclCommInitRank(&comm, 4, id, 2);
}

static void reduce(void)
{
	ncclGroupStart();
	ncclAllReduce(host, host, 8, ncclFloat32, 0, comm, NULL);
	ncclGroupEnd();
}

static void destroy_nccl(void)
{
	if (comm)
		ncclCommDestroy(comm);
	comm = NULL;
}

struct step {
	const char *name;
	void (*run)(void);
};

static const struct step cuda_steps[] = {
	{"synchronize", synchronize},
	{"allocate", allocate},
	{"create", create},
	{"copy", copy},
	{"copy_pinned", copy_pinned},
	{"launch", launch},
	{"wait", wait_slowly},
	{"event", record_event},
	{"host_function", call_host},
	{"graph", launch_graph},
	{"many", make_many_calls},
	{"destroy", destroy},
	{NULL, NULL},
};

static const struct step nvtx_steps[] = {
	{"push", push_range}, {"synchronize", synchronize},    {"long", push_long},
	{"wide", push_wide},  {"registered", push_registered}, {NULL, NULL},
};

static const struct step nccl_steps[] = {
	{"initialize", initialize_nccl},
	{"reduce", reduce},
	{"destroy", destroy_nccl},
	{NULL, NULL},
};

static void *thread_main(void *argument)
{
	const struct step *step = argument;

	step->run();
	return NULL;
}

static void run_on_thread(const struct step *step, const char *which)
{
	char *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attributes;
	pthread_t thread;
	size_t untouched = 0;

	memset(stack, PAINT, STACK_BYTES);
	pthread_attr_init(&attributes);
	if (pthread_attr_setstack(&attributes, stack, STACK_BYTES) ||
	    pthread_create(&thread, &attributes, thread_main, (void *)step))
		exit(2);
	pthread_join(thread, NULL);
	while (untouched < STACK_BYTES && stack[untouched] == PAINT)
		untouched++;
	printf("%s-%s %zu\n", step->name, which, STACK_BYTES - untouched);
	munmap(stack, STACK_BYTES);
}

static void run_steps(const struct step *steps)
{
	memset(long_text, 'x', sizeof(long_text) - 1);
	for (int i = 0; i < LONG_TEXT - 1; i++)
		wide_text[i] = L'\u00e9';
	for (const struct step *step = steps; step->name; step++) {
		run_on_thread(step, "first");
		run_on_thread(step, "second");
	}
}

static void scenario_cuda(void)
{
	run_steps(cuda_steps);
}

static void scenario_nvtx(void)
{
	run_steps(nvtx_steps);
}

static void scenario_nccl(void)
{
	run_steps(nccl_steps);
}

static const struct scenario scenarios[] = {
	{"cuda", scenario_cuda},
	{"nvtx", scenario_nvtx},
	{"nccl", scenario_nccl},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
