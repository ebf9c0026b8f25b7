/* The driver's own door, as far as a tracer asks it. libcudart loads it, as the real one does. */
#include "front.h"

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
	if (!status)
		return CUDA_ERROR_INVALID_VALUE;
	*status = FRONT_FIND(fake_cuda_is_captured)(stream) ? CU_STREAM_CAPTURE_STATUS_ACTIVE
							    : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
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
