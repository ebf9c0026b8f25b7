/* A libcudart.so.13 whose calls do nothing, without a lock: as fast as a program can call CUDA. Or they count to
 * EMPTY_CUDART_COUNT first. */
#include <cuda_runtime_api.h>

#include <stdlib.h>

static int count_to;

__attribute__((constructor)) static void read_count(void)
{
	const char *text = getenv("EMPTY_CUDART_COUNT");

	count_to = text ? atoi(text) : 0;
}

static cudaError_t succeed(void)
{
	for (volatile int i = 0; i < count_to; i++)
		;
	return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	return succeed();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return succeed();
}
