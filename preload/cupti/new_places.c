#include "cupti/new_places.h"

#include "content/memory_places.h"

#include <stddef.h>

static const CUpti_CallbackId calls[] = {
	CUPTI_DRIVER_TRACE_CBID_cuIpcOpenMemHandle,
	CUPTI_DRIVER_TRACE_CBID_cuIpcOpenMemHandle_v2,
	CUPTI_DRIVER_TRACE_CBID_cuExternalMemoryGetMappedBuffer,
	CUPTI_DRIVER_TRACE_CBID_cuGraphicsMapResources,
	CUPTI_DRIVER_TRACE_CBID_cuGraphicsMapResources_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuGraphicsResourceGetMappedPointer,
	CUPTI_DRIVER_TRACE_CBID_cuGraphicsResourceGetMappedPointer_v2,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObject,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObject_v2,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObject_v2_ptds,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObjectAsync,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObjectAsync_v2,
	CUPTI_DRIVER_TRACE_CBID_cuGLMapBufferObjectAsync_v2_ptsz,
	CUPTI_DRIVER_TRACE_CBID_cuMemPoolImportPointer,
};

void new_places_enable(CUpti_SubscriberHandle subscriber)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		cupti.cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, calls[i]);
}

bool new_places_take(CUpti_CallbackId cbid)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i] != cbid)
			continue;
		places_forget();
		return true;
	}
	return false;
}
