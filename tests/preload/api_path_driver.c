/* What api_path_work.c does, by the driver API. */
#include "api_path.h"

#include <stdint.h>

#include <cuda.h>

enum { BYTES = 4096 };

static void kernel(void **args)
{
}

static int with_memory(CUstream stream, CUdeviceptr device, void *pinned)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	CUdeviceptr pooled;
	int error;

	error = cuMemcpyHtoDAsync(device, pinned, BYTES, stream);
	error |= cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
	error |= cuMemcpyDtoHAsync(pinned, device, BYTES, stream);
	error |= cuMemsetD8Async(device, 1, BYTES, stream);
	error |= cuMemAllocAsync(&pooled, BYTES, stream);
	error |= cuMemFreeAsync(pooled, stream);
	return error;
}

static int with_event(CUstream stream, CUevent event)
{
	int error;

	error = cuEventRecord(event, stream);
	error |= cuStreamWaitEvent(NULL, event, 0);
	error |= cuEventSynchronize(event);
	error |= cuEventQuery(event);
	error |= cuStreamSynchronize(stream);
	error |= cuStreamQuery(stream);
	error |= cuCtxSynchronize();
	return error;
}

int api_path_work(void)
{
	static char host[BYTES];
	CUdeviceptr device;
	CUstream stream;
	CUevent event;
	void *pinned;
	int error;

	error = cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
	error |= cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
	error |= cuMemAlloc(&device, BYTES);
	error |= cuMemHostAlloc(&pinned, BYTES, 0);
	error |= cuMemHostRegister(host, BYTES, 0);
	error |= with_memory(stream, device, pinned);
	error |= with_event(stream, event);
	error |= cuMemHostUnregister(host);
	error |= cuMemFreeHost(pinned);
	error |= cuMemFree(device);
	error |= cuEventDestroy(event);
	error |= cuStreamDestroy(stream);
	return error;
}
