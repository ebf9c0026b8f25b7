/* libcuda.so.1: what a program of the driver API alone begins with. There is one device, one context
 * and one module, whose every kernel takes what its parameter says. */
#include "front.h"

#include <string.h>

static char context, module;

static void kernel(void **args)
{
	(void)args;
}

CUresult cuInit(unsigned int flags)
{
	return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = FAKE_DEVICE_ID;
	return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* As CUPTI's record of the device has it. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	memcpy(uuid->bytes, FAKE_UUID, sizeof(uuid->bytes));
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *retained, CUdevice device)
{
	*retained = (CUcontext)&context;
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext current)
{
	return current == (CUcontext)&context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

/* PTX only. */
CUresult cuModuleLoadData(CUmodule *loaded, const void *image)
{
	*loaded = (CUmodule)&module;
	return strncmp(image, ".version ", 9) ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule from, const char *name)
{
	*function = (CUfunction)(void *)kernel;
	return from == (CUmodule)&module && *name ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
