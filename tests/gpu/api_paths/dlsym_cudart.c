/*
 * Linked into api_paths.cu instead of cudart: each function jumps to the address that dlsym()
 * gave, as in programs that take their CUDA functions from a handle of their own (ctypes, loaders
 * of optional GPU code). No wrapper of cudart's names is ever called. x86-64.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* What api_paths.cu calls, and what nvcc's own code in it does: one missing here does not link. */
#define FUNCTIONS(X)                                                                               \
	X(__cudaGetKernel)                                                                         \
	X(__cudaInitModule)                                                                        \
	X(__cudaLaunchKernel)                                                                      \
	X(__cudaPopCallConfiguration)                                                              \
	X(__cudaPushCallConfiguration)                                                             \
	X(__cudaRegisterFatBinary)                                                                 \
	X(__cudaRegisterFatBinaryEnd)                                                              \
	X(__cudaRegisterFunction)                                                                  \
	X(__cudaUnregisterFatBinary)                                                               \
	X(cudaDeviceSynchronize)                                                                   \
	X(cudaEventCreateWithFlags)                                                                \
	X(cudaEventDestroy)                                                                        \
	X(cudaEventQuery)                                                                          \
	X(cudaEventRecord)                                                                         \
	X(cudaEventSynchronize)                                                                    \
	X(cudaFree)                                                                                \
	X(cudaFreeAsync)                                                                           \
	X(cudaFreeHost)                                                                            \
	X(cudaGetLastError)                                                                        \
	X(cudaGraphDestroy)                                                                        \
	X(cudaGraphExecDestroy)                                                                    \
	X(cudaGraphInstantiate)                                                                    \
	X(cudaGraphLaunch)                                                                         \
	X(cudaLaunchHostFunc)                                                                      \
	X(cudaMalloc)                                                                              \
	X(cudaMallocAsync)                                                                         \
	X(cudaMallocFromPoolAsync)                                                                 \
	X(cudaMallocHost)                                                                          \
	X(cudaMallocManaged)                                                                       \
	X(cudaMemPoolCreate)                                                                       \
	X(cudaMemPoolDestroy)                                                                      \
	X(cudaMemPoolTrimTo)                                                                       \
	X(cudaMemcpyAsync)                                                                         \
	X(cudaMemsetAsync)                                                                         \
	X(cudaStreamAddCallback)                                                                   \
	X(cudaStreamBeginCapture)                                                                  \
	X(cudaStreamCreate)                                                                        \
	X(cudaStreamCreateWithFlags)                                                               \
	X(cudaStreamDestroy)                                                                       \
	X(cudaStreamEndCapture)                                                                    \
	X(cudaStreamQuery)                                                                         \
	X(cudaStreamSynchronize)                                                                   \
	X(cudaStreamWaitEvent)

#define TRAMPOLINE(name)                                                                           \
	__attribute__((used)) static void *real_##name;                                            \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n\tjmp *real_" #name     \
		"(%rip)\n");
FUNCTIONS(TRAMPOLINE)

static void *find(void *cudart, const char *name)
{
	void *function = cudart ? dlsym(cudart, name) : NULL;

	if (!function) {
		fprintf(stderr, "api_paths: %s\n", dlerror());
		exit(1);
	}
	return function;
}

/* Before nvcc's constructors, which register the kernels. */
__attribute__((constructor(101))) static void find_all(void)
{
	void *cudart = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);

#define FIND(name) real_##name = find(cudart, #name);
	FUNCTIONS(FIND)
}
