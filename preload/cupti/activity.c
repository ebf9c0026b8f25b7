/*
 * One function a kind. Records are read as CUDA 13.0's structs: the fields used here have had their
 * offsets since CUDA 12, and fields missing in 12 are guarded by the version.
 */
#include "cupti/activity.h"

#include "cupti/pci_link.h"

#include <stdio.h>
#include <string.h>

#define CUPTI_13 130000

/* The trace has CUPTI's numbers. */
#define MEMORY_KIND(symbol, number, word)                                                          \
	_Static_assert(CUPTI_ACTIVITY_MEMORY_KIND_##symbol == (number), word);
#include "facts/memory_kinds.def"
#undef MEMORY_KIND
_Static_assert(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT == (int)STREAM_BLOCKING, "blocking");
_Static_assert(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING == (int)STREAM_NON_BLOCKING,
	       "non-blocking");
_Static_assert(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL == (int)STREAM_NULL, "legacy default");

static bool take_times(uint64_t start, uint64_t end, int64_t *start_ns, int64_t *end_ns,
		       struct activity_losses *losses)
{
	/* Zero means that CUPTI does not know the time (parcagpu #23). */
	bool timed = start != 0 && end != 0 && start <= end && end < INT64_MAX;

	*start_ns = timed ? (int64_t)start : STORE_NULL;
	*end_ns = timed ? (int64_t)end : STORE_NULL;
	if (!timed)
		losses->untimed++;
	return timed;
}

/* All bits set: CUPTI's "no id". */
static int64_t id_or_null(uint32_t id)
{
	return id == UINT32_MAX ? STORE_NULL : id;
}

static int64_t nonzero_or_null(uint64_t value)
{
	return value ? (int64_t)value : STORE_NULL;
}

/* What the record does not tell stays NULL. */
static struct operations_row new_operation(enum operation_kind kind)
{
	struct operations_row row = operations_null();

	row.kind = kind;
	return row;
}

#define TAKE_COMMON(row, record)                                                                   \
	do {                                                                                       \
		(row).device_id = (record)->deviceId;                                              \
		(row).context_id = (record)->contextId;                                            \
		(row).stream_id = (record)->streamId;                                              \
		(row).correlation_id = (record)->correlationId;                                    \
		(row).graph_node_id = nonzero_or_null((record)->graphNodeId);                      \
		(row).channel_id = (record)->channelID;                                            \
		(row).channel_type = (record)->channelType;                                        \
	} while (0)

/* Threads that each device can hold at once; 0: unknown. Writer thread. */
#define DEVICES_MOST 256
static uint64_t resident_threads[DEVICES_MOST];

static void note_device(const CUpti_ActivityDevice5 *record)
{
	if (record->id < DEVICES_MOST)
		resident_threads[record->id] = (uint64_t)record->numMultiprocessors *
					       record->maxWarpsPerMultiprocessor *
					       record->numThreadsPerWarp;
}

/* CUDA 13's CUPTI reports 0 on an H200, but also what CUDA reserves for all resident threads
 * together: that many bytes each, plus 576 for a kernel that needs none. */
static int64_t local_bytes_of(const CUpti_ActivityKernel10 *record)
{
	uint64_t threads = record->deviceId < DEVICES_MOST ? resident_threads[record->deviceId] : 0;

	if (record->localMemoryPerThread || !threads)
		return record->localMemoryPerThread;
	return (int64_t)(record->localMemoryTotal_v2 / threads);
}

static void store_kernel(struct store *store, const CUpti_ActivityKernel10 *record,
			 struct activity_losses *losses)
{
	struct operations_row row = new_operation(OPERATION_KERNEL);

	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	TAKE_COMMON(row, record);
	row.grid_x = record->gridX;
	row.grid_y = record->gridY;
	row.grid_z = record->gridZ;
	row.block_x = record->blockX;
	row.block_y = record->blockY;
	row.block_z = record->blockZ;
	row.registers_per_thread = record->registersPerThread;
	row.static_shared_bytes = record->staticSharedMemory;
	row.dynamic_shared_bytes = record->dynamicSharedMemory;
	row.local_bytes_per_thread = local_bytes_of(record);
	store_operation(store, &row, record->name);
}

static void store_copy(struct store *store, const CUpti_ActivityMemcpy6 *record,
		       struct activity_losses *losses)
{
	struct operations_row row = new_operation(OPERATION_COPY);

	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	TAKE_COMMON(row, record);
	row.copy_kind = record->copyKind;
	row.src_kind = record->srcKind;
	row.dst_kind = record->dstKind;
	row.is_async = (record->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
	row.size_bytes = (int64_t)record->bytes;
	store_operation(store, &row, NULL);
}

static void store_peer_copy(struct store *store, const CUpti_ActivityMemcpyPtoP4 *record,
			    struct activity_losses *losses)
{
	struct operations_row row = new_operation(OPERATION_COPY);

	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	TAKE_COMMON(row, record);
	row.copy_kind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
	row.src_kind = record->srcKind;
	row.dst_kind = record->dstKind;
	row.is_async = (record->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
	row.size_bytes = (int64_t)record->bytes;
	row.src_device_id = record->srcDeviceId;
	row.dst_device_id = record->dstDeviceId;
	store_operation(store, &row, NULL);
}

static void store_set(struct store *store, const CUpti_ActivityMemset4 *record,
		      struct activity_losses *losses)
{
	struct operations_row row = new_operation(OPERATION_SET);

	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	TAKE_COMMON(row, record);
	row.dst_kind = record->memoryKind;
	row.is_async = (record->flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
	row.size_bytes = (int64_t)record->bytes;
	store_operation(store, &row, NULL);
}

/* Its nodes have no records then. */
static void store_graph(struct store *store, const CUpti_ActivityGraphTrace2 *record,
			struct activity_losses *losses)
{
	struct operations_row row = new_operation(OPERATION_GRAPH);

	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	row.device_id = record->deviceId;
	row.context_id = record->contextId;
	row.stream_id = record->streamId;
	row.correlation_id = record->correlationId;
	store_operation(store, &row, NULL);
}

static void store_sync(struct store *store, const CUpti_ActivitySynchronization2 *record,
		       uint32_t cupti_version, struct activity_losses *losses)
{
	bool has_event = record->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE ||
			 record->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
	struct synchronizations_row row = synchronizations_null();

	row.type = record->type;
	row.context_id = record->contextId;
	row.stream_id = id_or_null(record->streamId);
	row.event_id = has_event ? (int64_t)record->cudaEventId : STORE_NULL;
	row.correlation_id = record->correlationId;
	row.sync_id = has_event && cupti_version >= CUPTI_13
			      ? nonzero_or_null(record->cudaEventSyncId)
			      : STORE_NULL;
	take_times(record->start, record->end, &row.start_ns, &row.end_ns, losses);
	store_synchronization(store, &row);
}

static void store_event(struct store *store, const CUpti_ActivityCudaEvent2 *record,
			uint32_t cupti_version)
{
	store_event_record(
		store, record->contextId, record->streamId, record->eventId, record->correlationId,
		cupti_version >= CUPTI_13 ? nonzero_or_null(record->cudaEventSyncId) : STORE_NULL);
}

static void store_stream_record(struct store *store, const CUpti_ActivityStream *record)
{
	struct streams_row row = streams_null();

	row.context_id = record->contextId;
	row.id = record->streamId;
	row.flag = record->flag;
	row.priority = (int32_t)record->priority;
	store_stream(store, &row);
}

#define UUID_BYTES 48

/* In the form of nvidia-smi and CUDA_VISIBLE_DEVICES. False: no uuid. */
static bool format_uuid(const CUuuid *uuid, const char *prefix, char text[UUID_BYTES])
{
	const unsigned char *bytes = (const unsigned char *)uuid->bytes;
	static const unsigned char none[sizeof(uuid->bytes)];
	int used = snprintf(text, UUID_BYTES, "%s", prefix);

	for (size_t i = 0; i < sizeof(uuid->bytes); i++)
		used += snprintf(text + used, UUID_BYTES - (size_t)used, "%s%02x",
				 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
	return memcmp(uuid->bytes, none, sizeof(none)) != 0;
}

static void store_device_record(struct store *store, const CUpti_ActivityDevice5 *record)
{
	struct devices_row row = devices_null();
	char gpu[UUID_BYTES], mig[UUID_BYTES];

	note_device(record);
	if (format_uuid(&record->uuid, "GPU-", gpu)) {
		row.uuid = gpu;
		row.link_bytes_per_s = nonzero_or_null((uint64_t)pci_link_bytes_per_s("", gpu));
	}
	if (record->isMigEnabled && format_uuid(&record->migUuid, "MIG-", mig))
		row.uuid = mig;
	row.id = record->id;
	row.name = record->name ? record->name : "unknown";
	row.compute_capability_major = record->computeCapabilityMajor;
	row.compute_capability_minor = record->computeCapabilityMinor;
	row.copy_engines = record->numMemcpyEngines;
	row.multiprocessors = record->numMultiprocessors;
	row.max_warps_per_multiprocessor = record->maxWarpsPerMultiprocessor;
	row.max_blocks_per_multiprocessor = record->maxBlocksPerMultiprocessor;
	row.max_shared_bytes_per_multiprocessor = record->maxSharedMemoryPerMultiprocessor;
	row.max_registers_per_multiprocessor = record->maxRegistersPerMultiprocessor;
	row.memory_bytes = (int64_t)record->globalMemorySize;
	row.memory_bandwidth_kbytes_per_s = (int64_t)record->globalMemoryBandwidth;
	store_device(store, &row);
}

static void store_memory(struct store *store, const CUpti_ActivityMemory4 *record)
{
	struct allocations_row row = allocations_null();

	row.time_ns = (int64_t)record->timestamp;
	row.is_release =
		record->memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
	row.memory_kind = record->memoryKind;
	row.address = (int64_t)record->address;
	row.size_bytes = (int64_t)record->bytes;
	row.device_id = id_or_null(record->deviceId);
	row.context_id = id_or_null(record->contextId);
	row.stream_id = record->isAsync ? id_or_null(record->streamId) : STORE_NULL;
	row.correlation_id = record->correlationId;
	store_allocation(store, &row);
}

#define UM(counter)  (1u << CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_##counter)
#define UM_TRANSFERS (UM(BYTES_TRANSFER_HTOD) | UM(BYTES_TRANSFER_DTOH) | UM(BYTES_TRANSFER_DTOD))

/* NULL for kinds that do not use the field: its value is then arbitrary. */
static int64_t if_kind_in(uint32_t kinds, uint32_t kind, int64_t value)
{
	return kind < 32 && (kinds >> kind & 1) ? value : STORE_NULL;
}

static void store_managed(struct store *store, const CUpti_ActivityUnifiedMemoryCounter3 *record)
{
	uint32_t kind = record->counterKind;
	uint32_t timed = UM_TRANSFERS | UM(GPU_PAGE_FAULT) | UM(THROTTLING);
	struct managed_memory_row row = managed_memory_null();

	row.kind = kind;
	row.start_ns = (int64_t)record->start;
	row.end_ns = if_kind_in(timed, kind, nonzero_or_null(record->end));
	row.src_device_id = if_kind_in(timed | UM(REMOTE_MAP), kind, id_or_null(record->srcId));
	row.dst_device_id =
		if_kind_in(UM_TRANSFERS | UM(REMOTE_MAP), kind, id_or_null(record->dstId));
	row.address = (int64_t)record->address;
	row.value = (int64_t)record->value;
	row.flags = record->flags;
	store_managed_memory(store, &row);
}

static void store_pool(struct store *store, const CUpti_ActivityMemoryPool3 *record)
{
	bool is_local = record->memoryPoolType == CUPTI_ACTIVITY_MEMORY_POOL_TYPE_LOCAL;
	bool is_trimmed = record->memoryPoolOperationType ==
			  CUPTI_ACTIVITY_MEMORY_POOL_OPERATION_TYPE_TRIMMED;
	struct memory_pools_row row = memory_pools_null();

	row.time_ns = (int64_t)record->timestamp;
	row.operation = record->memoryPoolOperationType;
	row.type = record->memoryPoolType;
	row.device_id = id_or_null(record->deviceId);
	row.address = (int64_t)record->address;
	row.size_bytes = is_local ? (int64_t)record->size : STORE_NULL;
	row.utilized_bytes = is_local ? (int64_t)record->utilizedSize : STORE_NULL;
	row.release_threshold_bytes = is_local ? (int64_t)record->releaseThreshold : STORE_NULL;
	row.kept_bytes = is_trimmed ? (int64_t)record->minBytesToKeep : STORE_NULL;
	row.correlation_id = record->correlationId;
	store_memory_pool(store, &row);
}

static void store_overhead_record(struct store *store, const CUpti_ActivityOverhead3 *record,
				  struct activity_losses *losses)
{
	int64_t thread_id = record->objectKind == CUPTI_ACTIVITY_OBJECT_THREAD
				    ? (int64_t)record->objectId.pt.threadId
				    : STORE_NULL;

	if (record->start && record->start <= record->end)
		store_overhead(store, record->overheadKind, (int64_t)record->start,
			       (int64_t)record->end, thread_id);
	else
		losses->untimed++;
}

void activity_store(struct store *store, const CUpti_Activity *record, uint32_t cupti_version,
		    struct activity_losses *losses)
{
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
	case CUPTI_ACTIVITY_KIND_KERNEL:
		store_kernel(store, (const void *)record, losses);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY:
		store_copy(store, (const void *)record, losses);
		break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2:
		store_peer_copy(store, (const void *)record, losses);
		break;
	case CUPTI_ACTIVITY_KIND_MEMSET:
		store_set(store, (const void *)record, losses);
		break;
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
		store_graph(store, (const void *)record, losses);
		break;
	case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
		store_sync(store, (const void *)record, cupti_version, losses);
		break;
	case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
		store_event(store, (const void *)record, cupti_version);
		break;
	case CUPTI_ACTIVITY_KIND_STREAM:
		store_stream_record(store, (const void *)record);
		break;
	case CUPTI_ACTIVITY_KIND_CONTEXT: {
		const CUpti_ActivityContext3 *context = (const void *)record;

		store_context(store, context->contextId, context->deviceId, context->nullStreamId);
		break;
	}
	case CUPTI_ACTIVITY_KIND_DEVICE:
		store_device_record(store, (const void *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMORY2:
		store_memory(store, (const void *)record);
		break;
	case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
		store_managed(store, (const void *)record);
		break;
	case CUPTI_ACTIVITY_KIND_MEMORY_POOL:
		store_pool(store, (const void *)record);
		break;
	case CUPTI_ACTIVITY_KIND_OVERHEAD:
		store_overhead_record(store, (const void *)record, losses);
		break;
	default:
		losses->unknown++;
	}
}
