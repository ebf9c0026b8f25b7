/*
 * The calls with a twin for the per-thread default stream. This file is compiled twice: with
 * CUDA_API_PER_THREAD_DEFAULT_STREAM the CUDA header renames each to its _ptsz or _ptds twin.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define PER_THREAD	    true
#define PTSZ_CALL(api, ...) DRIVER_CALL(api##_ptsz, __VA_ARGS__)
#define PTDS_CALL(api, ...) DRIVER_CALL(api##_ptds, __VA_ARGS__)
#define LAUNCH_SYMBOL	    __cudaLaunchKernel_ptsz
#else
#define PER_THREAD	    false
#define PTSZ_CALL(api, ...) DRIVER_CALL(api, __VA_ARGS__)
#define PTDS_CALL(api, ...) DRIVER_CALL(api, __VA_ARGS__)
#define LAUNCH_SYMBOL	    __cudaLaunchKernel
#endif

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
	const struct copy copy = {dst, src, count, count, count, 1, kind, false};

	if (kind == cudaMemcpyHostToDevice) {
		PTDS_CALL(cuMemcpyHtoD_v2, (CUdeviceptr)dst, src, count);
		return copy_call(&call, &copy, NULL, PER_THREAD);
	}
	if (kind == cudaMemcpyDeviceToHost) {
		PTDS_CALL(cuMemcpyDtoH_v2, dst, (CUdeviceptr)src, count);
		return copy_call(&call, &copy, NULL, PER_THREAD);
	}
	if (kind == cudaMemcpyDeviceToDevice) {
		PTDS_CALL(cuMemcpyDtoD_v2, (CUdeviceptr)dst, (CUdeviceptr)src, count);
		return copy_call(&call, &copy, NULL, PER_THREAD);
	}
	if (kind != cudaMemcpyHostToHost && kind != cudaMemcpyDefault)
		return call_refused(cudaErrorInvalidMemcpyDirection);
	PTDS_CALL(cuMemcpy, (CUdeviceptr)dst, (CUdeviceptr)src, count);
	return copy_call(&call, &copy, NULL, PER_THREAD);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
			    cudaStream_t stream)
{
	const struct copy copy = {dst, src, count, count, count, 1, kind, true};

	if (kind == cudaMemcpyHostToDevice) {
		PTSZ_CALL(cuMemcpyHtoDAsync_v2, (CUdeviceptr)dst, src, count, stream);
		return copy_call(&call, &copy, stream, PER_THREAD);
	}
	if (kind == cudaMemcpyDeviceToHost) {
		PTSZ_CALL(cuMemcpyDtoHAsync_v2, dst, (CUdeviceptr)src, count, stream);
		return copy_call(&call, &copy, stream, PER_THREAD);
	}
	if (kind == cudaMemcpyDeviceToDevice) {
		PTSZ_CALL(cuMemcpyDtoDAsync_v2, (CUdeviceptr)dst, (CUdeviceptr)src, count, stream);
		return copy_call(&call, &copy, stream, PER_THREAD);
	}
	if (kind != cudaMemcpyHostToHost && kind != cudaMemcpyDefault)
		return call_refused(cudaErrorInvalidMemcpyDirection);
	PTSZ_CALL(cuMemcpyAsync, (CUdeviceptr)dst, (CUdeviceptr)src, count, stream);
	return copy_call(&call, &copy, stream, PER_THREAD);
}

static cudaError_t copy_rows(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	const struct copy copy = {dst, src, dpitch, spitch, width, height, kind, true};
	const CUDA_MEMCPY2D plan = {
		.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
		.srcDevice = (CUdeviceptr)src,
		.srcPitch = spitch,
		.dstMemoryType = CU_MEMORYTYPE_UNIFIED,
		.dstDevice = (CUdeviceptr)dst,
		.dstPitch = dpitch,
		.WidthInBytes = width,
		.Height = height,
	};
	PTSZ_CALL(cuMemcpy2DAsync_v2, &plan, stream);

	return copy_call(&call, &copy, stream, PER_THREAD);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
			      size_t width, size_t height, enum cudaMemcpyKind kind,
			      cudaStream_t stream)
{
	const char *split = getenv("FAKE_SPLIT_COPIES");
	const size_t first = split && !strcmp(split, "1") ? height / 2 : 0;
	cudaError_t error = cudaSuccess;

	if (first)
		error = copy_rows(dst, dpitch, src, spitch, width, first, kind, stream);
	if (error)
		return error;
	return copy_rows((char *)dst + first * dpitch, dpitch, (const char *)src + first * spitch,
			 spitch, width, height - first, kind, stream);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
	PTDS_CALL(cuMemsetD8_v2, (CUdeviceptr)devPtr, (unsigned char)value, count);

	return set_call(&call, devPtr, value, count, NULL, PER_THREAD, false);
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
	PTSZ_CALL(cuMemsetD8Async, (CUdeviceptr)devPtr, (unsigned char)value, count, stream);

	return set_call(&call, devPtr, value, count, stream, PER_THREAD, true);
}

cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, struct cudaMemLocation location,
				 unsigned int flags, cudaStream_t stream)
{
	const CUmemLocation place = {.type = (CUmemLocationType)location.type, .id = location.id};
	PTSZ_CALL(cuMemPrefetchAsync_v2, (CUdeviceptr)devPtr, count, place, flags, stream);

	return prefetch_call(&call, devPtr, count, stream, PER_THREAD);
}

static cudaError_t launch(const struct launch *wanted)
{
	PTSZ_CALL(cuLaunchKernel, (CUfunction)wanted->kernel, wanted->grid.x, wanted->grid.y,
		  wanted->grid.z, wanted->block.x, wanted->block.y, wanted->block.z,
		  (unsigned int)wanted->shared_bytes, wanted->stream, wanted->args, NULL);

	return launch_call(&call, wanted, PER_THREAD);
}

cudaError_t LAUNCH_SYMBOL(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
			  size_t shared_bytes, cudaStream_t stream)
{
	const struct launch wanted = {kernel, grid, block, args, shared_bytes, stream};

	return launch(&wanted);
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
			     size_t sharedMem, cudaStream_t stream)
{
	const struct launch wanted = {func, gridDim, blockDim, args, sharedMem, stream};

	return launch(&wanted);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
	if (!config)
		return call_refused(cudaErrorInvalidValue);

	const struct launch wanted = {func, config->gridDim,	      config->blockDim,
				      args, config->dynamicSmemBytes, config->stream};
	const CUlaunchConfig plan = {
		.gridDimX = config->gridDim.x,
		.gridDimY = config->gridDim.y,
		.gridDimZ = config->gridDim.z,
		.blockDimX = config->blockDim.x,
		.blockDimY = config->blockDim.y,
		.blockDimZ = config->blockDim.z,
		.sharedMemBytes = (unsigned int)config->dynamicSmemBytes,
		.hStream = config->stream,
	};
	PTSZ_CALL(cuLaunchKernelEx, &plan, (CUfunction)func, args, NULL);

	return launch_call(&call, &wanted, PER_THREAD);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
					size_t sharedMem, cudaStream_t stream)
{
	const struct launch wanted = {func, gridDim, blockDim, args, sharedMem, stream};
	PTSZ_CALL(cuLaunchCooperativeKernel, (CUfunction)func, gridDim.x, gridDim.y, gridDim.z,
		  blockDim.x, blockDim.y, blockDim.z, (unsigned int)sharedMem, stream, args);

	return launch_call(&call, &wanted, PER_THREAD);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	struct record_origin origin;
	PTSZ_CALL(cuStreamSynchronize, stream);
	const cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	device_lock();
	const struct CUstream_st *waited = device_stream(stream, PER_THREAD);
	const uint64_t drained_ns = device_drained_ns(waited);

	origin = (struct record_origin){call.correlation_id, waited->id, {device_now_ns(), 0}, 0};
	device_unlock();
	device_sleep_until(drained_ns);
	host_functions_wait(waited);
	origin.span.end_ns = device_now_ns();
	record_sync(origin, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
		    CUPTI_SYNCHRONIZATION_INVALID_VALUE, CUPTI_SYNCHRONIZATION_INVALID_VALUE);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	PTSZ_CALL(cuStreamQuery, stream);
	cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	device_lock();
	if (device_drained_ns(device_stream(stream, PER_THREAD)) > device_now_ns())
		error = cudaErrorNotReady;
	device_unlock();
	return call_exit(&call, error);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
	PTSZ_CALL(cuStreamWaitEvent, stream, event, flags);
	const cudaError_t error = call_enter(&call);

	if (error)
		return call_exit(&call, error);
	device_lock();
	struct CUstream_st *waiter = device_stream(stream, PER_THREAD);
	const struct CUevent_st *waited = device_event(event);
	const uint64_t now_ns = device_now_ns();
	const struct record_origin origin = {call.correlation_id, waiter->id, {now_ns, now_ns}, 0};
	const uint32_t event_id = waited->id;
	const uint64_t sync_id = waited->sync_id;

	if (waited->time_ns > waiter->tail_ns)
		waiter->tail_ns = waited->time_ns;
	device_unlock();
	if (sync_id)
		record_sync(origin, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, event_id,
			    sync_id);
	return call_exit(&call, cudaSuccess);
}

static cudaError_t record(struct driver_call *call, cudaEvent_t event, cudaStream_t stream)
{
	const cudaError_t error = call_enter(call);
	struct CUevent_st recorded;

	if (error)
		return call_exit(call, error);
	device_lock();
	device_event_record(device_event(event), device_stream(stream, PER_THREAD));
	recorded = *device_event(event);
	device_unlock();
	record_event(call->correlation_id, &recorded);
	return call_exit(call, cudaSuccess);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	PTSZ_CALL(cuEventRecord, event, stream);

	return record(&call, event, stream);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
	PTSZ_CALL(cuEventRecordWithFlags, event, stream, flags);

	return record(&call, event, stream);
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
	PTSZ_CALL(cuMemAllocAsync, (CUdeviceptr *)devPtr, size, hStream);
	const cudaError_t error = call_enter(&call);
	struct memory *memory;

	if (error || !devPtr || !size)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	device_lock();
	const uint32_t stream_id = device_stream(hStream, PER_THREAD)->id;

	memory = memory_allocate(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, size);
	if (memory)
		memory->is_of_pool = true;
	device_unlock();
	if (!memory)
		return call_exit(&call, cudaErrorMemoryAllocation);
	*devPtr = memory->address;
	record_memory(call.correlation_id, memory, false, stream_id, true);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
	PTSZ_CALL(cuMemFreeAsync, (CUdeviceptr)devPtr, hStream);
	const cudaError_t error = call_enter(&call);
	struct memory released;

	if (error)
		return call_exit(&call, error);
	device_lock();
	const uint32_t stream_id = device_stream(hStream, PER_THREAD)->id;
	struct memory *memory = memory_owned(devPtr, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
					     CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, false);

	released = *memory;
	memory_release(memory); /* its data was moved when its work was enqueued */
	device_unlock();
	record_memory(call.correlation_id, &released, true, stream_id, true);
	return call_exit(&call, cudaSuccess);
}

/* One of the two, read once CUPTI's callback may have changed it. */
static cudaError_t host_function(struct driver_call *call, cudaStream_t handle,
				 const CUhostFn *launched, const CUstreamCallback *added,
				 void *const *data)
{
	struct CUgraphNode_st node = {.type = CU_GRAPH_NODE_TYPE_HOST};
	struct host_function *function = &node.host;
	const cudaError_t error = call_enter(call);
	struct CUstream_st *stream;

	function->data = *data;
	if (launched)
		function->function = *launched;
	else
		function->callback = (cudaStreamCallback_t)(void *)*added;
	if (error || (!function->function && !function->callback))
		return call_exit(call, error ? error : cudaErrorInvalidValue);
	device_lock();
	stream = device_stream(handle, PER_THREAD);
	device_unlock();
	if (function->callback && stream->capture)
		return call_exit(call, cudaErrorStreamCaptureUnsupported);
	if (graph_capture(stream, &node))
		return call_exit(call, cudaSuccess);
	device_lock();
	host_function_enqueue(stream, function);
	device_unlock();
	return call_exit(call, cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
	PTSZ_CALL(cuLaunchHostFunc, stream, fn, userData);

	return host_function(&call, stream, &params.fn, NULL, &params.userData);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
				  void *userData, unsigned int flags)
{
	PTSZ_CALL(cuStreamAddCallback, stream, (CUstreamCallback)(void *)callback, userData, flags);

	return host_function(&call, stream, NULL, &params.callback, &params.userData);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
	PTSZ_CALL(cuStreamBeginCapture_v2, stream, (CUstreamCaptureMode)mode);

	return graph_capture_begin(&call, stream, PER_THREAD);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *pGraph)
{
	PTSZ_CALL(cuStreamEndCapture, stream, pGraph);

	return graph_capture_end(&call, stream, pGraph, PER_THREAD);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream)
{
	PTSZ_CALL(cuGraphLaunch, graphExec, stream);

	return graph_launch(&call, graphExec, stream, PER_THREAD);
}
