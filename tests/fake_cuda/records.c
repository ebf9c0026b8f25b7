/* Activity records in the layouts of CUPTI 13.0. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime.h"

static void send(const void *record, uint64_t complete_ns)
{
	const struct fake_cupti_hooks *hooks = atomic_load(&runtime_hooks);

	if (hooks)
		hooks->record(record, complete_ns);
}

/* FAKE_ZERO_TIMESTAMPS takes the times of every third operation away. */
static struct span stamped(struct span span)
{
	static atomic_uint operations;
	const char *wanted = getenv("FAKE_ZERO_TIMESTAMPS");
	const unsigned int number = atomic_fetch_add(&operations, 1) + 1;

	if (wanted && !strcmp(wanted, "1") && number % 3 == 0)
		return (struct span){0, 0};
	return span;
}

static void record_device(void)
{
	const CUpti_ActivityDevice5 device = {
		.kind = CUPTI_ACTIVITY_KIND_DEVICE,
		.globalMemoryBandwidth = 1000000000,
		.globalMemorySize = (uint64_t)16 << 30,
		.numThreadsPerWarp = 32,
		.coreClockRate = 1500000,
		.numMemcpyEngines = 2,
		.numMultiprocessors = 64,
		.maxWarpsPerMultiprocessor = 64,
		.maxBlocksPerMultiprocessor = 32,
		.maxSharedMemoryPerMultiprocessor = 228 << 10,
		.maxRegistersPerMultiprocessor = 65536,
		.maxThreadsPerBlock = 1024,
		.computeCapabilityMajor = 9,
		.computeCapabilityMinor = 0,
		.id = FAKE_DEVICE_ID,
		.uuid = {FAKE_UUID},
		.name = "Fake GPU",
		.isCudaVisible = 1,
	};

	send(&device, device_now_ns());
}

void record_context(void)
{
	const uint64_t now_ns = device_now_ns();
	const CUpti_ActivityContext3 context = {
		.kind = CUPTI_ACTIVITY_KIND_CONTEXT,
		.contextId = FAKE_CONTEXT_ID,
		.deviceId = FAKE_DEVICE_ID,
		.computeApiKind = CUPTI_ACTIVITY_COMPUTE_API_CUDA,
		.nullStreamId = FAKE_NULL_STREAM_ID,
		.parentContextId = UINT32_MAX,
		.numMultiprocessors = 64,
	};
	const CUpti_ActivityOverhead3 overhead = {
		.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
		.overheadKind = CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING,
		.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
		.objectId.pt = {.processId = (uint32_t)getpid(), .threadId = (uint32_t)gettid()},
		.start = now_ns - 1000,
		.end = now_ns,
	};

	record_device();
	send(&context, now_ns);
	send(&overhead, now_ns);
	device_lock();
	const struct CUstream_st null_stream = *device_stream(cudaStreamLegacy, false);
	device_unlock();
	record_stream(&null_stream, 0);
}

void record_stream(const struct CUstream_st *stream, uint32_t correlation_id)
{
	const CUpti_ActivityStream record = {
		.kind = CUPTI_ACTIVITY_KIND_STREAM,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = stream->id,
		.priority = (uint32_t)stream->priority,
		.flag = stream->flag,
		.correlationId = correlation_id,
	};

	send(&record, device_now_ns());
}

void record_kernel(struct record_origin origin, const struct launch *launch)
{
	const struct span span = stamped(origin.span);
	const CUpti_ActivityKernel10 kernel = {
		.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
		.registersPerThread = 32,
		/* 1024 bytes for each thread that the device holds: 64 x 64 warps. */
		.localMemoryTotal_v2 = UINT64_C(1024) * 64 * 64 * 32,
		.start = span.start_ns,
		.end = span.end_ns,
		.deviceId = FAKE_DEVICE_ID,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = origin.stream_id,
		.gridX = (int32_t)launch->grid.x,
		.gridY = (int32_t)launch->grid.y,
		.gridZ = (int32_t)launch->grid.z,
		.blockX = (int32_t)launch->block.x,
		.blockY = (int32_t)launch->block.y,
		.blockZ = (int32_t)launch->block.z,
		.dynamicSharedMemory = (int32_t)launch->shared_bytes,
		.correlationId = origin.correlation_id,
		.graphNodeId = origin.graph_node_id,
		.name = launch_symbol(launch->kernel),
		.channelID = ENGINE_COMPUTE + 1,
		.channelType = CUPTI_CHANNEL_TYPE_COMPUTE,
	};

	send(&kernel, origin.span.end_ns);
}

void record_copy(struct record_origin origin, uint8_t copy_kind, uint8_t src_kind, uint8_t dst_kind,
		 enum engine engine, bool is_async, uint64_t size)
{
	const struct span span = stamped(origin.span);
	const CUpti_ActivityMemcpy6 copy = {
		.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
		.copyKind = copy_kind,
		.srcKind = src_kind,
		.dstKind = dst_kind,
		.flags = is_async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0,
		.bytes = size,
		.start = span.start_ns,
		.end = span.end_ns,
		.deviceId = FAKE_DEVICE_ID,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = origin.stream_id,
		.correlationId = origin.correlation_id,
		.graphNodeId = origin.graph_node_id,
		.channelID = (uint32_t)engine + 1,
		.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY,
		.copyCount = 1,
	};

	send(&copy, origin.span.end_ns);
}

void record_set(struct record_origin origin, CUpti_ActivityMemoryKind kind, int value,
		bool is_async, uint64_t size)
{
	const struct span span = stamped(origin.span);
	const CUpti_ActivityMemset4 set = {
		.kind = CUPTI_ACTIVITY_KIND_MEMSET,
		.value = (uint8_t)value,
		.bytes = size,
		.start = span.start_ns,
		.end = span.end_ns,
		.deviceId = FAKE_DEVICE_ID,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = origin.stream_id,
		.correlationId = origin.correlation_id,
		.graphNodeId = origin.graph_node_id,
		.flags = is_async ? CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC : 0,
		.memoryKind = (uint16_t)kind,
		.channelID = ENGINE_COMPUTE + 1,
		.channelType = CUPTI_CHANNEL_TYPE_COMPUTE,
	};

	send(&set, origin.span.end_ns);
}

void record_graph(struct record_origin origin, uint32_t graph_id)
{
	const struct span span = stamped(origin.span);
	const CUpti_ActivityGraphTrace2 graph = {
		.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE,
		.correlationId = origin.correlation_id,
		.start = span.start_ns,
		.end = span.end_ns,
		.deviceId = FAKE_DEVICE_ID,
		.graphId = graph_id,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = origin.stream_id,
		.endDeviceId = FAKE_DEVICE_ID,
		.endContextId = FAKE_CONTEXT_ID,
	};

	send(&graph, origin.span.end_ns);
}

void record_sync(struct record_origin origin, CUpti_ActivitySynchronizationType type,
		 uint32_t event_id, uint64_t sync_id)
{
	const CUpti_ActivitySynchronization2 sync = {
		.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
		.type = type,
		.start = origin.span.start_ns,
		.end = origin.span.end_ns,
		.correlationId = origin.correlation_id,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = origin.stream_id,
		.cudaEventId = event_id,
		.cudaEventSyncId = sync_id,
	};

	send(&sync, origin.span.end_ns);
}

void record_event(uint32_t correlation_id, const struct CUevent_st *event)
{
	const CUpti_ActivityCudaEvent2 record = {
		.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
		.correlationId = correlation_id,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = event->stream_id,
		.eventId = event->id,
		.deviceId = FAKE_DEVICE_ID,
		.cudaEventSyncId = event->sync_id,
	};

	send(&record, event->time_ns);
}

void record_memory(uint32_t correlation_id, const struct memory *memory, bool is_release,
		   uint32_t stream_id, bool is_async)
{
	const CUpti_ActivityMemory4 record = {
		.kind = CUPTI_ACTIVITY_KIND_MEMORY2,
		.memoryOperationType = is_release ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE
						  : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION,
		.memoryKind = memory->kind,
		.correlationId = correlation_id,
		.address = (uintptr_t)memory->address,
		.bytes = memory->size,
		.timestamp = device_now_ns(),
		.processId = (uint32_t)getpid(),
		.deviceId = FAKE_DEVICE_ID,
		.contextId = FAKE_CONTEXT_ID,
		.streamId = stream_id,
		.isAsync = is_async,
	};

	send(&record, record.timestamp);
}

static CUpti_ActivityUnifiedMemoryCounter3 counter_of(const struct memory *memory,
						      CUpti_ActivityUnifiedMemoryCounterKind kind,
						      struct span span)
{
	const bool is_to_host =
		kind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;

	return (CUpti_ActivityUnifiedMemoryCounter3){
		.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER,
		.counterKind = kind,
		.value = memory->size,
		.start = span.start_ns,
		.end = span.end_ns,
		.address = (uintptr_t)memory->address,
		.srcId = is_to_host ? FAKE_DEVICE_ID : CUPTI_UNIFIED_MEMORY_CPU_DEVICE_ID,
		.dstId = is_to_host ? CUPTI_UNIFIED_MEMORY_CPU_DEVICE_ID : FAKE_DEVICE_ID,
		.processId = (uint32_t)getpid(),
		.flags = 1,
	};
}

void record_managed(const struct memory *memory)
{
	static const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
		CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
		CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
		CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
		CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
	};
	const uint64_t now_ns = device_now_ns();

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		CUpti_ActivityUnifiedMemoryCounter3 counter =
			counter_of(memory, kinds[i], (struct span){now_ns, now_ns + 500});

		if (i >= 2)
			counter.value = i;
		send(&counter, counter.end);
	}
}

void record_migration(const struct memory *memory, bool is_to_host, struct span span)
{
	CUpti_ActivityUnifiedMemoryCounter3 counter = counter_of(
		memory,
		is_to_host ? CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH
			   : CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
		span);

	counter.flags = CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE;
	send(&counter, counter.end);
}

void record_pool(uint32_t correlation_id, CUmemoryPool pool,
		 CUpti_ActivityMemoryPoolOperationType operation, size_t kept_bytes)
{
	const CUpti_ActivityMemoryPool3 record = {
		.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL,
		.memoryPoolOperationType = operation,
		.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL,
		.correlationId = correlation_id,
		.processId = (uint32_t)getpid(),
		.deviceId = FAKE_DEVICE_ID,
		.minBytesToKeep = kept_bytes,
		.address = (uintptr_t)pool,
		.size = (uint64_t)32 << 20,
		.releaseThreshold = 1 << 20,
		.timestamp = device_now_ns(),
		.utilizedSize = 4096,
	};

	send(&record, record.timestamp);
}
