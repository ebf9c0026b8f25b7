/* libcuda.so.1: what a program of the driver API alone begins with. There is one device, one context
 * and one library, whose every kernel takes what its parameter says. */
#include "front.h"

#include <stdio.h>
#include <string.h>

static char context, library;

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

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *is_active)
{
	*flags = 0;
	*is_active = 1;
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count)
{
	*count = 1;
	return CUDA_SUCCESS;
}

/* As CUPTI's record of the device has it, like the next one. */
CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
	snprintf(name, (size_t)size, "%s", "Fake GPU");
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	*bytes = (size_t)1 << 34;
	return device == FAKE_DEVICE_ID ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxSetCurrent(CUcontext current)
{
	CUcontext runtime_s;

	return current == (CUcontext)&context ||
			       (!cuCtxGetCurrent(&runtime_s) && current == runtime_s)
		       ? CUDA_SUCCESS
		       : CUDA_ERROR_INVALID_CONTEXT;
}

/* PTX only. */
CUresult cuLibraryLoadData(CUlibrary *loaded, const void *code, CUjit_option *jit_options,
			   void **jit_values, unsigned int jit_count, CUlibraryOption *options,
			   void **values, unsigned int count)
{
	*loaded = (CUlibrary)&library;
	return strncmp(code, ".version ", 9) || jit_count || count ? CUDA_ERROR_INVALID_IMAGE
								   : CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *found, CUlibrary from, const char *name)
{
	*found = (CUkernel)(void *)kernel;
	return from == (CUlibrary)&library && *name ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
