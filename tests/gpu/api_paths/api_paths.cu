/*
 * One of everything that a program does through the CUDA runtime, built once for each API path into
 * it (CMakeLists.txt). Prints how many of each kind it made and a checksum: the same every time.
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

#include "made.h"

enum {
	ROUNDS = 5,
	ELEMENTS = 1 << 16,
	BYTES = ELEMENTS * 4,
	GRAPH_LAUNCHES = 3,
	MANAGED_BUFFERS = 3,
	MANAGED_BYTES = 2 << 20 /* the unit in which the driver places managed memory */
};

static cudaStream_t first, second;
static cudaEvent_t event;
static uint32_t *device, *other, *host;
static int functions_run; /* by CUDA's threads, one at a time: all in one stream */
static uint32_t checksum;

static __global__ void add(uint32_t *data, uint32_t value)
{
	data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

static void launch_add(uint32_t *data, size_t elements, uint32_t value, cudaStream_t stream)
{
	add<<<(unsigned)(elements / 256), 256, 0, stream>>>(data, value);
	DO(LAUNCH, cudaGetLastError());
}

static void add_to_checksum(const uint32_t *data)
{
	for (int i = 0; i < ELEMENTS; i++)
		checksum = checksum * 31 + data[i];
}

static void open_all(void)
{
	CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
	CHECK(cudaStreamCreate(&second));
	DO(EVENT, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	DO(ALLOC, cudaMalloc((void **)&device, BYTES));
	DO(ALLOC, cudaMalloc((void **)&other, BYTES));
	DO(ALLOC, cudaMallocHost((void **)&host, BYTES));
	for (int i = 0; i < ELEMENTS; i++)
		host[i] = (uint32_t)i;
}

static void close_all(void)
{
	DO(WAIT, cudaDeviceSynchronize());
	DO(FREE, cudaFree(device));
	DO(FREE, cudaFree(other));
	DO(FREE, cudaFreeHost(host));
	DO(EVENT, cudaEventDestroy(event));
	CHECK(cudaStreamDestroy(first));
	CHECK(cudaStreamDestroy(second));
}

/* Not ready is an answer, not a failure; it stands as the last error all the same. */
static int answer(cudaError_t error)
{
	return error == cudaErrorNotReady ? (cudaGetLastError(), cudaSuccess) : error;
}

static void streams(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		ENQUEUE(COPY, cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first));
		launch_add(device, ELEMENTS, 1, first);
		DO(EVENT, cudaEventRecord(event, first));
		DO(QUERY, answer(cudaEventQuery(event)));
		DO(QUERY, answer(cudaStreamQuery(first)));
		DO(WAIT, cudaStreamWaitEvent(second, event, 0));
		ENQUEUE(SET, cudaMemsetAsync(other, i, BYTES, second));
		ENQUEUE(COPY, cudaMemcpyAsync(other, device, BYTES / 2, cudaMemcpyDeviceToDevice,
					      second));
		ENQUEUE(COPY, cudaMemcpyAsync(host, other, BYTES, cudaMemcpyDeviceToHost, second));
		DO(EVENT, cudaEventRecord(event, second));
		DO(WAIT, cudaEventSynchronize(event));
		DO(WAIT, cudaStreamSynchronize(second));
		made[MADE_DEVICE_KERNEL]++;
	}
	add_to_checksum(host);
}

/* Which stream the handle 0 means is a matter of how this file was compiled. */
static void default_stream(void)
{
	ENQUEUE(SET, cudaMemsetAsync(device, 3, BYTES, 0));
	launch_add(device, ELEMENTS, 5, 0);
	made[MADE_DEVICE_KERNEL]++;
	ENQUEUE(COPY, cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, 0));
	DO(WAIT, cudaStreamSynchronize(0));
	add_to_checksum(host);
}

static void CUDART_CB count_function(void *count)
{
	++*(int *)count;
}

static void CUDART_CB count_callback(cudaStream_t, cudaError_t status, void *count)
{
	if (status == cudaSuccess)
		++*(int *)count;
}

static void host_functions(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		DO(HOST_FUNCTION, cudaLaunchHostFunc(first, count_function, &functions_run));
		DO(HOST_FUNCTION, cudaStreamAddCallback(first, count_callback, &functions_run, 0));
		made[MADE_HOST_RUN] += 2;
	}
	DO(WAIT, cudaStreamSynchronize(first));
}

static void graph(void)
{
	cudaGraphExec_t executable;
	cudaGraph_t captured;

	CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
	DO(COPY, cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, first));
	DO(SET, cudaMemsetAsync(device, 1, BYTES / 2, first));
	launch_add(device, ELEMENTS, 7, first);
	DO(HOST_FUNCTION, cudaLaunchHostFunc(first, count_function, &functions_run));
	DO(COPY, cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, first));
	CHECK(cudaStreamEndCapture(first, &captured));
	CHECK(cudaGraphInstantiate(&executable, captured, 0));
	for (int i = 0; i < GRAPH_LAUNCHES; i++)
		DO(LAUNCH, cudaGraphLaunch(executable, first));
	DO(WAIT, cudaStreamSynchronize(first));
	CHECK(cudaGraphExecDestroy(executable));
	CHECK(cudaGraphDestroy(captured));
	made[MADE_HOST_RUN] += GRAPH_LAUNCHES;
	made[MADE_GRAPH_NODE] += 4 * GRAPH_LAUNCHES;
	made[MADE_DEVICE_KERNEL] += GRAPH_LAUNCHES;
	made[MADE_DEVICE_SET] += GRAPH_LAUNCHES;
	made[MADE_DEVICE_COPY] += 2 * GRAPH_LAUNCHES;
	add_to_checksum(host);
}

/* Each buffer goes to the device for the kernel and comes back for the host. */
static void managed_memory(void)
{
	uint32_t *buffers[MANAGED_BUFFERS];

	for (int i = 0; i < MANAGED_BUFFERS; i++) {
		DO(ALLOC,
		   cudaMallocManaged((void **)&buffers[i], MANAGED_BYTES, cudaMemAttachGlobal));
		memset(buffers[i], i, MANAGED_BYTES);
		launch_add(buffers[i], MANAGED_BYTES / 4, 9, first);
		made[MADE_DEVICE_KERNEL]++;
		made[MADE_MANAGED]++;
	}
	DO(WAIT, cudaStreamSynchronize(first));
	for (int i = 0; i < MANAGED_BUFFERS; i++) {
		add_to_checksum(buffers[i]);
		DO(FREE, cudaFree(buffers[i]));
	}
}

static void pools(void)
{
	cudaMemPoolProps properties;
	cudaMemPool_t pool;
	uint32_t *pooled, *from_default;

	memset(&properties, 0, sizeof(properties));
	properties.allocType = cudaMemAllocationTypePinned;
	properties.location.type = cudaMemLocationTypeDevice;
	DO(POOL, cudaMemPoolCreate(&pool, &properties));
	DO(ALLOC, cudaMallocFromPoolAsync((void **)&pooled, BYTES, pool, first));
	DO(ALLOC, cudaMallocAsync((void **)&from_default, BYTES, first));
	ENQUEUE(SET, cudaMemsetAsync(pooled, 1, BYTES, first));
	ENQUEUE(SET, cudaMemsetAsync(from_default, 2, BYTES, first));
	DO(FREE, cudaFreeAsync(from_default, first));
	DO(FREE, cudaFreeAsync(pooled, first));
	DO(WAIT, cudaStreamSynchronize(first));
	DO(POOL, cudaMemPoolTrimTo(pool, 0));
	DO(POOL, cudaMemPoolDestroy(pool));
}

extern "C" int api_paths(void)
{
	open_all();
	streams();
	default_stream();
	host_functions();
	graph();
	managed_memory();
	pools();
	close_all();
	made_check(functions_run != made[MADE_HOST_RUN], "host functions that ran", __LINE__);
	made_print();
	printf("checksum %08x\n", checksum);
	fflush(stdout);
	return 0;
}

int main(void)
{
	return api_paths();
}
