/*
 * Tests of the stand-ins themselves, with a small tracer in this process: what libstrace.so is
 * tested against must itself behave as measured and documented.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cupti_driver_cbid.h>

#include "cmocka_test.h"
#include "fake_cuda_tracer.h"

enum { MS = 1000000, LONG_NS = 100 * MS };

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
	start_ns = fake_cuda_now_ns();
	call(stream);
	duration_ns = fake_cuda_now_ns() - start_ns;
	assert_int_equal(duration_ns > LONG_NS / 2, expected == WAITS);
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

static void test_a_forked_child_is_refused(void **state)
{
	int status;
	pid_t child = fork();

	if (!child)
		_exit(cudaFree(NULL) == cudaErrorInitializationError ? 0 : 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
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
	fake_cuda_use_own_clock();
	return cmocka_run_group_tests(tests, set_up_tracer, NULL);
}
