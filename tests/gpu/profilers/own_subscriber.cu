/*
 * A program that is its own profiler: it subscribes to CUPTI before its first CUDA call, counts its
 * launches in callbacks and its kernels in activity records, and prints both numbers.
 */
#include <cuda_runtime.h>
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAUNCHES = 50, BUFFER_BYTES = 1 << 20 };

static int launches, kernels;

static void check(int error, const char *call)
{
	if (!error)
		return;
	fprintf(stderr, "own_subscriber: %s: error %d\n", call, error);
	exit(1);
}

#define CHECK(call) check((int)(call), #call)

static __global__ void nothing(void)
{
}

static void CUPTIAPI on_callback(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *data)
{
	launches += ((const CUpti_CallbackData *)data)->callbackSite == CUPTI_API_ENTER;
}

static void CUPTIAPI on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = (uint8_t *)aligned_alloc(8, BUFFER_BYTES);
	*size = BUFFER_BYTES;
	*max_records = 0;
}

static void CUPTIAPI on_complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid_bytes)
{
	CUpti_Activity *record = NULL;

	while (!cuptiActivityGetNextRecord(buffer, valid_bytes, &record))
		kernels += record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
	free(buffer);
}

int main(void)
{
	CUpti_SubscriberHandle subscriber;

	CHECK(cuptiSubscribe(&subscriber, on_callback, NULL));
	CHECK(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
				  CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel));
	CHECK(cuptiActivityRegisterCallbacks(on_request, on_complete));
	CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
	for (int i = 0; i < LAUNCHES; i++) {
		nothing<<<1, 1>>>();
		CHECK(cudaGetLastError());
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
	printf("callbacks %d kernels %d\n", launches, kernels);
	return launches == LAUNCHES && kernels == LAUNCHES ? 0 : 1;
}
