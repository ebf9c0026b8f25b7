#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "fake_cuda_tracer.h"

struct tracer_seen seen;
CUpti_SubscriberHandle subscriber;

static void on_driver_call(CUpti_CallbackId cbid, const CUpti_CallbackData *data)
{
	if (data->callbackSite == CUPTI_API_ENTER) {
		*data->correlationData = data->correlationId * 3ull;
		return;
	}
	assert_int_equal(*data->correlationData, data->correlationId * 3ull);
	assert_in_range(seen.call_count, 0, MOST - 1);
	seen.calls[seen.call_count].cbid = cbid;
	seen.calls[seen.call_count].correlation_id = data->correlationId;
	seen.calls[seen.call_count].result = (int)*(const CUresult *)data->functionReturnValue;
	if (cbid == CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2)
		seen.calls[seen.call_count].size =
			((const cuMemcpyHtoDAsync_v2_params *)data->functionParams)->ByteCount;
	seen.call_count++;
}

static void on_callback(void *userdata, CUpti_CallbackDomain domain, CUpti_CallbackId cbid,
			const void *data)
{
	assert_ptr_equal(userdata, &seen);
	if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
		on_driver_call(cbid, data);
	else if (cbid == CUPTI_CBID_RESOURCE_STREAM_CREATED)
		seen.streams_created++;
	else if (cbid == CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING)
		seen.streams_destroyed++;
	else if (cbid == CUPTI_CBID_RESOURCE_CONTEXT_CREATED)
		seen.contexts_created++;
}

void on_request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = aligned_alloc(8, BUFFER_BYTES);
	*size = BUFFER_BYTES;
	*max_records = 0;
}

#define KEEP(array, count, type)                                                                   \
	do {                                                                                       \
		assert_in_range(seen.count, 0, MOST - 1);                                          \
		seen.array[seen.count++] = *(const type *)record;                                  \
	} while (0)

static void keep_record(const CUpti_Activity *record)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
		KEEP(kernels, kernel_count, CUpti_ActivityKernel10);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		KEEP(copies, copy_count, CUpti_ActivityMemcpy6);
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		KEEP(sets, set_count, CUpti_ActivityMemset4);
		break;
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		KEEP(syncs, sync_count, CUpti_ActivitySynchronization2);
		break;
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		KEEP(events, event_count, CUpti_ActivityCudaEvent2);
		break;
	case CUPTI_ACTIVITY_KIND_MEMORY2:
		KEEP(memories, memory_count, CUpti_ActivityMemory4);
		break;
	case CUPTI_ACTIVITY_KIND_STREAM:
		KEEP(streams, stream_count, CUpti_ActivityStream);
		break;
	case CUPTI_ACTIVITY_KIND_DEVICE:
		seen.device_count++;
		break;
	case CUPTI_ACTIVITY_KIND_CONTEXT:
		seen.context_count++;
		break;
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		seen.overhead_count++;
		break;
	default:
		fail_msg("a record of kind %d", (int)record->kind);
	}
}

void on_complete(CUcontext context, uint32_t stream_id, uint8_t *buffer, size_t size,
		 size_t valid_size)
{
	CUpti_Activity *record = NULL;
	CUptiResult result;

	assert_int_equal(size, BUFFER_BYTES);
	seen.buffer_count++;
	while (!(result = cuptiActivityGetNextRecord(buffer, valid_size, &record)))
		keep_record(record);
	assert_int_equal(result, CUPTI_ERROR_MAX_LIMIT_REACHED);
	free(buffer);
}

void enable_all_kinds(void)
{
	static const CUpti_ActivityKind kinds[] = {
		CUPTI_ACTIVITY_KIND_DEVICE,	CUPTI_ACTIVITY_KIND_CONTEXT,
		CUPTI_ACTIVITY_KIND_STREAM,	CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		CUPTI_ACTIVITY_KIND_MEMCPY,	CUPTI_ACTIVITY_KIND_MEMSET,
		CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
		CUPTI_ACTIVITY_KIND_MEMORY2,	CUPTI_ACTIVITY_KIND_OVERHEAD,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		assert_int_equal(cuptiActivityEnable(kinds[i]), CUPTI_SUCCESS);
}

int set_up_tracer(void **state)
{
	CUpti_SubscriberHandle second;

	setenv("FAKE_CUPTI_BUSY", "1", 1);
	assert_int_equal(cuptiSubscribe(&subscriber, on_callback, &seen),
			 CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	unsetenv("FAKE_CUPTI_BUSY");
	assert_int_equal(cuptiSubscribe(&subscriber, on_callback, &seen), CUPTI_SUCCESS);
	assert_int_equal(cuptiSubscribe(&second, on_callback, &seen),
			 CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
	assert_int_equal(cuptiActivityRegisterCallbacks(on_request, on_complete), CUPTI_SUCCESS);
	assert_int_equal(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE), CUPTI_SUCCESS);
	assert_int_equal(cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API),
			 CUPTI_SUCCESS);
	enable_all_kinds();
	return 0;
}
