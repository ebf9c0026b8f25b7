/*
 * One call of each class that every API path has, by the runtime API. The path depends on how this
 * file is compiled and linked: with a shared cudart of one major or another, with a static one,
 * with none (references without a version), API_PATH_BY_NAME (by dlsym), API_PATH_LEGACY_LAUNCH
 * (<<<>>> as older compilers write it), CUDA_API_PER_THREAD_DEFAULT_STREAM.
 */
#include "api_path.h"

#include "fake_cuda.h"

#ifdef API_PATH_BY_NAME
#include <dlfcn.h>
void *api_path_scope;
#define CUDA(name) ((__typeof__(&name))dlsym(api_path_scope, #name))
#else
#define CUDA(name) name
#endif

#if defined(API_PATH_LEGACY_LAUNCH)
#define LAUNCH(stream) CUDA(cudaLaunchKernel)((const void *)kernel, one, one, args, 0, stream)
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define LAUNCH(stream) __cudaLaunchKernel_ptsz((cudaKernel_t)kernel, one, one, args, 0, stream)
#else
#define LAUNCH(stream) CUDA(__cudaLaunchKernel)((cudaKernel_t)kernel, one, one, args, 0, stream)
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

	error = CUDA(cudaMemcpyAsync)(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
	error |= LAUNCH(stream);
	error |= CUDA(cudaMemcpyAsync)(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream);
	error |= CUDA(cudaMemsetAsync)(device, 1, BYTES, stream);
	error |= CUDA(cudaMallocAsync)(&pooled, BYTES, stream);
	error |= CUDA(cudaFreeAsync)(pooled, stream);
	return error;
}

static int with_event(cudaStream_t stream, cudaEvent_t event)
{
	int error;

	error = CUDA(cudaEventRecord)(event, stream);
	error |= CUDA(cudaStreamWaitEvent)(0, event, 0);
	error |= CUDA(cudaEventSynchronize)(event);
	error |= CUDA(cudaEventQuery)(event);
	error |= CUDA(cudaStreamSynchronize)(stream);
	error |= CUDA(cudaStreamQuery)(stream);
	error |= CUDA(cudaDeviceSynchronize)();
	return error;
}

int api_path_work(void)
{
	static char host[BYTES];
	void *device, *pinned;
	cudaStream_t stream;
	cudaEvent_t event;
	int error;

	error = CUDA(cudaStreamCreateWithFlags)(&stream, cudaStreamNonBlocking);
	error |= CUDA(cudaEventCreateWithFlags)(&event, cudaEventDisableTiming);
	error |= CUDA(cudaMalloc)(&device, BYTES);
	error |= CUDA(cudaHostAlloc)(&pinned, BYTES, cudaHostAllocDefault);
	error |= CUDA(cudaHostRegister)(host, BYTES, cudaHostRegisterDefault);
	error |= with_memory(stream, device, pinned);
	error |= with_event(stream, event);
	error |= CUDA(cudaHostUnregister)(host);
	error |= CUDA(cudaFreeHost)(pinned);
	error |= CUDA(cudaFree)(device);
	error |= CUDA(cudaEventDestroy)(event);
	error |= CUDA(cudaStreamDestroy)(stream);
	return error;
}
