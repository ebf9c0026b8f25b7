/*
 * api_paths.cu's counterpart through the driver API alone: no cudart, no kernel compiled by nvcc.
 * Prints how many of each kind it made and a checksum.
 */
#include <cuda.h>
#include <stdint.h>
#include <string.h>

#include "made.h"

enum {
	ROUNDS = 5,
	ELEMENTS = 1 << 16,
	BYTES = ELEMENTS * 4,
	GRAPH_LAUNCHES = 3,
	MANAGED_BUFFERS = 3,
	MANAGED_BYTES = 2 << 20
};

/* __global__ void add(uint32_t *data, uint32_t value) of api_paths.cu. */
static const char ptx[] = ".version 8.0\n"
			  ".target sm_80\n"
			  ".address_size 64\n"
			  ".visible .entry add(.param .u64 data, .param .u32 value)\n"
			  "{\n"
			  "	.reg .b32 %r<7>;\n"
			  "	.reg .b64 %rd<5>;\n"
			  "	ld.param.u64 %rd1, [data];\n"
			  "	ld.param.u32 %r1, [value];\n"
			  "	mov.u32 %r2, %ctaid.x;\n"
			  "	mov.u32 %r3, %ntid.x;\n"
			  "	mov.u32 %r4, %tid.x;\n"
			  "	mad.lo.s32 %r5, %r2, %r3, %r4;\n"
			  "	cvta.to.global.u64 %rd2, %rd1;\n"
			  "	mul.wide.u32 %rd3, %r5, 4;\n"
			  "	add.s64 %rd4, %rd2, %rd3;\n"
			  "	ld.global.u32 %r6, [%rd4];\n"
			  "	add.s32 %r6, %r6, %r1;\n"
			  "	st.global.u32 [%rd4], %r6;\n"
			  "	ret;\n"
			  "}\n";

static CUdevice gpu;
static CUfunction add;
static CUstream first, second;
static CUevent event;
static CUdeviceptr device, other;
static uint32_t *host, *host_in;
static int functions_run; /* by CUDA's threads, one at a time: all in one stream */
static uint32_t checksum;

static void launch_add(CUdeviceptr data, size_t elements, uint32_t value, CUstream stream)
{
	void *arguments[] = {&data, &value};

	DO(LAUNCH, cuLaunchKernel(add, (unsigned)(elements / 256), 1, 1, 256, 1, 1, 0, stream,
				  arguments, NULL));
}

static void launch_add_extended(CUdeviceptr data, uint32_t value, CUstream stream)
{
	void *arguments[] = {&data, &value};
	CUlaunchConfig config = {.gridDimX = ELEMENTS / 256,
				 .gridDimY = 1,
				 .gridDimZ = 1,
				 .blockDimX = 256,
				 .blockDimY = 1,
				 .blockDimZ = 1,
				 .hStream = stream};

	DO(LAUNCH, cuLaunchKernelEx(&config, add, arguments, NULL));
}

static void add_to_checksum(const uint32_t *data)
{
	for (int i = 0; i < ELEMENTS; i++)
		checksum = checksum * 31 + data[i];
}

static void open_all(void)
{
	CUcontext context;
	CUmodule module;

	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&gpu, 0));
	CHECK(cuDevicePrimaryCtxRetain(&context, gpu));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuModuleLoadData(&module, ptx));
	CHECK(cuModuleGetFunction(&add, module, "add"));
	CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
	CHECK(cuStreamCreateWithPriority(&second, CU_STREAM_DEFAULT, 0));
	DO(EVENT, cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	DO(ALLOC, cuMemAlloc(&device, BYTES));
	DO(ALLOC, cuMemAlloc(&other, BYTES));
	DO(ALLOC, cuMemAllocHost((void **)&host, BYTES));
	DO(ALLOC, cuMemHostAlloc((void **)&host_in, BYTES, 0));
	for (int i = 0; i < ELEMENTS; i++)
		host_in[i] = (uint32_t)i;
}

static void close_all(void)
{
	DO(WAIT, cuCtxSynchronize());
	DO(FREE, cuMemFree(device));
	DO(FREE, cuMemFree(other));
	DO(FREE, cuMemFreeHost(host));
	DO(FREE, cuMemFreeHost(host_in));
	DO(EVENT, cuEventDestroy(event));
	CHECK(cuStreamDestroy(first));
	CHECK(cuStreamDestroy(second));
}

/* Not ready is an answer, not a failure. */
static int answer(CUresult result)
{
	return result == CUDA_ERROR_NOT_READY ? CUDA_SUCCESS : result;
}

static void streams(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		ENQUEUE(COPY, cuMemcpyHtoDAsync(device, host_in, BYTES, first));
		launch_add(device, ELEMENTS, 1, first);
		launch_add_extended(device, 2, first);
		DO(EVENT, cuEventRecord(event, first));
		DO(QUERY, answer(cuEventQuery(event)));
		DO(QUERY, answer(cuStreamQuery(first)));
		DO(WAIT, cuStreamWaitEvent(second, event, 0));
		ENQUEUE(SET, cuMemsetD8Async(other, (unsigned char)i, BYTES, second));
		ENQUEUE(SET, cuMemsetD32Async(other, 77, ELEMENTS / 4, second));
		ENQUEUE(COPY, cuMemcpyDtoDAsync(other, device, BYTES / 2, second));
		ENQUEUE(COPY, cuMemcpyAsync((CUdeviceptr)host, other, BYTES / 2, second));
		ENQUEUE(COPY, cuMemcpyDtoHAsync(host, other, BYTES, second));
		DO(EVENT, cuEventRecord(event, second));
		DO(WAIT, cuEventSynchronize(event));
		DO(WAIT, cuStreamSynchronize(second));
		made[MADE_DEVICE_KERNEL] += 2;
	}
	add_to_checksum(host);
}

static void CUDA_CB count_function(void *count)
{
	++*(int *)count;
}

static void CUDA_CB count_callback(CUstream stream, CUresult status, void *count)
{
	(void)stream;
	if (status == CUDA_SUCCESS)
		++*(int *)count;
}

static void host_functions(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		DO(HOST_FUNCTION, cuLaunchHostFunc(first, count_function, &functions_run));
		DO(HOST_FUNCTION, cuStreamAddCallback(first, count_callback, &functions_run, 0));
		made[MADE_HOST_RUN] += 2;
	}
	DO(WAIT, cuStreamSynchronize(first));
}

static void graph(void)
{
	CUgraphExec executable;
	CUgraph captured;

	CHECK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	DO(COPY, cuMemcpyHtoDAsync(device, host_in, BYTES, first));
	DO(SET, cuMemsetD8Async(device, 1, BYTES / 2, first));
	launch_add(device, ELEMENTS, 7, first);
	DO(HOST_FUNCTION, cuLaunchHostFunc(first, count_function, &functions_run));
	DO(COPY, cuMemcpyDtoHAsync(host, device, BYTES, first));
	CHECK(cuStreamEndCapture(first, &captured));
	CHECK(cuGraphInstantiate(&executable, captured, 0));
	for (int i = 0; i < GRAPH_LAUNCHES; i++)
		DO(LAUNCH, cuGraphLaunch(executable, first));
	DO(WAIT, cuStreamSynchronize(first));
	CHECK(cuGraphExecDestroy(executable));
	CHECK(cuGraphDestroy(captured));
	made[MADE_HOST_RUN] += GRAPH_LAUNCHES;
	made[MADE_GRAPH_NODE] += 4 * GRAPH_LAUNCHES;
	made[MADE_DEVICE_KERNEL] += GRAPH_LAUNCHES;
	made[MADE_DEVICE_SET] += GRAPH_LAUNCHES;
	made[MADE_DEVICE_COPY] += 2 * GRAPH_LAUNCHES;
	add_to_checksum(host);
}

static void managed_memory(void)
{
	CUdeviceptr buffers[MANAGED_BUFFERS];

	for (int i = 0; i < MANAGED_BUFFERS; i++) {
		DO(ALLOC, cuMemAllocManaged(&buffers[i], MANAGED_BYTES, CU_MEM_ATTACH_GLOBAL));
		memset((void *)buffers[i], i, MANAGED_BYTES);
		launch_add(buffers[i], MANAGED_BYTES / 4, 9, first);
		made[MADE_DEVICE_KERNEL]++;
		made[MADE_MANAGED]++;
	}
	DO(WAIT, cuStreamSynchronize(first));
	for (int i = 0; i < MANAGED_BUFFERS; i++) {
		add_to_checksum((const uint32_t *)buffers[i]);
		DO(FREE, cuMemFree(buffers[i]));
	}
}

static void pools(void)
{
	CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
				     .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = gpu}};
	CUdeviceptr pooled, from_default;
	CUmemoryPool pool;

	DO(POOL, cuMemPoolCreate(&pool, &properties));
	DO(ALLOC, cuMemAllocFromPoolAsync(&pooled, BYTES, pool, first));
	DO(ALLOC, cuMemAllocAsync(&from_default, BYTES, first));
	ENQUEUE(SET, cuMemsetD8Async(pooled, 1, BYTES, first));
	ENQUEUE(SET, cuMemsetD8Async(from_default, 2, BYTES, first));
	DO(FREE, cuMemFreeAsync(from_default, first));
	DO(FREE, cuMemFreeAsync(pooled, first));
	DO(WAIT, cuStreamSynchronize(first));
	DO(POOL, cuMemPoolTrimTo(pool, 0));
	DO(POOL, cuMemPoolDestroy(pool));
}

int main(void)
{
	open_all();
	streams();
	host_functions();
	graph();
	managed_memory();
	pools();
	close_all();
	made_check(functions_run != made[MADE_HOST_RUN], "host functions that ran", __LINE__);
	made_print();
	printf("checksum %08x\n", checksum);
	return 0;
}
