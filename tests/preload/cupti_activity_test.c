/* CUPTI's records as rows, field by field: each field of a record has a number of its own. */
#include <stdint.h>
#include <string.h>

#include "cmocka_test.h"
#include "cupti/activity.h"
#include "cupti/pci_link.h"

enum { CUDA_12 = 28, CUDA_13 = 130000, LINK = 777 };

/* The last row, whatever its table, and its operation's name. */
static union {
	struct operations_row operation;
	struct synchronizations_row synchronization;
	struct streams_row stream;
	struct devices_row device;
	struct allocations_row allocation;
	struct managed_memory_row managed;
	struct memory_pools_row pool;
	int64_t numbers[5];
} row;
static const char *name;
static char uuid[64];
static int rows;
static struct activity_losses losses;

void store_operation(struct store *store, struct operations_row *given, const char *given_name)
{
	row.operation = *given;
	name = given_name;
	rows++;
}

#define STORE(function, table, member)                                                             \
	void function(struct store *store, const struct table *given)                              \
	{                                                                                          \
		row.member = *given;                                                               \
		rows++;                                                                            \
	}
STORE(store_synchronization, synchronizations_row, synchronization)
STORE(store_stream, streams_row, stream)
STORE(store_allocation, allocations_row, allocation)
STORE(store_managed_memory, managed_memory_row, managed)
STORE(store_memory_pool, memory_pools_row, pool)

void store_device(struct store *store, const struct devices_row *given)
{
	row.device = *given;
	strcpy(uuid, given->uuid ? given->uuid : "");
	rows++;
}

#define STORE_NUMBERS(...)                                                                         \
	const int64_t numbers[] = {__VA_ARGS__};                                                   \
	memcpy(row.numbers, numbers, sizeof(numbers));                                             \
	rows++

void store_context(struct store *store, int64_t id, int64_t device_id, int64_t null_stream_id)
{
	STORE_NUMBERS(id, device_id, null_stream_id);
}

void store_event_record(struct store *store, int64_t context_id, int64_t stream_id,
			int64_t event_id, int64_t correlation_id, int64_t sync_id)
{
	STORE_NUMBERS(context_id, stream_id, event_id, correlation_id, sync_id);
}

void store_overhead(struct store *store, int64_t kind, int64_t start_ns, int64_t end_ns,
		    int64_t thread_id)
{
	STORE_NUMBERS(kind, start_ns, end_ns, thread_id);
}

int64_t pci_link_bytes_per_s(const char *root, const char *gpu)
{
	return LINK;
}

static void store_as(const void *record, uint32_t version)
{
	memset(&row, 0, sizeof(row));
	rows = 0;
	losses = (struct activity_losses){0};
	activity_store(NULL, record, version, &losses);
}

static void store_one(const void *record)
{
	store_as(record, CUDA_13);
	assert_int_equal(rows, 1);
	assert_int_equal(losses.untimed + losses.unknown, 0);
}

#define CHECK_ROW(member, expected) assert_memory_equal(&row.member, &(expected), sizeof(expected))
#define CHECK_NUMBERS(...)                                                                         \
	do {                                                                                       \
		const int64_t numbers[] = {__VA_ARGS__};                                           \
		assert_memory_equal(row.numbers, numbers, sizeof(numbers));                        \
	} while (0)

/* What every operation has. */
#define COMMON                                                                                     \
	.start = 100, .end = 200, .deviceId = 1, .contextId = 2, .streamId = 3,                    \
	.correlationId = 4, .graphNodeId = 5, .channelID = 6, .channelType = 7

static struct operations_row expected_operation(enum operation_kind kind)
{
	struct operations_row expected = operations_null();

	expected.kind = kind;
	expected.start_ns = 100;
	expected.end_ns = 200;
	expected.device_id = 1;
	expected.context_id = 2;
	expected.stream_id = 3;
	expected.correlation_id = 4;
	expected.graph_node_id = 5;
	expected.channel_id = 6;
	expected.channel_type = 7;
	return expected;
}

TEST(test_kernel)
{
	CUpti_ActivityKernel10 record = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
					 COMMON,
					 .gridX = 11,
					 .gridY = 12,
					 .gridZ = 13,
					 .blockX = 14,
					 .blockY = 15,
					 .blockZ = 16,
					 .registersPerThread = 17,
					 .staticSharedMemory = 18,
					 .dynamicSharedMemory = 19,
					 .localMemoryPerThread = 20,
					 .name = "sum"};
	struct operations_row expected = expected_operation(OPERATION_KERNEL);

	expected.grid_x = 11;
	expected.grid_y = 12;
	expected.grid_z = 13;
	expected.block_x = 14;
	expected.block_y = 15;
	expected.block_z = 16;
	expected.registers_per_thread = 17;
	expected.static_shared_bytes = 18;
	expected.dynamic_shared_bytes = 19;
	expected.local_bytes_per_thread = 20;
	store_one(&record);
	CHECK_ROW(operation, expected);
	assert_string_equal(name, "sum");
	record.kind = CUPTI_ACTIVITY_KIND_KERNEL;
	record.graphNodeId = 0;
	expected.graph_node_id = ROW_NULL;
	store_one(&record);
	CHECK_ROW(operation, expected);
}

TEST(test_copies_and_sets)
{
	CUpti_ActivityMemcpy6 copy = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY,
				      COMMON,
				      .copyKind = 8,
				      .srcKind = 9,
				      .dstKind = 10,
				      .flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC,
				      .bytes = 1000};
	const CUpti_ActivityMemcpyPtoP4 peer = {.kind = CUPTI_ACTIVITY_KIND_MEMCPY2,
						COMMON,
						.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP,
						.srcKind = 9,
						.dstKind = 10,
						.bytes = 1001,
						.srcDeviceId = 21,
						.dstDeviceId = 22,
						.srcContextId = 23,
						.dstContextId = 24};
	const CUpti_ActivityMemset4 set = {.kind = CUPTI_ACTIVITY_KIND_MEMSET,
					   COMMON,
					   .memoryKind = 25,
					   .flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC,
					   .bytes = 1002};
	struct operations_row expected = expected_operation(OPERATION_COPY);

	expected.copy_kind = 8;
	expected.src_kind = 9;
	expected.dst_kind = 10;
	expected.is_async = 1;
	expected.size_bytes = 1000;
	store_one(&copy);
	CHECK_ROW(operation, expected);
	copy.flags = 0;
	expected.is_async = 0;
	store_one(&copy);
	CHECK_ROW(operation, expected);
	expected.copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
	expected.size_bytes = 1001;
	expected.src_device_id = 21;
	expected.dst_device_id = 22;
	store_one(&peer);
	CHECK_ROW(operation, expected);
	expected = expected_operation(OPERATION_SET);
	expected.dst_kind = 25;
	expected.is_async = 1;
	expected.size_bytes = 1002;
	store_one(&set);
	CHECK_ROW(operation, expected);
	assert_null(name);
}

/* Zero is not an instant, nor is what ends before it starts one. */
TEST(test_untimed)
{
	const uint64_t times[][2] = {{0, 200}, {100, 0}, {200, 100}, {1, INT64_MAX}};
	CUpti_ActivityMemset4 set = {.kind = CUPTI_ACTIVITY_KIND_MEMSET};
	CUpti_ActivityOverhead3 overhead = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		set.start = times[i][0];
		set.end = times[i][1];
		store_as(&set, CUDA_13);
		assert_int_equal(rows, 1);
		assert_int_equal(losses.untimed, 1);
		assert_true(row.operation.start_ns == ROW_NULL && row.operation.end_ns == ROW_NULL);
	}
	set.start = set.end = 7;
	store_one(&set);
	assert_true(row.operation.start_ns == 7 && row.operation.end_ns == 7);
	overhead.end = 5;
	store_as(&overhead, CUDA_13);
	assert_true(rows == 0 && losses.untimed == 1);
	overhead.start = 6;
	store_as(&overhead, CUDA_13);
	assert_true(rows == 0 && losses.untimed == 1);
}

TEST(test_synchronization)
{
	CUpti_ActivitySynchronization2 record = {
		.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
		.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,
		.start = 100,
		.end = 200,
		.correlationId = 4,
		.contextId = 2,
		.streamId = 3,
		.cudaEventId = 8,
		.cudaEventSyncId = 9};
	struct synchronizations_row expected = synchronizations_null();

	expected.type = record.type;
	expected.start_ns = 100;
	expected.end_ns = 200;
	expected.correlation_id = 4;
	expected.context_id = 2;
	expected.stream_id = 3;
	expected.event_id = 8;
	expected.sync_id = 9;
	store_one(&record);
	CHECK_ROW(synchronization, expected);
	/* Behind the record of CUDA 12. */
	expected.sync_id = ROW_NULL;
	store_as(&record, CUDA_12);
	CHECK_ROW(synchronization, expected);
	expected.sync_id = 9;
	expected.type = record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
	store_one(&record);
	CHECK_ROW(synchronization, expected);
	expected.event_id = expected.sync_id = expected.stream_id = ROW_NULL;
	expected.type = record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
	record.streamId = UINT32_MAX;
	store_one(&record);
	CHECK_ROW(synchronization, expected);
}

TEST(test_events_streams_and_contexts)
{
	const CUpti_ActivityCudaEvent2 event = {.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT,
						.correlationId = 4,
						.contextId = 2,
						.streamId = 3,
						.eventId = 8,
						.cudaEventSyncId = 9};
	const CUpti_ActivityStream stream = {
		.kind = CUPTI_ACTIVITY_KIND_STREAM,
		.contextId = 2,
		.streamId = 3,
		.priority = (uint32_t)-5,
		.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING};
	const CUpti_ActivityContext3 context = {.kind = CUPTI_ACTIVITY_KIND_CONTEXT,
						.contextId = 2,
						.deviceId = 1,
						.nullStreamId = 7};
	struct streams_row expected = streams_null();

	store_one(&event);
	CHECK_NUMBERS(2, 3, 8, 4, 9);
	store_as(&event, CUDA_12);
	CHECK_NUMBERS(2, 3, 8, 4, ROW_NULL);
	expected.context_id = 2;
	expected.id = 3;
	expected.flag = stream.flag;
	expected.priority = -5;
	store_one(&stream);
	CHECK_ROW(stream, expected);
	store_one(&context);
	CHECK_NUMBERS(2, 1, 7);
}

TEST(test_device)
{
	CUpti_ActivityDevice5 record = {.kind = CUPTI_ACTIVITY_KIND_DEVICE,
					.id = 1,
					.name = "NVIDIA H200",
					.computeCapabilityMajor = 9,
					.computeCapabilityMinor = 1,
					.numMemcpyEngines = 3,
					.numMultiprocessors = 132,
					.maxWarpsPerMultiprocessor = 64,
					.numThreadsPerWarp = 32,
					.maxBlocksPerMultiprocessor = 33,
					.maxSharedMemoryPerMultiprocessor = 34,
					.maxRegistersPerMultiprocessor = 35,
					.globalMemorySize = 36,
					.globalMemoryBandwidth = 37};
	CUpti_ActivityKernel10 kernel = {.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
					 COMMON,
					 .localMemoryTotal_v2 = 577ull * 132 * 64 * 32 - 1};
	struct devices_row expected = devices_null();

	expected.id = 1;
	expected.name = record.name;
	expected.compute_capability_major = 9;
	expected.compute_capability_minor = 1;
	expected.copy_engines = 3;
	expected.multiprocessors = 132;
	expected.max_warps_per_multiprocessor = 64;
	expected.max_blocks_per_multiprocessor = 33;
	expected.max_shared_bytes_per_multiprocessor = 34;
	expected.max_registers_per_multiprocessor = 35;
	expected.memory_bytes = 36;
	expected.memory_bandwidth_kbytes_per_s = 37;
	store_one(&record);
	CHECK_ROW(device, expected);
	/* What is reserved for all threads that the device can hold, by then. */
	store_one(&kernel);
	assert_int_equal(row.operation.local_bytes_per_thread, 576);
	kernel.localMemoryPerThread = 8;
	store_one(&kernel);
	assert_int_equal(row.operation.local_bytes_per_thread, 8);
	kernel.localMemoryPerThread = 0;
	kernel.deviceId = 2;
	store_one(&kernel);
	assert_int_equal(row.operation.local_bytes_per_thread, 0);
	memcpy(record.uuid.bytes,
	       "\x01\x23\x45\x67\x89\xab\xcd\xef\x10\x32\x54\x76\x98\xba\xdc\xfe", 16);
	memset(record.migUuid.bytes, 0x5a, 16);
	store_one(&record);
	assert_string_equal(uuid, "GPU-01234567-89ab-cdef-1032-547698badcfe");
	assert_int_equal(row.device.link_bytes_per_s, LINK);
	record.isMigEnabled = 1;
	store_one(&record);
	assert_string_equal(uuid, "MIG-5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a");
	record.name = NULL;
	store_one(&record);
	assert_string_equal(row.device.name, "unknown");
}

TEST(test_memory)
{
	CUpti_ActivityMemory4 record = {.kind = CUPTI_ACTIVITY_KIND_MEMORY2,
					.memoryOperationType =
						CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE,
					.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
					.correlationId = 4,
					.address = 4096,
					.bytes = 512,
					.timestamp = 100,
					.deviceId = 1,
					.contextId = 2,
					.streamId = 3,
					.isAsync = 1};
	struct allocations_row expected = allocations_null();

	expected.time_ns = 100;
	expected.is_release = 1;
	expected.memory_kind = record.memoryKind;
	expected.address = 4096;
	expected.size_bytes = 512;
	expected.device_id = 1;
	expected.context_id = 2;
	expected.stream_id = 3;
	expected.correlation_id = 4;
	store_one(&record);
	CHECK_ROW(allocation, expected);
	record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
	record.isAsync = 0;
	record.deviceId = UINT32_MAX;
	expected.is_release = 0;
	expected.stream_id = expected.device_id = ROW_NULL;
	store_one(&record);
	CHECK_ROW(allocation, expected);
}

static void check_managed(CUpti_ActivityUnifiedMemoryCounterKind kind, bool has_end, bool has_src,
			  bool has_dst)
{
	const CUpti_ActivityUnifiedMemoryCounter3 record = {
		.kind = CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER,
		.counterKind = kind,
		.start = 100,
		.end = 200,
		.srcId = 1,
		.dstId = 2,
		.address = 4096,
		.value = 65536,
		.flags = 3};
	struct managed_memory_row expected = managed_memory_null();

	expected.kind = kind;
	expected.start_ns = 100;
	expected.address = 4096;
	expected.value = 65536;
	expected.flags = 3;
	expected.end_ns = has_end ? 200 : ROW_NULL;
	expected.src_device_id = has_src ? 1 : ROW_NULL;
	expected.dst_device_id = has_dst ? 2 : ROW_NULL;
	store_one(&record);
	CHECK_ROW(managed, expected);
}

TEST(test_managed_memory)
{
#define KIND(name) CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##name
	check_managed(KIND(BYTES_TRANSFER_HTOD), true, true, true);
	check_managed(KIND(BYTES_TRANSFER_DTOH), true, true, true);
	check_managed(KIND(BYTES_TRANSFER_DTOD), true, true, true);
	check_managed(KIND(GPU_PAGE_FAULT), true, true, false);
	check_managed(KIND(THROTTLING), true, true, false);
	check_managed(KIND(REMOTE_MAP), false, true, true);
	check_managed(KIND(CPU_PAGE_FAULT_COUNT), false, false, false);
	check_managed((CUpti_ActivityUnifiedMemoryCounterKind)40, false, false, false);
}

TEST(test_pool)
{
	CUpti_ActivityMemoryPool3 record = {
		.kind = CUPTI_ACTIVITY_KIND_MEMORY_POOL,
		.memoryPoolOperationType = CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED,
		.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL,
		.correlationId = 4,
		.timestamp = 100,
		.deviceId = 1,
		.address = 4096,
		.size = 11,
		.utilizedSize = 12,
		.releaseThreshold = 13,
		.minBytesToKeep = 14};
	struct memory_pools_row expected = memory_pools_null();

	expected.time_ns = 100;
	expected.operation = record.memoryPoolOperationType;
	expected.type = record.memoryPoolType;
	expected.device_id = 1;
	expected.address = 4096;
	expected.size_bytes = 11;
	expected.utilized_bytes = 12;
	expected.release_threshold_bytes = 13;
	expected.kept_bytes = 14;
	expected.correlation_id = 4;
	store_one(&record);
	CHECK_ROW(pool, expected);
	expected.operation = record.memoryPoolOperationType =
		CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_CREATED;
	expected.type = record.memoryPoolType = CUPTI_ACTIVITY_MEMORY_POOL_TYPE_IMPORTED;
	expected.size_bytes = expected.utilized_bytes = expected.release_threshold_bytes =
		expected.kept_bytes = ROW_NULL;
	store_one(&record);
	CHECK_ROW(pool, expected);
}

TEST(test_overhead)
{
	CUpti_ActivityOverhead3 record = {.kind = CUPTI_ACTIVITY_KIND_OVERHEAD,
					  .overheadKind =
						  CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH,
					  .objectKind = CUPTI_ACTIVITY_OBJECT_THREAD,
					  .objectId.pt = {.processId = 8, .threadId = 9},
					  .start = 100,
					  .end = 200};

	store_one(&record);
	CHECK_NUMBERS(record.overheadKind, 100, 200, 9);
	record.objectKind = CUPTI_ACTIVITY_OBJECT_CONTEXT;
	store_one(&record);
	CHECK_NUMBERS(record.overheadKind, 100, 200, ROW_NULL);
}

TEST(test_unknown)
{
	const CUpti_Activity record = {.kind = CUPTI_ACTIVITY_KIND_INVALID};

	store_as(&record, CUDA_13);
	assert_true(rows == 0 && losses.unknown == 1 && losses.untimed == 0);
}

RUN_TESTS(NULL, NULL)
