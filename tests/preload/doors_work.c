/*
 * One call of each class that every door has, by the runtime API. The door is how this file is
 * compiled and linked: with a shared cudart of one major or another, with a static one, with none
 * (references without a version), DOORS_BY_NAME (by dlsym), DOORS_LEGACY_LAUNCH (<<<>>> as older
 * compilers write it), CUDA_API_PER_THREAD_DEFAULT_STREAM.
 */
#include "doors.h"

#include "fake_cuda.h"

#ifdef DOORS_BY_NAME
#include <dlfcn.h>
void *doors_scope;
#define DOOR(name) ((__typeof__(&name))dlsym(doors_scope, #name))
#else
#define DOOR(name) name
#endif

#if defined(DOORS_LEGACY_LAUNCH)
#define LAUNCH(stream) DOOR(cudaLaunchKernel)((const void *)kernel, one, one, args, 0, stream)
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define LAUNCH(stream) __cudaLaunchKernel_ptsz((cudaKernel_t)kernel, one, one, args, 0, stream)
#else
#define LAUNCH(stream) DOOR(__cudaLaunchKernel)((cudaKernel_t)kernel, one, one, args, 0, stream)
#endif

enum { BYTES = 4096 };

static void kernel(void **args)
{
}

static int with_memory(cudaStream_t stream, void *device, void *pinned)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns}, *pooled;
	const dim3 one = {1, 1, 1};
	int error;

	error = DOOR(cudaMemcpyAsync)(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	error |= LAUNCH(stream);
	error |= DOOR(cudaMemcpyAsync)(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
	error |= DOOR(cudaMemsetAsync)(device, 1, BYTES, stream);
	error |= DOOR(cudaMallocAsync)(&pooled, BYTES, stream);
	error |= DOOR(cudaFreeAsync)(pooled, stream);
	return error;
}

static int with_event(cudaStream_t stream, cudaEvent_t event)
{
	int error;

	error = DOOR(cudaEventRecord)(event, stream);
	error |= DOOR(cudaStreamWaitEvent)(0, event, 0);
	error |= DOOR(cudaEventSynchronize)(event);
	error |= DOOR(cudaEventQuery)(event);
	error |= DOOR(cudaStreamSynchronize)(stream);
	error |= DOOR(cudaStreamQuery)(stream);
	error |= DOOR(cudaDeviceSynchronize)();
	return error;
}

int doors_work(void)
{
	static char host[BYTES];
	void *device, *pinned;
	cudaStream_t stream;
	cudaEvent_t event;
	int error;

	error = DOOR(cudaStreamCreateWithFlags)(&stream, cudaStreamNonBlocking);
	error |= DOOR(cudaEventCreateWithFlags)(&event, cudaEventDisableTiming);
	error |= DOOR(cudaMalloc)(&device, BYTES);
	error |= DOOR(cudaHostAlloc)(&pinned, BYTES, cudaHostAllocDefault);
	error |= DOOR(cudaHostRegister)(host, BYTES, cudaHostRegisterDefault);
	error |= with_memory(stream, device, pinned);
	error |= with_event(stream, event);
	error |= DOOR(cudaHostUnregister)(host);
	error |= DOOR(cudaFreeHost)(pinned);
	error |= DOOR(cudaFree)(device);
	error |= DOOR(cudaEventDestroy)(event);
	error |= DOOR(cudaStreamDestroy)(stream);
	return error;
}
