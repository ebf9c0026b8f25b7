/*
 * A library whose constructor calls CUDA: preloaded behind libstrace.so its constructor runs first.
 * It calls cudaFree(NULL) twice, the second time past libstrace.so's wrapper.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <err.h>

__attribute__((constructor)) static void call_early(void)
{
	__typeof__(&cudaFree) direct;

	*(void **)&direct = dlsym(dlopen(CUDART_PATH, RTLD_NOW), "cudaFree");
	if (!direct || cudaFree(NULL) || direct(NULL))
		err(1, "early call");
}
