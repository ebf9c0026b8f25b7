/* libcuda.so.1: the driver calls of tests/preload/api_path_driver.c. Each is made as the call of
 * libcudart.so.13 which CUPTI tells of by its name. Errors common to both have the same numbers; the runtime's last error
 * stays. */
#include "front.h"

#define FRONT(name, params, call)                                                                  \
	CUresult name params;                                                                      \
	CUresult name params                                                                       \
	{                                                                                          \
		const cudaError_t last = FRONT_FIND(cudaPeekAtLastError)();                        \
		const CUresult result = (CUresult)(call);                                          \
                                                                                                   \
		FRONT_FIND(fake_cuda_set_last_error)(last);                                        \
		return result;                                                                     \
	}

FRONT(cuStreamCreate, (CUstream * stream, unsigned int flags),
      FRONT_FIND(cudaStreamCreateWithFlags)(stream, flags))
FRONT(cuStreamDestroy, (CUstream stream), FRONT_FIND(cudaStreamDestroy)(stream))
FRONT(cuStreamSynchronize, (CUstream stream), FRONT_FIND(cudaStreamSynchronize)(stream))
FRONT(cuStreamQuery, (CUstream stream), FRONT_FIND(cudaStreamQuery)(stream))
FRONT(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
      FRONT_FIND(cudaStreamWaitEvent)(stream, event, flags))
FRONT(cuEventCreate, (CUevent * event, unsigned int flags),
      FRONT_FIND(cudaEventCreateWithFlags)(event, flags))
FRONT(cuEventDestroy, (CUevent event), FRONT_FIND(cudaEventDestroy)(event))
FRONT(cuEventRecord, (CUevent event, CUstream stream), FRONT_FIND(cudaEventRecord)(event, stream))
FRONT(cuEventSynchronize, (CUevent event), FRONT_FIND(cudaEventSynchronize)(event))
FRONT(cuEventQuery, (CUevent event), FRONT_FIND(cudaEventQuery)(event))
FRONT(cuCtxSynchronize, (void), FRONT_FIND(cudaDeviceSynchronize)())
FRONT(cuMemAlloc, (CUdeviceptr * address, size_t size),
      FRONT_FIND(cudaMalloc)((void **)address, size))
FRONT(cuMemFree, (CUdeviceptr address), FRONT_FIND(cudaFree)((void *)address))
FRONT(cuMemAllocAsync, (CUdeviceptr * address, size_t size, CUstream stream),
      FRONT_FIND(cudaMallocAsync)((void **)address, size, stream))
FRONT(cuMemFreeAsync, (CUdeviceptr address, CUstream stream),
      FRONT_FIND(cudaFreeAsync)((void *)address, stream))
FRONT(cuMemHostAlloc, (void **address, size_t size, unsigned int flags),
      FRONT_FIND(cudaHostAlloc)(address, size, flags))
FRONT(cuMemFreeHost, (void *address), FRONT_FIND(cudaFreeHost)(address))
FRONT(cuMemHostRegister, (void *address, size_t size, unsigned int flags),
      FRONT_FIND(cudaHostRegister)(address, size, flags))
FRONT(cuMemHostUnregister, (void *address), FRONT_FIND(cudaHostUnregister)(address))
FRONT(cuMemcpyHtoDAsync, (CUdeviceptr dst, const void *src, size_t size, CUstream stream),
      FRONT_FIND(cudaMemcpyAsync)((void *)dst, src, size, cudaMemcpyHostToDevice, stream))
FRONT(cuMemcpyDtoHAsync, (void *dst, CUdeviceptr src, size_t size, CUstream stream),
      FRONT_FIND(cudaMemcpyAsync)(dst, (void *)src, size, cudaMemcpyDeviceToHost, stream))
FRONT(cuMemsetD8Async, (CUdeviceptr dst, unsigned char value, size_t size, CUstream stream),
      FRONT_FIND(cudaMemsetAsync)((void *)dst, value, size, stream))
FRONT(cuMemPrefetchAsync,
      (CUdeviceptr address, size_t size, CUmemLocation location, unsigned int flags,
       CUstream stream),
      FRONT_FIND(cudaMemPrefetchAsync)((void *)address, size,
				       (struct cudaMemLocation){
					       .type = (enum cudaMemLocationType)location.type,
					       .id = location.id},
				       flags, stream))
FRONT(cuLaunchKernel,
      (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
       unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
       CUstream stream, void **args, void **extra),
      FRONT_FIND(__cudaLaunchKernel)((cudaKernel_t)function, (dim3){grid_x, grid_y, grid_z},
				     (dim3){block_x, block_y, block_z}, args, shared_bytes, stream))
