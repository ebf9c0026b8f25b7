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
