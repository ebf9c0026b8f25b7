/* Pools of stream-ordered memory: handles that come, are trimmed and go. */
#include <stdlib.h>

#include "runtime.h"

struct CUmemPoolHandle_st {
	int unused;
};

cudaError_t cudaMemPoolCreate(cudaMemPool_t *memPool, const struct cudaMemPoolProps *poolProps)
{
	DRIVER_CALL(cuMemPoolCreate, memPool, (const CUmemPoolProps *)poolProps);
	const cudaError_t error = call_enter(&call);

	if (error || !memPool || !poolProps)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	*memPool = malloc(sizeof(**memPool));
	if (!*memPool)
		return call_exit(&call, cudaErrorMemoryAllocation);
	record_pool(call.correlation_id, *memPool,
		    CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED, 0);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep)
{
	DRIVER_CALL(cuMemPoolTrimTo, memPool, minBytesToKeep);
	const cudaError_t error = call_enter(&call);

	if (error || !memPool)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	record_pool(call.correlation_id, memPool, CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED,
		    minBytesToKeep);
	return call_exit(&call, cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool)
{
	DRIVER_CALL(cuMemPoolDestroy, memPool);
	const cudaError_t error = call_enter(&call);

	if (error || !memPool)
		return call_exit(&call, error ? error : cudaErrorInvalidValue);
	record_pool(call.correlation_id, memPool,
		    CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_DESTROYED, 0);
	free(memPool);
	return call_exit(&call, cudaSuccess);
}
