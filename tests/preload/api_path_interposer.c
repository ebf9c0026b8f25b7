/* Another tool's library, preloaded after libstrace.so: the program's cudaMalloc is its to see. */
#include <dlfcn.h>
#include <stdio.h>

#include <cuda_runtime_api.h>

cudaError_t cudaMalloc(void **address, size_t size)
{
	const __typeof__(&cudaMalloc) next =
		(__typeof__(&cudaMalloc))dlsym(RTLD_NEXT, "cudaMalloc");

	puts("interposed");
	return next ? next(address, size) : cudaErrorInitializationError;
}
