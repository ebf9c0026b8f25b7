/* The part of the driver API that a tracer calls. libcudart loads it, as the real one does. */
#include "front.h"

static size_t device_memory_bytes = (size_t)1 << 30, stack_bytes = 1024;
static cuuint64_t pool_threshold;

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	*status = FRONT_FIND(fake_cuda_is_captured)(stream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE
							    : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
	if (!flags)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = FRONT_FIND(fake_cuda_is_non_blocking)(stream) ? CU_STREAM_NON_BLOCKING
							       : CU_STREAM_DEFAULT;
	return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	static __thread CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
	CUstreamCaptureMode before = current;

	current = *mode;
	*mode = before;
	return CUDA_SUCCESS;
}

/* The two that are asked for. Of memory that CUDA does not know all are 0. */
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data,
				CUdeviceptr pointer)
{
	CUpti_ActivityMemoryKind kind = FRONT_FIND(fake_cuda_memory_kind)((const void *)pointer);
	unsigned int type = kind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ? 0
			    : kind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED ? CU_MEMORYTYPE_HOST
									: CU_MEMORYTYPE_DEVICE;

	for (unsigned int i = 0; i < count; i++) {
		if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
			*(unsigned int *)data[i] = type;
		else if (attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED)
			*(unsigned int *)data[i] = kind == CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *address)
{
	if (!flags || !FRONT_FIND(fake_cuda_host_flags)(address, flags))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

/* A context is current on every thread, as after its first call of the runtime. */
CUresult cuCtxGetCurrent(CUcontext *current)
{
	*current = (CUcontext)&device_memory_bytes;
	return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *all_bytes)
{
	*all_bytes = device_memory_bytes;
	*free_bytes = device_memory_bytes -
		      FRONT_FIND(fake_cuda_allocated_bytes)(CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
	return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	if (limit != CU_LIMIT_STACK_SIZE)
		return CUDA_ERROR_INVALID_VALUE;
	stack_bytes = value;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
	*value = stack_bytes;
	return limit == CU_LIMIT_STACK_SIZE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
	*pool = (CUmemoryPool)&pool_threshold;
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD || (void *)pool != &pool_threshold)
		return CUDA_ERROR_INVALID_VALUE;
	pool_threshold = *(cuuint64_t *)value;
	return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
	if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD || (void *)pool != &pool_threshold)
		return CUDA_ERROR_INVALID_VALUE;
	*(cuuint64_t *)value = pool_threshold;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	*device = FAKE_DEVICE_ID;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	switch (attribute) {
	case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
		*value = getenv("FAKE_PAGEABLE_ACCESS") || getenv("FAKE_HOST_TABLES");
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
		*value = getenv("FAKE_HOST_TABLES") != NULL;
		return CUDA_SUCCESS;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = 64; /* as CUPTI's record of the device has it */
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

/* A kernel's handle is its function, whichever of the two it is said to be. */
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
	size_t found_size;

	if (!offset || !FRONT_FIND(fake_cuda_parameter)(function, index, offset, &found_size))
		return CUDA_ERROR_INVALID_VALUE;
	if (size)
		*size = found_size;
	return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size)
{
	return cuFuncGetParamInfo((CUfunction)kernel, index, offset, size);
}

/* Sets *count to the number of nodes. nodes NULL: no more is asked. */
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	CUgraphNode node;

	*count = 0;
	while ((node = FRONT_FIND(fake_cuda_graph_node)(graph, *count))) {
		if (nodes)
			nodes[*count] = node;
		++*count;
	}
	return CUDA_SUCCESS;
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
	const CUgraphNode first = FRONT_FIND(fake_cuda_graph_node)(graph, 0);

	if (nodes && first)
		nodes[0] = first;
	*count = first != NULL;
	return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data,
			 size_t *count)
{
	const bool is_programmatic = getenv("FAKE_PROGRAMMATIC_EDGES");
	CUgraphNode node = FRONT_FIND(fake_cuda_graph_node)(graph, 0), next;

	for (*count = 0; node && (next = FRONT_FIND(fake_cuda_graph_node)(graph, *count + 1));
	     node = next, ++*count) {
		if (!from)
			continue;
		from[*count] = node;
		to[*count] = next;
		data[*count] =
			(CUgraphEdgeData){.from_port = is_programmatic, .type = is_programmatic};
	}
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type)
{
	*type = FRONT_FIND(fake_cuda_node_type)(node);
	return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
	*graph = FRONT_FIND(fake_cuda_node_child)(node);
	return *graph ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
