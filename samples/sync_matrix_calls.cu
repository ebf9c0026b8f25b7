#include "samples/sync_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KB = 1 << 10, MB = 1 << 20, GB = 1 << 30, PAGE_BYTES = 4096 };
enum { BUFFER_BYTES = 64 * MB, MANAGED_BYTES = 16 * MB };

struct sync_streams sync_streams;

/* What the calls work on. Names that begin with new_ belong to one call at a time. */
static struct {
	char *pageable, *pinned, *device, *device_target, *managed;
	cudaStream_t other; /* a non-blocking one in which nothing is pending */
	cudaEvent_t first_event;
	cudaGraph_t graph;
	cudaMemPool_t pool;
	void *new_memory;
	cudaStream_t new_stream;
	cudaEvent_t new_event;
	cudaGraphExec_t new_graph;
	cudaArray_t new_array;
} w;

/* What calls give that nobody reads. */
static struct {
	size_t bytes, total_bytes;
	int number;
	float ms;
	cudaDeviceProp device;
	cudaPointerAttributes pointer;
	cudaFuncAttributes function;
} unread;

static __device__ char symbol[MB];

static __global__ void do_nothing(int)
{
}

/* Never touched before the call that loads them. */
static __global__ void load_for_launch(int)
{
}

static __global__ void load_for_attributes(int)
{
}

template <int BYTES> static __device__ void use_stack(int i)
{
	volatile char frame[BYTES];

	frame[i] = 1;
	if (frame[i / 2] == 2)
		symbol[i] = frame[i / 3];
}

/* Beyond the 1 KiB a thread that is there at first: the first launch must make room. */
static __global__ void use_large_stack(int i)
{
	use_stack<4096>(i);
}

static __global__ void use_small_stack(int i)
{
	use_stack<2048>(i);
}

static __global__ void print(int i)
{
	if (i)
		printf("%d\n", i);
}

static cudaError_t launch(void (*kernel)(int), cudaStream_t stream)
{
	kernel<<<1, 1, 0, stream>>>(0);
	return cudaGetLastError();
}

static cudaError_t make_stream(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

static cudaError_t make_graph()
{
	cudaError_t error = cudaStreamBeginCapture(w.other, cudaStreamCaptureModeThreadLocal);

	if (!error)
		error = launch(do_nothing, w.other);
	return error ? error : cudaStreamEndCapture(w.other, &w.graph);
}

static cudaError_t record_events()
{
	cudaError_t error = cudaEventRecord(w.first_event, sync_streams.same);

	return error ? error : cudaEventRecord(sync_streams.event, sync_streams.same);
}

/* To the device, or to the host where `device` is cudaCpuDeviceId. */
static cudaError_t prefetch(int device, cudaStream_t stream)
{
	cudaMemLocation location = {};

	location.type =
		device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
	location.id = device == cudaCpuDeviceId ? 0 : device;
	return cudaMemPrefetchAsync(w.managed, 4 * MB, location, 0, stream);
}

static cudaError_t touch_managed(size_t bytes)
{
	for (size_t i = 0; i < bytes; i += PAGE_BYTES)
		((volatile char *)w.managed)[i]++;
	return cudaSuccess;
}

/* To another limit each time: the same one again would do nothing. */
static cudaError_t change_stack_limit()
{
	size_t bytes;
	cudaError_t error = cudaDeviceGetLimit(&bytes, cudaLimitStackSize);

	return error ? error : cudaDeviceSetLimit(cudaLimitStackSize, bytes == KB ? 2 * KB : KB);
}

static cudaError_t make_array()
{
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();

	return cudaMallocArray(&w.new_array, &format, 512, 512);
}

static cudaError_t make_registered()
{
	return cudaHostRegister(w.pageable, 4 * MB, cudaHostRegisterDefault);
}

static void CUDART_CB do_nothing_on_host(void *)
{
}

static void CUDART_CB do_nothing_as_callback(cudaStream_t, cudaError_t, void *)
{
}

/* Each step only when those before it went well. */
cudaError_t sync_calls_open()
{
	cudaError_t (*const steps[])() = {
		[] { return make_stream(&sync_streams.non_blocking); },
		[] { return cudaStreamCreate(&sync_streams.blocking); },
		[] { return make_stream(&sync_streams.same); },
		[] { return make_stream(&w.other); },
		[] { return cudaEventCreate(&sync_streams.event); },
		[] { return cudaEventCreate(&w.first_event); },
		[] { return cudaMalloc(&w.device, BUFFER_BYTES); },
		[] { return cudaMalloc(&w.device_target, BUFFER_BYTES); },
		[] { return cudaMallocHost(&w.pinned, BUFFER_BYTES); },
		[] { return launch(do_nothing, w.other); },
		make_graph,
		cudaDeviceSynchronize,
	};

	if (!w.pageable)
		w.pageable = (char *)malloc(BUFFER_BYTES);
	if (!w.pageable)
		return cudaErrorMemoryAllocation;
	memset(w.pageable, 1, BUFFER_BYTES);
	for (auto step : steps) {
		cudaError_t error = step();

		if (error)
			return error;
	}
	/* Not every device can do these: the calls that need them are then left out. */
	if (cudaMallocManaged(&w.managed, MANAGED_BYTES) == cudaSuccess)
		touch_managed(MANAGED_BYTES);
	cudaDeviceGetDefaultMemPool(&w.pool, 0);
	cudaGetLastError();
	return cudaDeviceSynchronize();
}

#define DO(expression) [] { return (expression); }
#define IN_OTHER       w.other
#define IN_SAME	       sync_streams.same
#define H2D	       cudaMemcpyHostToDevice
#define D2H	       cudaMemcpyDeviceToHost
#define D2D	       cudaMemcpyDeviceToDevice
#define H2H	       cudaMemcpyHostToHost
#define IS_SHARED      cudaDevAttrConcurrentManagedAccess
#define HAS_POOLS      cudaDevAttrMemoryPoolsSupported

/* clang-format off */

/* Asynchronous copies of a size, behind the kernel in its stream. */
#define COPIES(bytes)                                                                              \
	{"cudaMemcpyAsync H2D pageable " #bytes,                                                   \
	 DO(cudaMemcpyAsync(w.device, w.pageable, bytes, H2D, IN_SAME)), NULL, NULL, CALL_SAME},   \
	{"cudaMemcpyAsync D2H pageable " #bytes,                                                   \
	 DO(cudaMemcpyAsync(w.pageable, w.device, bytes, D2H, IN_SAME)), NULL, NULL, CALL_SAME},   \
	{"cudaMemcpyAsync H2D pinned " #bytes,                                                     \
	 DO(cudaMemcpyAsync(w.device, w.pinned, bytes, H2D, IN_SAME)), NULL, NULL, CALL_SAME},     \
	{"cudaMemcpyAsync H2D managed " #bytes,                                                    \
	 DO(cudaMemcpyAsync(w.device, w.managed, bytes, H2D, IN_SAME)), DO(touch_managed(bytes)),  \
	 NULL, CALL_SAME, IS_SHARED}

const struct sync_call sync_calls[] = {
	{"cudaMalloc 1MB", DO(cudaMalloc(&w.new_memory, MB)), NULL, DO(cudaFree(w.new_memory))},
	{"cudaMalloc 1GB", DO(cudaMalloc(&w.new_memory, GB)), NULL, DO(cudaFree(w.new_memory))},
	{"cudaFree 1MB", DO(cudaFree(w.new_memory)), DO(cudaMalloc(&w.new_memory, MB))},
	{"cudaFree 64MB", DO(cudaFree(w.new_memory)), DO(cudaMalloc(&w.new_memory, 64 * MB))},
	{"cudaFree(NULL)", DO(cudaFree(NULL))},
	{"cudaMallocHost 1MB", DO(cudaMallocHost(&w.new_memory, MB)), NULL,
	 DO(cudaFreeHost(w.new_memory))},
	{"cudaMallocHost 64MB", DO(cudaMallocHost(&w.new_memory, 64 * MB)), NULL,
	 DO(cudaFreeHost(w.new_memory))},
	{"cudaFreeHost 1MB", DO(cudaFreeHost(w.new_memory)), DO(cudaMallocHost(&w.new_memory, MB))},
	{"cudaFreeHost 64MB", DO(cudaFreeHost(w.new_memory)),
	 DO(cudaMallocHost(&w.new_memory, 64 * MB))},
	{"cudaHostRegister 4MB", make_registered, NULL, DO(cudaHostUnregister(w.pageable))},
	{"cudaHostUnregister 4MB", DO(cudaHostUnregister(w.pageable)), make_registered},
	{"cudaMallocManaged 1MB", DO(cudaMallocManaged(&w.new_memory, MB)), NULL,
	 DO(cudaFree(w.new_memory)), CALL_OTHER, IS_SHARED},
	{"cudaFree managed 1MB", DO(cudaFree(w.new_memory)),
	 DO(cudaMallocManaged(&w.new_memory, MB)), NULL, CALL_OTHER, IS_SHARED},
	{"cudaMallocAsync 1MB other", DO(cudaMallocAsync(&w.new_memory, MB, IN_OTHER)), NULL,
	 DO(cudaFreeAsync(w.new_memory, IN_OTHER)), CALL_OTHER, HAS_POOLS},
	{"cudaFreeAsync 1MB other", DO(cudaFreeAsync(w.new_memory, IN_OTHER)),
	 DO(cudaMallocAsync(&w.new_memory, MB, IN_OTHER)), NULL, CALL_OTHER, HAS_POOLS},
	{"cudaMemPoolTrimTo 0", DO(cudaMemPoolTrimTo(w.pool, 0)), NULL, NULL, CALL_OTHER,
	 HAS_POOLS},
	{"cudaMallocPitch",
	 DO(cudaMallocPitch(&w.new_memory, &unread.bytes, 1000, 1000)), NULL,
	 DO(cudaFree(w.new_memory))},
	{"cudaMallocArray", make_array, NULL, DO(cudaFreeArray(w.new_array))},
	{"cudaFreeArray", DO(cudaFreeArray(w.new_array)), make_array},

	{"cudaMemset 1MB", DO(cudaMemset(w.device, 0, MB))},
	{"cudaMemsetAsync 1MB other", DO(cudaMemsetAsync(w.device, 0, MB, IN_OTHER))},
	{"cudaMemsetAsync pinned-host other", DO(cudaMemsetAsync(w.pinned, 0, MB, IN_OTHER))},
	{"cudaMemcpy H2D pageable 4KB", DO(cudaMemcpy(w.device, w.pageable, 4 * KB, H2D))},
	{"cudaMemcpy H2D pageable 1MB", DO(cudaMemcpy(w.device, w.pageable, MB, H2D))},
	{"cudaMemcpy H2D pinned 1MB", DO(cudaMemcpy(w.device, w.pinned, MB, H2D))},
	{"cudaMemcpy D2H pageable 1MB", DO(cudaMemcpy(w.pageable, w.device, MB, D2H))},
	{"cudaMemcpy D2H pinned 1MB", DO(cudaMemcpy(w.pinned, w.device, MB, D2H))},
	{"cudaMemcpy D2D 1MB", DO(cudaMemcpy(w.device_target, w.device, MB, D2D))},
	{"cudaMemcpy H2H 1MB", DO(cudaMemcpy(w.pageable, w.pageable + MB, MB, H2H))},
	{"cudaMemcpyAsync H2D pageable 4KB other",
	 DO(cudaMemcpyAsync(w.device, w.pageable, 4 * KB, H2D, IN_OTHER))},
	{"cudaMemcpyAsync H2D pageable 64KB other",
	 DO(cudaMemcpyAsync(w.device, w.pageable, 64 * KB, H2D, IN_OTHER))},
	{"cudaMemcpyAsync H2D pageable 1MB other",
	 DO(cudaMemcpyAsync(w.device, w.pageable, MB, H2D, IN_OTHER))},
	{"cudaMemcpyAsync H2D pageable 64MB other",
	 DO(cudaMemcpyAsync(w.device, w.pageable, 64 * MB, H2D, IN_OTHER))},
	{"cudaMemcpyAsync H2D pinned 64MB other",
	 DO(cudaMemcpyAsync(w.device, w.pinned, 64 * MB, H2D, IN_OTHER))},
	{"cudaMemcpyAsync D2H pageable 4KB other",
	 DO(cudaMemcpyAsync(w.pageable, w.device, 4 * KB, D2H, IN_OTHER))},
	{"cudaMemcpyAsync D2H pageable 1MB other",
	 DO(cudaMemcpyAsync(w.pageable, w.device, MB, D2H, IN_OTHER))},
	{"cudaMemcpyAsync D2H pinned 1MB other",
	 DO(cudaMemcpyAsync(w.pinned, w.device, MB, D2H, IN_OTHER))},
	{"cudaMemcpyAsync H2H pinned->pageable other",
	 DO(cudaMemcpyAsync(w.pageable, w.pinned, MB, H2H, IN_OTHER))},
	{"cudaMemcpyAsync D2D other",
	 DO(cudaMemcpyAsync(w.device_target, w.device, MB, D2D, IN_OTHER))},
	{"cudaMemcpyToSymbol pageable 4KB", DO(cudaMemcpyToSymbol(symbol, w.pageable, 4 * KB))},
	{"cudaMemcpyToSymbolAsync pageable 1MB other",
	 DO(cudaMemcpyToSymbolAsync(symbol, w.pageable, MB, 0, H2D, IN_OTHER))},
	{"cudaMemcpy2DAsync H2D pageable other",
	 DO(cudaMemcpy2DAsync(w.device, 2 * KB, w.pageable, 2 * KB, KB, KB, H2D, IN_OTHER))},

	{"cudaStreamCreate", DO(cudaStreamCreate(&w.new_stream)), NULL,
	 DO(cudaStreamDestroy(w.new_stream))},
	{"cudaStreamDestroy idle", DO(cudaStreamDestroy(w.new_stream)),
	 DO(cudaStreamCreate(&w.new_stream))},
	{"cudaStreamGetPriority", DO(cudaStreamGetPriority(IN_OTHER, &unread.number))},
	{"cudaStreamQuery other", DO(cudaStreamQuery(IN_OTHER))},
	{"cudaEventCreate", DO(cudaEventCreate(&w.new_event)), NULL,
	 DO(cudaEventDestroy(w.new_event))},
	{"cudaEventRecord other", DO(cudaEventRecord(w.first_event, IN_OTHER))},
	{"cudaSetDevice(0)", DO(cudaSetDevice(0))},
	{"cudaGetLastError", DO(cudaGetLastError())},
	{"cudaMemGetInfo", DO(cudaMemGetInfo(&unread.bytes, &unread.total_bytes))},
	{"cudaGetDeviceProperties", DO(cudaGetDeviceProperties(&unread.device, 0))},
	{"cudaDeviceGetAttribute",
	 DO(cudaDeviceGetAttribute(&unread.number, cudaDevAttrMultiProcessorCount, 0))},
	{"cudaPointerGetAttributes", DO(cudaPointerGetAttributes(&unread.pointer, w.device))},
	{"cudaOccupancyMaxActiveBlocks",
	 DO(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&unread.number, do_nothing, 256, 0))},
	{"cudaDeviceSetCacheConfig", DO(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone))},
	{"cudaFuncSetCacheConfig", DO(cudaFuncSetCacheConfig(do_nothing, cudaFuncCachePreferL1))},
	{"cudaFuncSetAttribute dynshm",
	 DO(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, KB))},

	{"cudaFuncGetAttributes lazy",
	 DO(cudaFuncGetAttributes(&unread.function, load_for_attributes)), NULL, NULL, CALL_FIRST},
	{"first launch of lazily loaded kernel other", DO(launch(load_for_launch, IN_OTHER)), NULL,
	 NULL, CALL_FIRST},
	{"launch kernel other", DO(launch(do_nothing, IN_OTHER))},
	{"launch kernel legacy default", DO(launch(do_nothing, cudaStreamLegacy))},
	{"launch kernel with larger stack other", DO(launch(use_large_stack, IN_OTHER)), NULL, NULL,
	 CALL_FIRST},
	{"launch kernel with larger stack again", DO(launch(use_large_stack, IN_OTHER))},
	{"launch kernel smaller stack after", DO(launch(use_small_stack, IN_OTHER))},
	{"launch kernel with printf other (first)", DO(launch(print, IN_OTHER)), NULL, NULL,
	 CALL_FIRST},
	{"launch kernel with printf other (second)", DO(launch(print, IN_OTHER))},
	{"cudaDeviceSetLimit stack", change_stack_limit},
	{"cudaDeviceSetLimit heap", DO(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 * MB))},
	{"cudaGraphInstantiate", DO(cudaGraphInstantiate(&w.new_graph, w.graph, 0)), NULL,
	 DO(cudaGraphExecDestroy(w.new_graph))},
	{"cudaGraphLaunch first other", DO(cudaGraphLaunch(w.new_graph, IN_OTHER)),
	 DO(cudaGraphInstantiate(&w.new_graph, w.graph, 0)), DO(cudaGraphExecDestroy(w.new_graph))},
	{"cudaGraphExecDestroy", DO(cudaGraphExecDestroy(w.new_graph)),
	 DO(cudaGraphInstantiate(&w.new_graph, w.graph, 0))},
	{"cudaLaunchHostFunc other", DO(cudaLaunchHostFunc(IN_OTHER, do_nothing_on_host, NULL))},
	{"cudaStreamAddCallback other",
	 DO(cudaStreamAddCallback(IN_OTHER, do_nothing_as_callback, NULL, 0))},
	{"cudaMemPrefetchAsync managed->dev other", DO(prefetch(0, IN_OTHER)),
	 DO(prefetch(cudaCpuDeviceId, IN_OTHER)), NULL, CALL_OTHER, IS_SHARED},
	{"host touch of managed 4MB resident on device", DO(touch_managed(4 * MB)),
	 DO(prefetch(0, IN_OTHER)), NULL, CALL_OTHER, IS_SHARED},
	{"cudaStreamAttachMemAsync",
	 DO(cudaStreamAttachMemAsync(IN_OTHER, w.managed, 0, cudaMemAttachGlobal)), NULL, NULL,
	 CALL_OTHER, IS_SHARED},
	{"cudaStreamSynchronize idle other", DO(cudaStreamSynchronize(IN_OTHER))},
	{"cudaStreamSynchronize legacy default", DO(cudaStreamSynchronize(cudaStreamLegacy))},
	{"cudaStreamSynchronize per-thread", DO(cudaStreamSynchronize(cudaStreamPerThread))},
	{"cudaDeviceSynchronize", DO(cudaDeviceSynchronize())},

	COPIES(1024), COPIES(4096), COPIES(16384), COPIES(32768), COPIES(65536), COPIES(65537),
	COPIES(131072), COPIES(1048576), COPIES(16777216),
	{"cudaMemsetAsync", DO(cudaMemsetAsync(w.device, 0, MB, IN_SAME)), NULL, NULL, CALL_SAME},
	{"cudaMemsetAsync pinned host", DO(cudaMemsetAsync(w.pinned, 0, MB, IN_SAME)), NULL, NULL,
	 CALL_SAME},
	{"cudaFreeAsync", DO(cudaFreeAsync(w.new_memory, IN_SAME)),
	 DO(cudaMallocAsync(&w.new_memory, MB, IN_SAME)), NULL, CALL_SAME, HAS_POOLS},
	{"cudaStreamDestroy", DO(cudaStreamDestroy(IN_SAME)), NULL, DO(make_stream(&IN_SAME)),
	 CALL_SAME},
	{"cudaEventDestroy", DO(cudaEventDestroy(sync_streams.event)), NULL,
	 DO(cudaEventCreate(&sync_streams.event)), CALL_SAME},
	{"cudaEventElapsedTime",
	 DO(cudaEventElapsedTime(&unread.ms, w.first_event, sync_streams.event)), record_events, NULL,
	 CALL_SAME},
	{"cudaDeviceReset", DO(cudaDeviceReset()), NULL, sync_calls_open, CALL_RESET},
};
/* clang-format on */
const size_t sync_call_count = sizeof(sync_calls) / sizeof(*sync_calls);
