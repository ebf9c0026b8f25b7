/* Compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM: every name below is its _ptsz or _ptds twin. */
#define PER_THREAD 1
#include "preload_app.h"

void scenario_per_thread(void)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};
	char host[64] = {0};
	void *device;

	cudaMallocAsync(&device, 64, NULL);
	made("cudaMallocAsync", "alloc", (struct expected){0, NONE, VALUE(device), NONE, 64}, 1,
	     cudaSuccess);
	CALL(cudaMemcpyAsync, "copy", cudaMemcpyAsync(device, host, 64, cudaMemcpyHostToDevice, 0),
	     0, NONE, VALUE(device), VALUE(host), 64);
	CALL(cudaMemcpy, "copy", cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost), ANY, NONE,
	     VALUE(host), VALUE(device), 64);
	CALL(cudaMemset, "set", cudaMemset(device, 0, 64), ANY, NONE, VALUE(device), NONE, 64);
	CALL(cudaMemsetAsync, "set", cudaMemsetAsync(device, 0, 32, 0), 0, NONE, VALUE(device),
	     NONE, 32);
	CALL(__cudaLaunchKernel, "launch",
	     __cudaLaunchKernel_ptsz((cudaKernel_t)idle_kernel, one, one, args, 0, 0), 0,
	     VALUE(idle_kernel), NONE, NONE, NONE);
	CALL(cudaLaunchKernel, "launch",
	     cudaLaunchKernel((const void *)idle_kernel, one, one, args, 0, 0), 0,
	     VALUE(idle_kernel), NONE, NONE, NONE);
	CALL(cudaStreamSynchronize, "stream-sync", cudaStreamSynchronize(0), 0, NONE, NONE, NONE,
	     NONE);
	CALL(cudaFreeAsync, "free", cudaFreeAsync(device, 0), 0, NONE, VALUE(device), NONE, NONE);
}
