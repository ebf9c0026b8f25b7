/*
 * Tests of the stand-ins themselves, with a small tracer in this process: what libstrace.so is
 * tested against must itself behave as measured and documented.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <cupti_driver_cbid.h>

#include "fake_cuda.h"

enum { MS = 1000000, BUFFER_BYTES = 4096, MOST = 512 };

/* A kernel that still runs when the host has done some more, on a loaded machine too. */
enum { LONG_NS = 100 * MS };

/* What the tracer has seen since the last reset. */
static struct {
	CUpti_ActivityKernel10 kernels[MOST];
	CUpti_ActivityMemcpy6 copies[MOST];
	CUpti_ActivityMemset4 sets[MOST];
	CUpti_ActivitySynchronization2 syncs[MOST];
	CUpti_ActivityCudaEvent2 events[MOST];
	CUpti_ActivityMemory4 memories[MOST];
	CUpti_ActivityStream streams[MOST];
	size_t kernel_count, copy_count, set_count, sync_count, event_count, memory_count,
		stream_count, device_count, context_count, overhead_count, buffer_count;
	struct {
		CUpti_CallbackId cbid;
		uint32_t correlation_id;
		int result;
		uint64_t size;
	} calls[MOST];
	size_t call_count;
	size_t streams_created, streams_destroyed, contexts_created;
} seen;

static CUpti_SubscriberHandle subscriber;

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

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

static void on_request(uint8_t **buffer, size_t *size, size_t *max_records)
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

static void on_complete(CUcontext context, uint32_t stream_id, uint8_t *buffer, size_t size,
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

static void enable_all_kinds(void)
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

static int set_up_tracer(void **state)
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

/* Each test starts with an idle device and nothing seen. */
static int set_up(void **state)
{
	cudaDeviceSynchronize();
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	cudaGetLastError();
	memset(&seen, 0, sizeof(seen));
	return 0;
}

static void finish(void)
{
	assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
	assert_int_equal(cuptiActivityFlushAll(0), CUPTI_SUCCESS);
}

static int kernel_runs;

static void kernel(void **args)
{
	kernel_runs++;
}

static void launch(cudaStream_t stream, uint64_t duration_ns)
{
	void *args[] = {&duration_ns};

	assert_int_equal(cudaLaunchKernel((const void *)kernel, (dim3){1, 1, 1}, (dim3){32, 1, 1},
					  args, 0, stream),
			 cudaSuccess);
}

static cudaStream_t new_stream(unsigned int flags)
{
	cudaStream_t stream;

	assert_int_equal(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
	return stream;
}

static void test_first_call_makes_the_context(void **state)
{
	int count = 0;

	assert_int_equal(cudaGetDeviceCount(&count), cudaSuccess);
	assert_int_equal(count, 1);
	assert_int_equal(seen.contexts_created, 0);
	assert_int_equal(cudaFree(NULL), cudaSuccess);
	assert_int_equal(seen.contexts_created, 1);
	cuptiActivityFlushAll(0);
	assert_int_equal(seen.device_count, 1);
	assert_int_equal(seen.context_count, 1);
	assert_int_equal(seen.overhead_count, 1);
	assert_int_equal(seen.stream_count, 1);
	assert_int_equal(seen.streams[0].streamId, FAKE_NULL_STREAM_ID);
	assert_int_equal(seen.streams[0].flag, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL);
}

static void test_one_engine_runs_one_thing(void **state)
{
	cudaStream_t a = new_stream(cudaStreamNonBlocking);
	cudaStream_t b = new_stream(cudaStreamNonBlocking);
	void *host, *device;

	cudaMallocHost(&host, MS);
	cudaMalloc(&device, MS);
	launch(a, 5 * MS);
	launch(a, 5 * MS);
	launch(b, 5 * MS);
	cudaMemcpyAsync(device, host, MS, cudaMemcpyHostToDevice, b);
	finish();
	assert_int_equal(seen.kernel_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(seen.kernels[i].end - seen.kernels[i].start, 5 * MS);
	assert_true(seen.kernels[1].start >= seen.kernels[0].end);
	assert_true(seen.kernels[2].start >= seen.kernels[1].end);
	assert_true(seen.copies[0].start >= seen.kernels[2].end);
	assert_int_equal(seen.copies[0].end - seen.copies[0].start, MS / 20);
	assert_int_equal(seen.copies[0].srcKind, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);
	assert_int_equal(seen.copies[0].dstKind, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
	assert_string_equal(seen.kernels[0].name, "kernel");
	cudaFreeHost(host);
	cudaFree(device);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
}

static void test_engines_overlap_and_fill_gaps(void **state)
{
	cudaStream_t a = new_stream(cudaStreamNonBlocking);
	cudaStream_t b = new_stream(cudaStreamNonBlocking);
	void *host, *device;

	cudaMallocHost(&host, 2 * MS);
	cudaMalloc(&device, 2 * MS);
	launch(a, LONG_NS);
	cudaMemcpyAsync(device, host, MS, cudaMemcpyHostToDevice, a);	  /* after the kernel */
	cudaMemcpyAsync(device, host, 2 * MS, cudaMemcpyHostToDevice, b); /* beside it */
	finish();
	assert_int_equal(seen.copy_count, 2);
	assert_int_equal(seen.copies[0].bytes, 2 * MS); /* by completion */
	assert_true(seen.copies[0].end < seen.kernels[0].end);
	assert_true(seen.copies[1].start >= seen.kernels[0].end);
	cudaFreeHost(host);
	cudaFree(device);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
}

static void test_legacy_stream_is_a_barrier(void **state)
{
	cudaStream_t blocking = new_stream(cudaStreamDefault);
	cudaStream_t free_stream = new_stream(cudaStreamNonBlocking);
	void *host, *device;

	cudaMallocHost(&host, MS);
	cudaMalloc(&device, MS);
	launch(blocking, LONG_NS);
	cudaMemcpyAsync(device, host, MS, cudaMemcpyHostToDevice, NULL);
	cudaMemcpyAsync(host, device, MS, cudaMemcpyDeviceToHost, blocking);
	cudaMemcpyAsync(host, device, MS, cudaMemcpyDeviceToHost, free_stream);
	finish();
	assert_int_equal(seen.copy_count, 3);
	assert_true(seen.copies[0].end < seen.kernels[0].end); /* the free stream's */
	assert_int_equal(seen.copies[1].streamId, FAKE_NULL_STREAM_ID);
	assert_true(seen.copies[1].start >= seen.kernels[0].end);
	assert_true(seen.copies[2].start >= seen.copies[1].end);
	cudaFreeHost(host);
	cudaFree(device);
	cudaStreamDestroy(blocking);
	cudaStreamDestroy(free_stream);
}

static void test_event_orders_two_streams(void **state)
{
	cudaStream_t a = new_stream(cudaStreamNonBlocking);
	cudaStream_t b = new_stream(cudaStreamNonBlocking);
	cudaEvent_t event, second;
	void *host, *device;
	float ms = 0;

	cudaMallocHost(&host, 4 * MS);
	cudaMalloc(&device, 4 * MS);
	cudaEventCreate(&event);
	cudaEventCreate(&second);
	launch(a, LONG_NS);
	cudaEventRecord(event, a);
	assert_int_equal(cudaEventQuery(event), cudaErrorNotReady);
	assert_int_equal(cudaStreamWaitEvent(b, event, 0), cudaSuccess);
	/* On an engine of its own: nothing but the event holds it back. */
	cudaMemcpyAsync(device, host, 4 * MS, cudaMemcpyHostToDevice, b);
	cudaEventRecord(second, b);
	assert_int_equal(cudaEventElapsedTime(&ms, event, second), cudaErrorNotReady);
	assert_int_equal(cudaEventSynchronize(second), cudaSuccess);
	assert_int_equal(cudaEventQuery(event), cudaSuccess);
	assert_int_equal(cudaEventElapsedTime(&ms, event, second), cudaSuccess);
	assert_true(ms > 0.19f && ms < 0.21f);
	finish();
	assert_int_equal(seen.event_count, 2);
	assert_int_equal(seen.sync_count, 3); /* wait, event, and finish()'s context */
	assert_int_equal(seen.syncs[0].type, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT);
	assert_int_equal(seen.syncs[0].cudaEventSyncId, seen.events[0].cudaEventSyncId);
	assert_int_equal(seen.syncs[1].type, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE);
	assert_int_equal(seen.syncs[1].cudaEventSyncId, seen.events[1].cudaEventSyncId);
	assert_true(seen.copies[0].start >= seen.kernels[0].end);
	cudaEventDestroy(event);
	cudaEventDestroy(second);
	cudaFreeHost(host);
	cudaFree(device);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
}

/* Which calls wait for a kernel in a stream: the measured matrix, as far as it is modelled. */
enum waiting { NO_WAIT, WAITS };

static void *pinned, *pageable, *device_memory;

static void expect_host(enum waiting expected, unsigned int stream_flags,
			void (*call)(cudaStream_t))
{
	cudaStream_t stream = new_stream(stream_flags);
	uint64_t start_ns, duration_ns;

	launch(stream, LONG_NS);
	start_ns = clock_ns();
	call(stream);
	duration_ns = clock_ns() - start_ns;
	if (expected == WAITS)
		assert_true(duration_ns > LONG_NS * 9 / 10);
	else
		assert_true(duration_ns < LONG_NS * 9 / 10);
	cudaDeviceSynchronize();
	cudaStreamDestroy(stream);
}

static void pinned_download(cudaStream_t stream)
{
	cudaMemcpyAsync(pinned, device_memory, 4096, cudaMemcpyDeviceToHost, stream);
}

static void pageable_download(cudaStream_t stream)
{
	cudaMemcpyAsync(pageable, device_memory, 4096, cudaMemcpyDeviceToHost, stream);
}

static void pageable_upload(cudaStream_t stream)
{
	cudaMemcpyAsync(device_memory, pageable, 4096, cudaMemcpyHostToDevice, stream);
}

static void sync_upload(cudaStream_t stream)
{
	cudaMemcpy(device_memory, pinned, 4096, cudaMemcpyHostToDevice);
}

static void device_copy(cudaStream_t stream)
{
	cudaMemcpy((char *)device_memory + 8192, device_memory, 4096, cudaMemcpyDeviceToDevice);
}

static void null_sync(cudaStream_t stream)
{
	cudaStreamSynchronize(NULL);
}

static void own_sync(cudaStream_t stream)
{
	cudaStreamSynchronize(stream);
}

static void allocate_and_set(cudaStream_t stream)
{
	void *memory;

	cudaMalloc(&memory, 4096);
	cudaMemset(memory, 0, 4096);
	cudaFreeAsync(memory, stream);
}

static void free_memory(cudaStream_t stream)
{
	void *memory;

	cudaMalloc(&memory, 4096);
	cudaFree(memory);
}

static void test_which_calls_block(void **state)
{
	cudaMallocHost(&pinned, 1 << 16);
	cudaMalloc(&device_memory, 1 << 16);
	pageable = malloc(1 << 16);
	expect_host(NO_WAIT, cudaStreamDefault, pinned_download);
	expect_host(WAITS, cudaStreamDefault, pageable_download);
	expect_host(NO_WAIT, cudaStreamDefault, pageable_upload);
	expect_host(WAITS, cudaStreamDefault, sync_upload);
	expect_host(NO_WAIT, cudaStreamNonBlocking, sync_upload);
	expect_host(NO_WAIT, cudaStreamDefault, device_copy);
	expect_host(WAITS, cudaStreamDefault, null_sync);
	expect_host(NO_WAIT, cudaStreamNonBlocking, null_sync);
	expect_host(WAITS, cudaStreamNonBlocking, own_sync);
	expect_host(NO_WAIT, cudaStreamDefault, allocate_and_set);
	expect_host(WAITS, cudaStreamNonBlocking, free_memory);
	cudaFreeHost(pinned);
	cudaFree(device_memory);
	free(pageable);
}

static void test_records_have_their_callbacks(void **state)
{
	uint64_t duration_ns = 1000;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};
	cudaLaunchConfig_t config = {.gridDim = one, .blockDim = one};
	char *host, *device;

	cudaMallocHost((void **)&host, 4096);
	cudaMalloc((void **)&device, 4096);
	memset(host, 7, 4096);
	kernel_runs = 0;
	cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice, NULL);
	cudaMemcpy2DAsync(device, 64, host, 32, 16, 8, cudaMemcpyDefault, NULL);
	cudaMemset(device, 9, 16);
	cudaMemsetAsync(device + 16, 9, 16, NULL);
	__cudaLaunchKernel((cudaKernel_t)kernel, one, one, args, 0, NULL);
	cudaLaunchKernel((const void *)kernel, one, one, args, 0, NULL);
	cudaLaunchKernelExC(&config, (const void *)kernel, args);
	cudaLaunchCooperativeKernel((const void *)kernel, one, one, args, 0, NULL);
	cudaMemcpy(host, device, 32, cudaMemcpyDeviceToHost);
	assert_int_equal(host[31], 9);
	assert_int_equal(host[32], 7);
	finish();
	assert_int_equal(kernel_runs, 4);
	assert_int_equal(seen.kernel_count, 4);
	assert_int_equal(seen.copy_count, 3);
	assert_int_equal(seen.set_count, 2);
	assert_int_equal(seen.memory_count, 2);
	assert_int_equal(seen.call_count, 2 + 3 + 2 + 4 + 1);
	assert_int_equal(seen.calls[2].cbid, CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2);
	assert_int_equal(seen.calls[2].size, 4096);
	assert_int_equal(seen.calls[2].correlation_id, seen.copies[0].correlationId);
	assert_int_equal(seen.copies[1].bytes, 16 * 8);
	assert_int_equal(seen.calls[3].correlation_id, seen.copies[1].correlationId);
	assert_int_equal(seen.calls[4].correlation_id, seen.sets[0].correlationId);
	assert_int_equal(seen.calls[6].cbid, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(seen.calls[6 + i].correlation_id, seen.kernels[i].correlationId);
	assert_int_equal(seen.calls[0].correlation_id, seen.memories[0].correlationId);
	cudaFreeHost(host);
	cudaFree(device);
}

static void test_disabled_kinds_and_callbacks_are_silent(void **state)
{
	cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	cuptiEnableCallback(0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
	launch(NULL, MS);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
	cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
			    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
	launch(NULL, 2 * MS);
	finish();
	assert_int_equal(seen.kernel_count, 1);
	assert_int_equal(seen.kernels[0].end - seen.kernels[0].start, 2 * MS);
	assert_int_equal(seen.call_count, 2); /* the second launch, and finish() */
}

static void test_flush_gives_complete_records_unless_forced(void **state)
{
	launch(NULL, 200 * MS);
	cuptiActivityFlushAll(0);
	assert_int_equal(seen.kernel_count, 0);
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	assert_int_equal(seen.kernel_count, 1);
	assert_int_equal(seen.kernels[0].start, 0);
	finish();
	assert_int_equal(seen.kernel_count, 1);
}

static void test_full_buffers_are_followed_by_others(void **state)
{
	for (int i = 0; i < 100; i++)
		launch(NULL, 1000);
	finish();
	assert_int_equal(seen.kernel_count, 100);
	assert_in_range(seen.buffer_count, 100 * sizeof(CUpti_ActivityKernel10) / BUFFER_BYTES,
			MOST);
	for (int i = 1; i < 100; i++)
		assert_true(seen.kernels[i].start >= seen.kernels[i - 1].end);
}

static void test_streams_have_flag_priority_and_callbacks(void **state)
{
	cudaStream_t stream;
	uint32_t id = 0;

	cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -3);
	cuptiActivityFlushAll(0);
	assert_int_equal(cuptiGetStreamIdEx(NULL, stream, 0, &id), CUPTI_SUCCESS);
	assert_int_equal(seen.stream_count, 1);
	assert_int_equal(seen.streams[0].streamId, id);
	assert_int_equal((int32_t)seen.streams[0].priority, -3);
	assert_int_equal(seen.streams[0].flag, CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING);
	cudaStreamDestroy(stream);
	assert_int_equal(seen.streams_created, 1);
	assert_int_equal(seen.streams_destroyed, 1);
}

static void test_per_thread_twins(void **state)
{
	uint64_t duration_ns = MS;
	void *args[] = {&duration_ns};
	const dim3 one = {1, 1, 1};
	uint32_t id = 0;

	assert_int_equal(__cudaLaunchKernel_ptsz((cudaKernel_t)kernel, one, one, args, 0, NULL),
			 cudaSuccess);
	finish();
	assert_int_equal(cuptiGetStreamIdEx(NULL, NULL, 1, &id), CUPTI_SUCCESS);
	assert_int_not_equal(id, FAKE_NULL_STREAM_ID);
	assert_int_equal(seen.kernels[0].streamId, id);
	assert_int_equal(seen.calls[0].cbid, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
}

static void test_last_error_stays_until_read(void **state)
{
	void *device;
	char host[64] = {0};

	cudaMalloc(&device, 64);
	assert_int_equal(cudaMemcpyAsync(device, host, 65, cudaMemcpyHostToDevice, NULL),
			 cudaErrorInvalidValue);
	assert_int_equal(seen.calls[1].result, CUDA_ERROR_INVALID_VALUE);
	assert_int_equal(cudaMemcpyAsync(device, host, 64, cudaMemcpyHostToDevice, NULL),
			 cudaSuccess);
	assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
	assert_int_equal(cudaGetLastError(), cudaSuccess);
	assert_int_equal(cudaMemcpy(host, device, 64, cudaMemcpyHostToDevice),
			 cudaErrorInvalidValue);
	finish();
	assert_int_equal(seen.copy_count, 1);
	cudaFree(device);
}

static void test_faults_on_demand(void **state)
{
	size_t dropped = 0;
	size_t untimed = 0;

	setenv("FAKE_ZERO_TIMESTAMPS", "1", 1);
	for (int i = 0; i < 9; i++)
		launch(NULL, 1000);
	unsetenv("FAKE_ZERO_TIMESTAMPS");
	finish();
	for (size_t i = 0; i < seen.kernel_count; i++)
		untimed += !seen.kernels[i].start && !seen.kernels[i].end;
	assert_int_equal(seen.kernel_count, 9);
	assert_int_equal(untimed, 3);
	setenv("FAKE_DROPPED_RECORDS", "42", 1);
	cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped);
	assert_int_equal(dropped, 42);
	cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped);
	assert_int_equal(dropped, 0);
	unsetenv("FAKE_DROPPED_RECORDS");
}

/* What each misuse does, in a process of its own: `fake_cuda_test NAME`. */
static void misuse_destroyed_stream(void)
{
	cudaStream_t stream = new_stream(cudaStreamDefault);

	cudaStreamDestroy(stream);
	cudaStreamSynchronize(stream);
}

static void misuse_destroyed_event(void)
{
	cudaEvent_t event;

	cudaEventCreate(&event);
	cudaEventDestroy(event);
	cudaEventRecord(event, NULL);
}

static void misuse_double_free(void)
{
	void *memory;

	cudaMalloc(&memory, 64);
	cudaFree(memory);
	cudaFree(memory);
}

static void misuse_free_of_pinned(void)
{
	void *memory;

	cudaMallocHost(&memory, 64);
	cudaFree(memory);
}

static void misuse_flush_first(void)
{
	cuptiActivityFlushAll(0);
}

static void misuse_enable_unsubscribed(void)
{
	cuptiEnableDomain(1, NULL, CUPTI_CB_DOMAIN_DRIVER_API);
}

static void misuse_enable_unregistered(void)
{
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE);
	cudaFree(NULL);
}

static void misuse_foreign_buffer(void)
{
	static uint64_t buffer[64];
	CUpti_Activity *record = NULL;

	cuptiActivityGetNextRecord((uint8_t *)buffer, sizeof(buffer), &record);
}

static void request_null(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = NULL;
	*size = 0;
	*max_records = 0;
}

static void misuse_null_buffer(void)
{
	cuptiActivityRegisterCallbacks(request_null, on_complete);
	cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DEVICE);
	cudaFree(NULL);
}

static void request_same(uint8_t **buffer, size_t *size, size_t *max_records)
{
	static uint64_t memory[64];

	*buffer = (uint8_t *)memory;
	*size = sizeof(memory);
	*max_records = 1;
}

static void misuse_buffer_given_twice(void)
{
	cuptiActivityRegisterCallbacks(request_same, on_complete);
	enable_all_kinds();
	cudaFree(NULL);
}

static void complete_with_cuda(CUcontext context, uint32_t stream_id, uint8_t *buffer, size_t size,
			       size_t valid_size)
{
	cudaDeviceSynchronize();
}

static void misuse_cuda_in_buffer_callback(void)
{
	cuptiActivityRegisterCallbacks(on_request, complete_with_cuda);
	enable_all_kinds();
	cudaFree(NULL);
	cuptiActivityFlushAll(0);
}

static const struct {
	const char *name;
	void (*run)(void);
	const char *message; /* part of its line on stderr */
} misuses[] = {
	{"destroyed-stream", misuse_destroyed_stream, "does not exist"},
	{"destroyed-event", misuse_destroyed_event, "does not exist"},
	{"double-free", misuse_double_free, "was freed before"},
	{"free-of-pinned", misuse_free_of_pinned, "not an allocation of this kind"},
	{"flush-first", misuse_flush_first, "before cuptiActivityRegisterCallbacks"},
	{"enable-unsubscribed", misuse_enable_unsubscribed, "without a subscription"},
	{"enable-unregistered", misuse_enable_unregistered, "no buffer callback"},
	{"foreign-buffer", misuse_foreign_buffer, "not handed back"},
	{"null-buffer", misuse_null_buffer, "cannot hold records"},
	{"buffer-given-twice", misuse_buffer_given_twice, "was given before"},
	{"cuda-in-buffer-callback", misuse_cuda_in_buffer_callback, "a CUDA call inside"},
};

/* Runs this program with one argument; returns its wait status and what it wrote to fd. */
static int run_self(const char *argument, int fd, char *output, size_t size)
{
	int pipe_fds[2];
	size_t length = 0;
	ssize_t got;
	int status;
	pid_t child;

	assert_int_equal(pipe(pipe_fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(pipe_fds[1], fd);
		close(pipe_fds[0]);
		execl("/proc/self/exe", "fake_cuda_test", argument, (char *)NULL);
		_exit(127);
	}
	close(pipe_fds[1]);
	while ((got = read(pipe_fds[0], output + length, size - 1 - length)) > 0)
		length += (size_t)got;
	output[length] = '\0';
	close(pipe_fds[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void test_misuse_aborts(void **state)
{
	char output[4096];

	for (size_t i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++) {
		const int status = run_self(misuses[i].name, STDERR_FILENO, output, sizeof(output));

		print_message("%s: %s", misuses[i].name, output);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
		assert_non_null(strstr(output, misuses[i].message));
		assert_ptr_equal(strchr(output, '\n'), output + strlen(output) - 1);
	}
}

static void test_injection_happens_once(void **state)
{
	char output[256];

	setenv("CUDA_INJECTION64_PATH", INJECTED_PATH, 1);
	assert_int_equal(run_self("two-calls", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "injected\n");
	setenv("FAKE_NO_CUPTI_INJECTION", "1", 1);
	assert_int_equal(run_self("two-calls", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "");
	unsetenv("FAKE_NO_CUPTI_INJECTION");
	unsetenv("CUDA_INJECTION64_PATH");
}

static void flush_too_late(void)
{
	printf("%d %d\n", cudaFree(NULL) == cudaErrorCudartUnloading,
	       cuptiActivityFlushAll(0) == CUPTI_ERROR_NOT_INITIALIZED);
}

/* What is registered before cuInit runs after the driver has gone. */
static void test_an_early_exit_handler_runs_too_late(void **state)
{
	char output[256];

	assert_int_equal(run_self("late-handler", STDOUT_FILENO, output, sizeof(output)), 0);
	assert_string_equal(output, "1 1\n");
}

static void test_a_forked_child_is_refused(void **state)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(cudaFree(NULL) == cudaErrorInitializationError ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static int run_named(const char *name)
{
	if (!strcmp(name, "two-calls"))
		return cudaFree(NULL) || cudaFree(NULL);
	if (!strcmp(name, "late-handler"))
		return atexit(flush_too_late) || cudaFree(NULL);
	for (size_t i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++)
		if (!strcmp(name, misuses[i].name))
			misuses[i].run();
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_call_makes_the_context),
		cmocka_unit_test_setup(test_one_engine_runs_one_thing, set_up),
		cmocka_unit_test_setup(test_engines_overlap_and_fill_gaps, set_up),
		cmocka_unit_test_setup(test_legacy_stream_is_a_barrier, set_up),
		cmocka_unit_test_setup(test_event_orders_two_streams, set_up),
		cmocka_unit_test_setup(test_which_calls_block, set_up),
		cmocka_unit_test_setup(test_records_have_their_callbacks, set_up),
		cmocka_unit_test_setup(test_disabled_kinds_and_callbacks_are_silent, set_up),
		cmocka_unit_test_setup(test_flush_gives_complete_records_unless_forced, set_up),
		cmocka_unit_test_setup(test_full_buffers_are_followed_by_others, set_up),
		cmocka_unit_test_setup(test_streams_have_flag_priority_and_callbacks, set_up),
		cmocka_unit_test_setup(test_per_thread_twins, set_up),
		cmocka_unit_test_setup(test_last_error_stays_until_read, set_up),
		cmocka_unit_test_setup(test_faults_on_demand, set_up),
		cmocka_unit_test_setup(test_misuse_aborts, set_up),
		cmocka_unit_test_setup(test_injection_happens_once, set_up),
		cmocka_unit_test_setup(test_an_early_exit_handler_runs_too_late, set_up),
		cmocka_unit_test_setup(test_a_forked_child_is_refused, set_up),
	};

	if (argc > 1)
		return run_named(argv[1]);
	return cmocka_run_group_tests(tests, set_up_tracer, NULL);
}
