/* As a Python extension: brings cudart along, loaded with RTLD_LOCAL by preload_host.c. */
#include <cuda_runtime_api.h>

int plugin_run(void);

int plugin_run(void)
{
	void *device;
	int result = cudaMalloc(&device, 4096);

	if (!result)
		result = cudaMemset(device, 0, 4096);
	if (!result)
		result = cudaFree(device);
	return result;
}
