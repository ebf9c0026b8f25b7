/* The calls without a twin: memory, streams, events, the device. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_profiler_api.h>

#include "runtime.h"

static cudaError_t allocate(struct driver_call *call, void **address, size_t size,
			    CUpti_ActivityMemoryKind kind)
{
	const cudaError_t error = call_enter(call);
	struct memory *memory;

	if (error || !address)
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	*address = NULL;
	if (!size)
		return call_exit(call, cudaSuccess);
	device_lock();
	memory = memory_allocate(kind, size);
	device_unlock();
	if (!memory)
		return call_exit(call, cudaErrorMemoryAllocation);
	*address = memory->address;
	record_memory(call->correlation_id, memory, false, CUPTI_INVALID_STREAM_ID, false);
	return call_exit(call, cudaSuccess);
}

/* Waits for the whole device first, as measured for cudaFree, cudaFreeHost and
 * cudaHostUnregister; but cudaFree does not for a block of a pool. */
static cudaError_t release(struct driver_call *call, void *address, CUpti_ActivityMemoryKind a,
			   CUpti_ActivityMemoryKind b, bool is_registered)
{
	const cudaError_t error = call_enter(call);
	struct memory released;
	struct memory *memory;
	uint64_t idle_ns;

	if (error || !address)
		return call_exit(call, error);
	device_lock();
	memory = memory_owned(address, a, b, is_registered);
	idle_ns = memory->is_of_pool ? 0 : device_idle_ns();
	device_unlock();
	device_sleep_until(idle_ns);
	device_lock();
	memory = memory_owned(address, a, b, is_registered);
	released = *memory;
	memory_release(memory);
	device_unlock();
	if (!is_registered)
		record_memory(call->correlation_id, &released, true, CUPTI_INVALID_STREAM_ID,
			      false);
	return call_exit(call, cudaSuccess);
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
	DRIVER_CALL(cuMemAlloc_v2, (CUdeviceptr *)devPtr, size);

	return allocate(&call, devPtr, size, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
	DRIVER_CALL(cuMemAllocManaged, (CUdeviceptr *)devPtr, size, flags);

	const cudaError_t error = allocate(&call, devPtr, size, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED);
	const char *wanted = getenv("FAKE_MANAGED");

	if (!error && wanted && strcmp(wanted, "refused"))
		record_managed(&(struct memory){.address = *devPtr, .size = size});
	return error;
}

/* A kernel's handle is its function. */
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr)
{
	*functionPtr = (cudaFunction_t)symbolPtr;
	return cudaSuccess;
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
	DRIVER_CALL(cuMemHostAlloc, ptr, size, 0);

	return allocate(&call, ptr, size, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
	DRIVER_CALL(cuMemHostAlloc, pHost, size, flags);

	const cudaError_t error = allocate(&call, pHost, size, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);

	device_lock();
	if (!error && memory_find(*pHost))
		memory_find(*pHost)->flags = flags;
	device_unlock();
	return error;
}

cudaError_t cudaFree(void *devPtr)
{
	DRIVER_CALL(cuMemFree_v2, (CUdeviceptr)devPtr);

	return release(&call, devPtr, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
		       CUPTI_ACTIVITY_MEMORY_KIND_MANAGED, false);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject)
{
	DRIVER_CALL(cuTexObjectDestroy, texObject);

	return call_exit(&call, call_enter(&call));
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject)
{
	DRIVER_CALL(cuSurfObjectDestroy, surfObject);

	return call_exit(&call, call_enter(&call));
}

cudaError_t cudaFreeHost(void *ptr)
{
	DRIVER_CALL(cuMemFreeHost, ptr);

	return release(&call, ptr, CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
		       CUPTI_ACTIVITY_MEMORY_KIND_PINNED, false);
}

cudaError_t fake_cuda_end_context(CUpti_CallbackId driver_cbid)
{
	struct driver_call call = {.cbid = driver_cbid, .name = "the context's end"};
	cudaError_t error = call_enter(&call);
	uint64_t idle_ns;

	if (error)
		return call_exit(&call, error);
	device_lock();
	idle_ns = device_idle_ns();
	device_unlock();
	device_sleep_until(idle_ns);
	call_resource(CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, NULL);
	device_lock();
	memory_release_pinned();
	device_unlock();
	return call_exit(&call, error);
}

cudaError_t fake_cuda_load(CUpti_CallbackId driver_cbid, const void *params, cudaError_t result)
{
	struct driver_call call = {.cbid = driver_cbid, .name = "a load", .params = params};
	cudaError_t error = call_enter(&call);

	return call_exit(&call, error ? error : result);
}

/* The real one's call is not cuDevicePrimaryCtxReset_v2. */
cudaError_t cudaDeviceReset(void)
{
	return fake_cuda_end_context(CUPTI_DRIVER_TRACE_CBID_cuDevicePrimaryCtxReset);
}

cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags)
{
	DRIVER_CALL(cuMemHostRegister_v2, ptr, size, flags);
	cudaError_t error = call_enter(&call);

	if (error || !ptr || !size)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	device_lock();
	if (memory_find(ptr))
		error = cudaErrorHostMemoryAlreadyRegistered;
	else
		memory_register(ptr, size);
	device_unlock();
	return call_exit(&call, error);
}

cudaError_t cudaHostUnregister(void *ptr)
{
	DRIVER_CALL(cuMemHostUnregister, ptr);

	if (!ptr)
		return call_refused(cudaErrorInvalidValue);
	return release(&call, ptr, CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
		       CUPTI_ACTIVITY_MEMORY_KIND_PINNED, true);
}

static cudaError_t create_stream(struct driver_call *call, cudaStream_t *handle, unsigned int flags,
				 int priority)
{
	const cudaError_t error = call_enter(call);
	struct CUstream_st created;

	if (error || !handle || flags > cudaStreamNonBlocking)
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	device_lock();
	*handle = device_stream_create(flags == cudaStreamNonBlocking
					       ? CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING
					       : CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT,
				       priority);
	created = **handle;
	device_unlock();
	call_resource(CUPTI_CBID_RESOURCE_STREAM_CREATED, *handle);
	record_stream(&created, call->correlation_id);
	return call_exit(call, cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
	DRIVER_CALL(cuStreamCreate, pStream, cudaStreamDefault);

	return create_stream(&call, pStream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
	DRIVER_CALL(cuStreamCreate, pStream, flags);

	return create_stream(&call, pStream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
	DRIVER_CALL(cuStreamCreateWithPriority, pStream, flags, priority);

	return create_stream(&call, pStream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	DRIVER_CALL(cuStreamDestroy_v2, stream);
	const cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	fake_cuda_stream_id(stream, false); /* aborts if there is no such stream */
	call_resource(CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, stream);
	device_lock();
	device_stream_destroy(device_stream(stream, false));
	device_unlock();
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	DRIVER_CALL(cuEventCreate, event, cudaEventDefault);
	const cudaError_t error = call_enter(&call);

	if (error || !event)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	device_lock();
	*event = device_event_create(true);
	device_unlock();
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	DRIVER_CALL(cuEventCreate, event, flags);
	const cudaError_t error = call_enter(&call);

	if (error || !event)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	device_lock();
	*event = device_event_create(!(flags & cudaEventDisableTiming));
	device_unlock();
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	DRIVER_CALL(cuEventDestroy_v2, event);
	const cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	device_lock();
	device_event_destroy(device_event(event));
	device_unlock();
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	DRIVER_CALL(cuEventSynchronize, event);
	const cudaError_t error = call_enter(&call);
	struct record_origin origin;
	struct CUevent_st waited;

	if (error)
		return call_exit(&call, error);
	device_lock();
	waited = *device_event(event);
	device_unlock();
	origin = (struct record_origin){
		call.correlation_id, waited.stream_id, {device_now_ns(), 0}, 0};
	device_sleep_until(waited.time_ns);
	origin.span.end_ns = device_now_ns();
	if (waited.sync_id)
		record_sync(origin, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,
			    waited.id, waited.sync_id);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	DRIVER_CALL(cuEventQuery, event);
	cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	device_lock();
	if (device_event(event)->time_ns > device_now_ns())
		error = cudaErrorNotReady;
	device_unlock();
	return call_exit(&call, error);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
	struct CUevent_st from, to;

	device_lock();
	from = *device_event(start);
	to = *device_event(end);
	device_unlock();
	if (!ms)
		return call_refused(cudaErrorInvalidValue);
	if (!from.sync_id || !to.sync_id || !from.has_timing || !to.has_timing)
		return call_refused(cudaErrorInvalidResourceHandle);
	if (from.time_ns > device_now_ns() || to.time_ns > device_now_ns())
		return call_refused(cudaErrorNotReady);
	*ms = (float)((double)((int64_t)to.time_ns - (int64_t)from.time_ns) / 1e6);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
	struct driver_call call = {.cbid = CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
				   .name = "cuCtxSynchronize"};
	const cudaError_t error = call_enter(&call);
	struct record_origin origin;
	uint64_t idle_ns;

	if (error)
		return call_exit(&call, error);
	device_lock();
	idle_ns = device_idle_ns();
	device_unlock();
	origin = (struct record_origin){
		call.correlation_id, CUPTI_SYNCHRONIZATION_INVALID_VALUE, {device_now_ns(), 0}, 0};
	device_sleep_until(idle_ns);
	host_functions_wait(NULL);
	origin.span.end_ns = device_now_ns();
	record_sync(origin, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE,
		    CUPTI_SYNCHRONIZATION_INVALID_VALUE, CUPTI_SYNCHRONIZATION_INVALID_VALUE);
	return call_exit(&call, cudaSuccess);
}

/* It collects nothing by itself. */
cudaError_t cudaProfilerStart(void)
{
	struct driver_call call = {.cbid = CUPTI_DRIVER_TRACE_CBID_cuProfilerStart,
				   .name = "cuProfilerStart"};

	return call_exit(&call, call_enter(&call));
}

cudaError_t cudaProfilerStop(void)
{
	struct driver_call call = {.cbid = CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
				   .name = "cuProfilerStop"};

	return call_exit(&call, call_enter(&call));
}
